//! Kernel modules.

use std::fs::{self, File};
use std::path::Path;

use crate::packing::unpack_all;
use crate::requirements::LARGEST;
use crate::{Architecture, LabError};

/// A module's file, unpacked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module {
    pub(crate) file_name: String,
    pub(crate) contents: Vec<u8>,
}

/// The end of the names of unpacked modules.
const ENDING: &str = ".ko";
/// The text before the release for which a module was built, in its section `.modinfo`.
const BUILT_FOR: &[u8] = b"vermagic=";

impl Module {
    /// Whether it is the module with this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.file_name.strip_suffix(ENDING) == Some(name)
    }

    /// Reads a file, which may be compressed (`.ko.xz`), and checks that a kernel of this
    /// architecture and release can load it. An empty release is unknown.
    pub(crate) fn read(
        path: &Path,
        architecture: &Architecture,
        release: &str,
    ) -> Result<Self, LabError> {
        let refused = |why: String| LabError::NotAModule { path: path.to_owned(), why };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = fs::metadata(path).map_err(LabError::file(path))?;
        if !found.is_file() {
            return Err(refused("it is not an ordinary file".to_owned()));
        }
        let file = File::open(path).map_err(LabError::file(path))?;
        let (file_name, contents) = unpack_all(&name, file).map_err(LabError::file(path))?;
        if !file_name.ends_with(ENDING) {
            return Err(refused("its name does not end with .ko".to_owned()));
        }
        check(&contents, architecture, release).map_err(refused)?;
        Ok(Self { file_name: file_name.to_owned(), contents })
    }
}

/// Checks that a kernel of this architecture and release can load it; an error says why not. The
/// numbers are those of elf.h.
fn check(contents: &[u8], architecture: &Architecture, release: &str) -> Result<(), String> {
    const WITH_64_BITS: &[u8] = b"\x7fELF\x02";
    const RELOCATABLE: [u8; 2] = 1_u16.to_le_bytes();
    if contents.len() as u64 > LARGEST {
        return Err("it is larger than 1 GiB".to_owned());
    }
    let is_module = contents.starts_with(WITH_64_BITS)
        && contents.get(0x10..0x12) == Some(&RELOCATABLE)
        && contents.get(0x12..0x14) == Some(&architecture.elf_machine.to_le_bytes());
    let built_for = is_module.then(|| built_for(contents)).flatten();
    match built_for.as_deref() {
        None => Err(format!("it is not a kernel module for {architecture}; name a file NAME.ko")),
        Some(other) if !release.is_empty() && other != release => Err(format!(
            "it was built for Linux {other}, but this kernel is {release}: name the module that \
             was built with it"
        )),
        Some(_) => Ok(()),
    }
}

/// Returns the release for which a module was built, according to the module.
fn built_for(contents: &[u8]) -> Option<String> {
    let at = contents.windows(BUILT_FOR.len()).position(|bytes| bytes == BUILT_FOR)?;
    let release = contents[at + BUILT_FOR.len()..].split(|byte| matches!(byte, b' ' | 0));
    Some(String::from_utf8_lossy(release.into_iter().next()?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_modules_are_read_or_refused() {
        let seed = testing::kernel_module("6.1.0-9-rt-amd64");
        let [x86, arm] = ["amd64", "arm64"].map(|name| name.parse().unwrap());
        assert_eq!(check(&seed, x86, ""), Ok(()));
        assert!(check(&seed, arm, "").unwrap_err().contains("for 64-bit Arm"));
        testing::try_corpus(&[seed], 2_000, |input| {
            let fits = ["", "6.1.0-9-rt-amd64"].map(|release| check(input, x86, release).is_ok());
            assert!(fits[0] || !fits[1]);
        });
    }
}
