//! Names of functions in a file of machine code, those that it exports and those that it keeps to
//! itself where it was not stripped: ELF of 64 bits, little-endian (System V ABI, chapters 4, 5).

use std::path::Path;

/// The largest file that is looked into.
const MOST_BYTES: u64 = 512 << 20;
const SYMBOL: usize = 24;
const SECTION: usize = 64;
const SEGMENT: usize = 56;
const SHT_SYMTAB: u64 = 2;
const SHT_DYNSYM: u64 = 11;
const STT_FUNC: u8 = 2;

/// What a file of machine code tells of itself.
#[derive(Debug, Default)]
pub(crate) struct Elf {
    /// Where in the file, at which address, how long.
    segments: Vec<[u64; 3]>,
    /// Where each function begins and ends, in order, and its name.
    functions: Vec<(u64, u64, String)>,
}

impl Elf {
    /// What a file tells; nothing where it is none or cannot be read.
    pub(crate) fn of(path: &Path) -> Self {
        let bytes = rt::read::bounded(path, MOST_BYTES).unwrap_or_default();
        match bytes.starts_with(b"\x7fELF\x02\x01") {
            true => Self::parsed(Bytes(&bytes)).unwrap_or_default(),
            false => Self::default(),
        }
    }

    fn parsed(file: Bytes) -> Option<Self> {
        let segments = file.table(file.word(0x20)?, file.half(0x38)?, SEGMENT);
        let loaded = segments.filter(|at| file.int(*at) == Some(1));
        let segments = loaded.filter_map(|at| Some([file.word(at + 8)?, file.word(at + 16)?, file.word(at + 32)?]));
        let segments = segments.collect();
        let mut functions: Vec<_> = file.functions()?.collect();
        functions.sort_unstable();
        Some(Self { segments, functions })
    }

    /// The address that the byte at this place of the file is loaded at, before it is moved.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let mut segments = self.segments.iter();
        let [start, address, _] = segments.find(|[start, _, bytes]| (*start..start.saturating_add(*bytes)).contains(&offset))?;
        Some(address + (offset - start))
    }

    /// The function that the code at this address belongs to, with the distance from its start.
    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
        let behind = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, end, name) = self.functions[..behind].last()?;
        (address < *end).then(|| match address - start {
            0 => name.clone(),
            distance => format!("{name}+{distance}"),
        })
    }
}

#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn at<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn half(self, at: usize) -> Option<u64> {
        self.at(at).map(u16::from_le_bytes).map(u64::from)
    }

    fn int(self, at: usize) -> Option<u64> {
        self.at(at).map(u32::from_le_bytes).map(u64::from)
    }

    fn word(self, at: usize) -> Option<u64> {
        self.at(at).map(u64::from_le_bytes)
    }

    /// The places of so many entries of that size, as far as the file goes.
    fn table(self, start: u64, count: u64, size: usize) -> impl Iterator<Item = usize> + use<'a> {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let end = self.0.len().saturating_sub(size - 1);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        (start..end.max(start)).step_by(size).take(count)
    }

    /// Start, end and name of all functions of all tables of symbols.
    fn functions(self) -> Option<impl Iterator<Item = (u64, u64, String)> + use<'a>> {
        let sections = self.word(0x28)?;
        let all = self.table(sections, self.half(0x3c)?, SECTION);
        let symbols = all.filter(move |at| matches!(self.int(at + 4), Some(SHT_SYMTAB | SHT_DYNSYM)));
        Some(symbols.flat_map(move |at| self.functions_of(sections, at).into_iter().flatten()))
    }

    fn functions_of(self, sections: u64, table: usize) -> Option<impl Iterator<Item = (u64, u64, String)> + use<'a>> {
        let (start, bytes) = (self.word(table + 0x18)?, self.word(table + 0x20)?);
        let names = sections.checked_add(self.int(table + 0x28)?.checked_mul(SECTION as u64)?)?;
        let names = self.word(usize::try_from(names).ok()?.checked_add(0x18)?)?;
        let all = self.table(start, bytes / SYMBOL as u64, SYMBOL);
        Some(all.filter_map(move |at| {
            let [kind] = self.at(at + 4)?;
            let (address, bytes) = (self.word(at + 8)?, self.word(at + 16)?);
            let is_there = kind & 15 == STT_FUNC && self.half(at + 6)? != 0;
            let name = names.checked_add(self.int(at)?)?;
            let name = is_there.then(|| self.text(name))??;
            Some((address, address.checked_add(bytes.max(1))?, name))
        }))
    }

    fn text(self, at: u64) -> Option<String> {
        let rest = self.0.get(usize::try_from(at).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(&rest[..end]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_this_program_is_found_by_its_address() {
        let program = std::env::current_exe().unwrap();
        let elf = Elf::of(&program);
        let (start, end, name) = elf.functions.iter().find(|(.., name)| name == "main").unwrap();
        assert_eq!(elf.function_at(*start), Some(name.clone()));
        assert_eq!(elf.function_at(start + 1), Some("main+1".to_owned()));
        assert_ne!(elf.function_at(*end).as_deref(), Some("main"));
        let [offset, address, _] = elf.segments[1];
        assert_eq!(elf.address_of(offset + 4), Some(address + 4));
    }

    /// Nothing that a file holds can be more than not told: every byte of the tables once wrong.
    #[test]
    fn a_broken_file_tells_less() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken");
        std::fs::write(&path, "\x7fELF\x02\x01 and nothing of it").unwrap();
        assert!(Elf::of(&path).functions.is_empty());
        let mut file = vec![0u8; 4096];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        for seed in 0..2000u64 {
            for at in 0x20..0x200 {
                let random = (seed * 512 + at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                file[at] = if random >> 62 == 0 { (random >> 32) as u8 } else { 0 };
            }
            // A section that is a table of symbols, somewhere in the file.
            file[0x28..0x30].copy_from_slice(&0x100u64.to_le_bytes());
            file[0x104] = 2;
            let elf = Elf::parsed(Bytes(&file)).unwrap_or_default();
            let _ = (elf.function_at(seed), elf.address_of(seed));
        }
    }
}
