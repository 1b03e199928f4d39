//! What the head of a program's file tells: elf(5), for 64 bits and little endian.

/// Architectures by their number in the file, as `uname -m` and Rust name them.
const ARCHITECTURES: [(u16, &str); 2] = [(62, "x86_64"), (183, "aarch64")];
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
/// Kind of the entry that names the loader of shared libraries.
const INTERPRETER: u32 = 3;

/// A program's file in a few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Elf {
    pub(super) architecture: &'static str,
    /// It needs nothing but the kernel.
    pub(super) is_static: bool,
}

impl Elf {
    /// Reads the head of a file; `None` where it is no program for a known architecture.
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        file.starts_with(MAGIC).then_some(())?;
        let number = u16::from_le_bytes(field(file, 18)?);
        let (_, architecture) = ARCHITECTURES.iter().find(|(known, _)| *known == number)?;
        let table = usize::try_from(u64::from_le_bytes(field(file, 32)?)).ok()?;
        let size = usize::from(u16::from_le_bytes(field(file, 54)?));
        let entries = usize::from(u16::from_le_bytes(field(file, 56)?));
        let kind = |entry: usize| {
            let at = table.checked_add(entry.checked_mul(size)?)?;
            Some(u32::from_le_bytes(field(file, at)?))
        };
        Some(Self {
            architecture,
            is_static: !(0..entries).any(|entry| kind(entry) == Some(INTERPRETER)),
        })
    }
}

fn field<const N: usize>(file: &[u8], at: usize) -> Option<[u8; N]> {
    file.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::process::{THIS_PROGRAM, libraries};

    #[test]
    fn this_program_is_recognised() {
        let elf = Elf::read(&std::fs::read(THIS_PROGRAM).unwrap()).unwrap();
        assert_eq!(elf.architecture, std::env::consts::ARCH);
        assert_eq!(elf.is_static, libraries().is_empty());
    }

    #[test]
    fn a_program_for_another_machine_is_told_from_this_one() {
        let mut file = std::fs::read(THIS_PROGRAM).unwrap();
        for (number, architecture) in ARCHITECTURES {
            file[18..20].copy_from_slice(&number.to_le_bytes());
            assert_eq!(Elf::read(&file).unwrap().architecture, architecture);
        }
        file[18..20].copy_from_slice(&0u16.to_le_bytes());
        assert_eq!(Elf::read(&file), None);
    }

    #[test]
    fn what_is_no_program_or_cut_off_is_refused_without_a_panic() {
        let file = std::fs::read(THIS_PROGRAM).unwrap();
        assert_eq!(Elf::read(b"#!/bin/sh\n"), None);
        for length in 0..58 {
            assert_eq!(Elf::read(&file[..length]), None, "{length}");
        }
        let mut far = file[..64].to_vec();
        far[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Elf::read(&far).is_some_and(|elf| elf.is_static));
    }
}
