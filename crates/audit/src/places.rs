//! Places in code by name: resolves files and offsets to functions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use plan::CodePlace;

use crate::elf::Elf;
use crate::maps::Code;

/// The files that were read so far.
#[derive(Debug, Default)]
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
