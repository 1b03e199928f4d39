//! Places in code by name: files and offsets in them become functions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use plan::CodePlace;

use crate::elf::Elf;
use crate::maps::Code;

/// The files that were looked into so far.
#[derive(Debug, Default)]
pub(crate) struct Places(HashMap<PathBuf, Elf>);

impl Places {
    fn elf(&mut self, file: &Path) -> &Elf {
        self.0.entry(file.to_owned()).or_insert_with(|| Elf::of(file))
    }

    /// The place of an address in the memory that holds this code.
    pub(crate) fn of_address(&mut self, address: u64, all: &[Code]) -> Option<CodePlace> {
        let code = all.iter().find(|code| code.addresses.contains(&address))?;
        let offset = address - code.addresses.start + code.offset;
        let elf = self.elf(&code.file);
        Some(Self::named(&code.file, elf.address_of(offset).unwrap_or(offset), elf))
    }

    /// Names the function of a place where its file tells.
    pub(crate) fn name(&mut self, place: &mut CodePlace) {
        let file = PathBuf::from(&place.library);
        *place = Self::named(&file, place.offset, self.elf(&file));
    }

    fn named(file: &Path, offset: u64, elf: &Elf) -> CodePlace {
        CodePlace {
            library: file.display().to_string(),
            offset,
            symbol: elf.function_at(offset),
        }
    }
}
