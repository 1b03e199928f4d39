//! Names of functions in a file of machine code: exported functions, and internal ones if the file
//! is not stripped.

use std::path::Path;

use object::{File, Object, ObjectSegment, ObjectSymbol, SymbolKind};

/// The largest file that is read.
const MOST_BYTES: u64 = 512 << 20;

/// Segments and functions of a file of machine code.
#[derive(Debug, Default)]
pub(crate) struct Elf {
    segments: Vec<Segment>,
    /// Start, end and name of each function, sorted.
    functions: Vec<(u64, u64, String)>,
}

/// A segment that is loaded.
#[derive(Debug)]
struct Segment {
    offset: u64,
    bytes: u64,
    address: u64,
}

impl Elf {
    /// Reads a file; the result is empty if the file is not ELF or cannot be read.
    pub(crate) fn of(path: &Path) -> Self {
        let bytes = rt::read::bounded(path, MOST_BYTES).unwrap_or_default();
        Self::parsed(&bytes).unwrap_or_default()
    }

    fn parsed(bytes: &[u8]) -> Option<Self> {
        let file = File::parse(bytes).ok()?;
        let segments = file.segments().map(|segment| {
            let (offset, bytes) = segment.file_range();
            Segment { offset, bytes, address: segment.address() }
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
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let mut segments = self.segments.iter();
        segments.find_map(|segment| {
            let distance = offset.checked_sub(segment.offset)?;
            (distance < segment.bytes).then(|| segment.address.wrapping_add(distance))
        })
    }

    /// Returns the function that contains the code at this address, with the distance from its
    /// start.
    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
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
        let segment = &elf.segments[1];
        assert_eq!(elf.address_of(segment.offset + 4), Some(segment.address + 4));
    }

    #[test]
    fn a_broken_file_gives_less() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for length in [0, 3, 64, 1000, 100_000] {
            let elf = Elf::parsed(&program[..length]).unwrap_or_default();
            assert_eq!((elf.function_at(8), elf.address_of(u64::MAX)), (None, None));
        }
    }
}
