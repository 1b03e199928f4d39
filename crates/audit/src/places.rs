//! Places in code by name: resolves files and offsets to functions, those that a file exports, and
//! internal ones if it is not stripped.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use object::{File, Object, ObjectSegment, ObjectSymbol, SymbolKind};
use record::CodePlace;

use crate::maps::Code;

/// The files that were read so far.
#[derive(Default)]
pub(crate) struct Places(HashMap<PathBuf, Elf>);

impl Places {
    fn elf(&mut self, file: &Path) -> &Elf {
        self.0.entry(file.to_owned()).or_insert_with(|| Elf::of(file))
    }

    /// Returns the place of an address in the memory that has this code.
    pub(crate) fn of_address(&mut self, address: u64, all: &[Code]) -> Option<CodePlace> {
        let code = all.iter().find(|code| code.addresses.contains(&address))?;
        let offset = address - code.addresses.start + code.offset;
        let elf = self.elf(&code.file);
        let offset = elf.address_of(offset).unwrap_or(offset);
        Some(CodePlace {
            library: code.file.display().to_string(),
            offset,
            symbol: elf.function_at(offset),
        })
    }

    /// Names the function of a place, if the place's file has a better name.
    pub(crate) fn name(&mut self, place: &mut CodePlace) {
        let elf = self.elf(Path::new(&place.library));
        if let Some(symbol) = elf.function_at(place.offset) {
            place.symbol = Some(symbol);
        }
    }
}

/// The largest file that is read.
const MOST_BYTES: u64 = 512 << 20;

#[derive(Default)]
struct Elf {
    /// Offset in the file, bytes and address of each segment.
    segments: Vec<(u64, u64, u64)>,
    /// Start, end and name of each function, sorted.
    functions: Vec<(u64, u64, String)>,
}

impl Elf {
    /// Reads a file; the result is empty if the file is not ELF or cannot be read.
    fn of(path: &Path) -> Self {
        let bytes = rt::read::bounded(path, MOST_BYTES).unwrap_or_default();
        Self::parsed(&bytes).unwrap_or_default()
    }

    fn parsed(bytes: &[u8]) -> Option<Self> {
        let file = File::parse(bytes).ok()?;
        let segments = file.segments().map(|segment| {
            let (offset, bytes) = segment.file_range();
            (offset, bytes, segment.address())
        });
        let symbols = file.symbols().chain(file.dynamic_symbols());
        let functions =
            symbols.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
        let named = functions.filter_map(|symbol| {
            let end = symbol.address().checked_add(symbol.size().max(1))?;
            Some((symbol.address(), end, symbol.name().ok()?.to_owned()))
        });
        let mut functions: Vec<_> = named.collect();
        functions.sort_unstable();
        Some(Self { segments: segments.collect(), functions })
    }

    /// Returns the address at which the byte at this file offset is loaded, before relocation.
    fn address_of(&self, offset: u64) -> Option<u64> {
        let mut segments = self.segments.iter();
        segments.find_map(|(start, bytes, address)| {
            let distance = offset.checked_sub(*start)?;
            (distance < *bytes).then(|| address.wrapping_add(distance))
        })
    }

    /// Returns the function that contains the code at this address, with the distance from its
    /// start.
    fn function_at(&self, address: u64) -> Option<String> {
        let behind = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, end, name) = self.functions[..behind].last()?;
        (address < *end).then(|| match address - start {
            0 => name.clone(),
            distance => format!("{name}+{distance}"),
        })
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
        let (offset, _, address) = elf.segments[1];
        assert_eq!(elf.address_of(offset + 4), Some(address + 4));
    }

    #[test]
    fn a_broken_file_gives_less() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for length in [0, 3, 64, 1000, 100_000] {
            let elf = Elf::parsed(&program[..length]).unwrap_or_default();
            assert_eq!((elf.function_at(8), elf.address_of(u64::MAX)), (None, None));
        }
    }

    #[test]
    fn odd_programs_are_read_or_refused() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        testing::try_corpus(&[&program[..4096]], 1_000, |input| {
            let elf = Elf::parsed(input).unwrap_or_default();
            let _ = (elf.function_at(4096), elf.address_of(4096));
        });
    }
}
