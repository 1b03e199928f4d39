//! The configuration of PCI devices.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::Path;

const DEVICES: &str = "/sys/bus/pci/devices";

/// Opens the configuration of the first device with these four bytes, its vendor and its kind;
/// `None` if there is none, or the kernel does not show it.
#[must_use]
pub fn configuration(kind: [u8; 4]) -> Option<File> {
    configuration_in(Path::new(DEVICES), kind)
}

fn configuration_in(devices: &Path, kind: [u8; 4]) -> Option<File> {
    let mut paths: Vec<_> = fs::read_dir(devices).ok()?.flatten().map(|one| one.path()).collect();
    paths.sort();
    paths.iter().find_map(|path| {
        let file = OpenOptions::new().read(true).write(true).open(path.join("config")).ok()?;
        let mut found = [0; 4];
        (&file).read_exact(&mut found).ok()?;
        (found == kind).then_some(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_found_by_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        for (name, kind) in [("0000:00:01.0", [1, 2, 3, 4]), ("0000:00:02.0", [5, 6, 7, 8])] {
            let device = folder.path().join(name);
            fs::create_dir(&device).unwrap();
            fs::write(device.join("config"), [&kind[..], &[9; 60]].concat()).unwrap();
        }
        assert!(configuration_in(folder.path(), [5, 6, 7, 8]).is_some());
        assert!(configuration_in(folder.path(), [5, 6, 7, 9]).is_none());
        assert!(configuration_in(Path::new("/no/such"), [5, 6, 7, 8]).is_none());
    }
}
