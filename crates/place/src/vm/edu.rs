//! The registers of QEMU's `edu` device that say where it is in memory. A machine that QEMU 7.2 saved and restored has
//! lost them, while its kernel still uses the device there.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rt::pci::configuration;

/// Vendor and device in the first four bytes of its configuration.
const EDU: [u8; 4] = [0x34, 0x12, 0xe8, 0x11];
/// The bytes of the configuration that every device has.
const HEADER: usize = 64;
const COMMAND: std::ops::Range<usize> = 4..6;
const BASE_ADDRESSES: std::ops::Range<usize> = 0x10..0x28;

pub(super) struct EduPlace {
    config: File,
    header: [u8; HEADER],
}

impl EduPlace {
    /// Remembers where the device is; `None` if this machine has none, or its kernel does not show it.
    pub(super) fn remember() -> Option<Self> {
        configuration(EDU).and_then(Self::of)
    }

    fn of(config: File) -> Option<Self> {
        let mut header = [0; HEADER];
        config.read_exact_at(&mut header, 0).ok()?;
        Some(Self { config, header })
    }

    /// Puts it back there. In a machine that was not restored, this changes nothing. If it fails, no interrupt arrives
    /// from the device, and the runs that need one report that.
    pub(super) fn put_back(&self) {
        for place in [BASE_ADDRESSES, COMMAND] {
            let at = place.start as u64;
            let _ = self.config.write_all_at(&self.header[place], at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_the_registers_of_the_place_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        let placed: Vec<u8> = EDU.into_iter().chain(4..HEADER as u8).collect();
        fs::write(&path, &placed).unwrap();
        let config = File::options().read(true).write(true).open(&path).unwrap();
        let place = EduPlace::of(config).unwrap();
        let lost: Vec<u8> = EDU.into_iter().chain([0; HEADER - 4]).collect();
        fs::write(&path, &lost).unwrap();
        place.put_back();
        let found = fs::read(&path).unwrap();
        for (at, byte) in found.iter().enumerate().skip(4) {
            let is_placed = COMMAND.contains(&at) || BASE_ADDRESSES.contains(&at);
            assert_eq!(*byte, if is_placed { placed[at] } else { 0 }, "byte {at}");
        }
        fs::write(&path, [0; 4]).unwrap();
        assert!(EduPlace::of(File::open(&path).unwrap()).is_none(), "half a configuration");
    }
}
