//! QEMU's firmware, which a machine of the lab executes before its kernel.

use std::fs;
use std::path::{Path, PathBuf};

use crate::hash::sha256;

/// The files that QEMU loads into a q35 machine that boots a kernel, as observed with version 7.2:
/// the BIOS, the option ROM that loads the kernel, and one that belongs to the interrupt
/// controller.
const FILES: &[&str] = &["bios-256k.bin", "linuxboot_dma.bin", "kvmvapic.bin"];

/// Returns one hash over all files. Of several folders that contain a file, the first counts. A
/// missing file counts as empty; QEMU reports what it lacks.
pub(crate) fn hash(folders: &[PathBuf]) -> String {
    let hashes = FILES.iter().map(|name| sha256(&read(name, folders)));
    sha256(hashes.collect::<Vec<_>>().join("\n").as_bytes())
}

/// Returns the folders that QEMU lists for `-L help`, one per line.
pub(crate) fn folders(listed: &str) -> Vec<PathBuf> {
    let lines = listed.lines().map(str::trim);
    lines.filter(|line| Path::new(line).is_absolute()).map(PathBuf::from).collect()
}

fn read(name: &str, folders: &[PathBuf]) -> Vec<u8> {
    let mut found = folders.iter().map(|folder| fs::read(folder.join(name)));
    found.find_map(Result::ok).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_covers_the_files_that_qemu_finds_first() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [first, second] = [&one, &other].map(|folder| folder.path().to_owned());
        let both = [first.clone(), second.clone()];
        let without = hash(&both);
        fs::write(second.join(FILES[0]), "a BIOS").unwrap();
        let with = hash(&both);
        assert_ne!(with, without);
        fs::write(first.join(FILES[0]), "another").unwrap();
        assert_ne!(hash(&both), with);
        fs::write(first.join(FILES[0]), "a BIOS").unwrap();
        assert_eq!(hash(&both), with);
        fs::rename(first.join(FILES[0]), first.join(FILES[1])).unwrap();
        fs::remove_file(second.join(FILES[0])).unwrap();
        assert_ne!(hash(&both), with, "in another file's place");
    }

    #[test]
    fn folders_are_listed_one_per_line() {
        let listed = "/usr/bin/../share/qemu\n/usr/share/seabios\nnonsense\n";
        let expected = ["/usr/bin/../share/qemu", "/usr/share/seabios"].map(PathBuf::from);
        assert_eq!(folders(listed), expected);
    }
}
