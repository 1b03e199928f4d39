//! What the file of a program or library contains: elf(5).

use std::env::consts::ARCH;

use object::elf::{
    DF_1_PIE, FileHeader32, FileHeader64, Machine, PF_W, PT_GNU_RELRO, PT_INTERP, PT_LOAD,
    STT_FUNC, STT_GNU_IFUNC, STT_OBJECT, SymbolType,
};
use object::elf::{DT_FLAGS_1, EM_386, EM_AARCH64, EM_ARM, EM_RISCV, EM_X86_64, ET_EXEC};
use object::read::elf::{Dyn, DynamicTable, ElfFile, FileHeader, ProgramHeader, Sym};
use object::{Endianness, Object};

/// Number of bytes of a file that [`misfit`] reads.
pub(crate) const HEAD: u64 = 64;
const MAGIC: &[u8] = b"\x7fELF";

/// Machines by their number in the file, with the names of `uname -m` and Rust.
const MACHINES: [(Machine, &str); 5] = [
    (EM_X86_64, "x86_64"),
    (EM_AARCH64, "aarch64"),
    (EM_386, "i686"),
    (EM_ARM, "arm"),
    (EM_RISCV, "riscv64"),
];

/// Properties of a program or a shared library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elf {
    /// The name that `uname -m` prints, or a number for a rare machine.
    pub machine: String,
    /// 32 or 64.
    pub bits: u32,
    /// Whether it is a program that can be executed, rather than a library.
    pub is_program: bool,
    /// The loader of shared libraries that it requests.
    pub interpreter: Option<String>,
    /// Names of the libraries that it needs (`DT_NEEDED`), in their order.
    pub needed: Vec<String>,
    /// The functions that it exports, in the alphabetical order of their names.
    pub functions: Vec<Symbol>,
    /// The variables that it exports and that can be written, in the same order.
    pub variables: Vec<Symbol>,
}

/// What a file exports under a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    pub name: String,
    /// Its address before the file is loaded.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Elf {
    /// Reads a file; `None` if it is not an ELF file, or a broken one.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        match bytes.get(4)? {
            1 => read::<FileHeader32<Endianness>>(bytes, 32),
            _ => read::<FileHeader64<Endianness>>(bytes, 64),
        }
    }

    /// Whether it needs only the kernel.
    pub fn is_static(&self) -> bool {
        self.interpreter.is_none() && self.needed.is_empty()
    }

    /// Whether this machine can load it.
    pub fn fits(&self) -> bool {
        self.machine == ARCH && self.bits == usize::BITS
    }
}

fn read<Header: FileHeader<Endian = Endianness>>(bytes: &[u8], bits: u32) -> Option<Elf> {
    let file = ElfFile::<Header>::parse(bytes).ok()?;
    let endian = file.endian();
    let header = file.elf_header();
    let segments = file.elf_program_headers().iter();
    let mut interpreters = segments.filter_map(|segment| {
        let path = (segment.p_type(endian) == PT_INTERP).then(|| segment.data(endian, bytes))?;
        Some(text(path.ok()?))
    });
    let (needed, is_pie) = dynamic(&file);
    let mut functions = exported(&file, &[STT_FUNC, STT_GNU_IFUNC]);
    functions.dedup_by(|one, other| one.name == other.name);
    let mut variables = exported(&file, &[STT_OBJECT]);
    variables.retain(|variable| is_writable(&file, variable.address));
    Some(Elf {
        machine: machine(header.e_machine(endian)),
        bits,
        is_program: header.e_type(endian) == ET_EXEC || is_pie,
        interpreter: interpreters.next(),
        needed,
        functions,
        variables,
    })
}

/// Returns the libraries that a file needs, and whether it is a position-independent program.
fn dynamic<Header: FileHeader<Endian = Endianness>>(file: &ElfFile<Header>) -> (Vec<String>, bool) {
    let libraries = file.import_libraries().into_iter().flatten();
    let needed = libraries.flatten().map(|library| text(library.name()));
    let table = file.elf_dynamic_table();
    let mut flags = table.iter().flat_map(DynamicTable::dynamics);
    let is_pie = flags.any(|entry| {
        let endian = file.endian();
        entry.tag(endian) == DT_FLAGS_1 && entry.val(endian) & DF_1_PIE.0 != 0
    });
    (needed.collect(), is_pie)
}

/// What a file exports of these types, in alphabetical order.
fn exported<Header: FileHeader<Endian = Endianness>>(
    file: &ElfFile<Header>,
    types: &[SymbolType],
) -> Vec<Symbol> {
    let endian = file.endian();
    let table = file.elf_dynamic_symbol_table();
    let symbols = table.iter().filter(|symbol| {
        let is_own = !symbol.is_undefined(endian) && !symbol.is_local();
        is_own && types.contains(&symbol.st_type())
    });
    let named = symbols.filter_map(|symbol| {
        let name = text(table.symbol_name(endian, symbol).ok()?);
        (!name.is_empty()).then(|| Symbol {
            name,
            address: symbol.st_value(endian).into(),
            bytes: symbol.st_size(endian).into(),
        })
    });
    let mut all: Vec<Symbol> = named.collect();
    all.sort_unstable();
    all
}

/// Whether a program may write at an address: constants are in segments that are loaded read-only,
/// or protected after they have been relocated.
fn is_writable<Header: FileHeader<Endian = Endianness>>(
    file: &ElfFile<Header>,
    address: u64,
) -> bool {
    let endian = file.endian();
    let mut holding = file.elf_program_headers().iter().filter(|segment| {
        let (start, length): (u64, u64) =
            (segment.p_vaddr(endian).into(), segment.p_memsz(endian).into());
        address.checked_sub(start).is_some_and(|offset| offset < length)
    });
    holding.all(|segment| {
        let kind = segment.p_type(endian);
        let is_loaded_to_read = kind == PT_LOAD && segment.p_flags(endian).0 & PF_W.0 == 0;
        kind != PT_GNU_RELRO && !is_loaded_to_read
    })
}

fn machine(number: Machine) -> String {
    let known = MACHINES.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("machine {}", number.0), |(_, name)| (*name).to_owned())
}

/// Decodes bytes up to the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0);
    String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]).into_owned()
}

/// Returns why a file with this beginning cannot be loaded by a machine of an architecture of 64
/// bits, to follow the file's name; `None` if it can.
pub(crate) fn misfit(head: &[u8], arch: &str) -> Option<String> {
    if !head.starts_with(MAGIC) {
        let kind = match head {
            [b'M', b'Z', ..] => "a Windows library",
            [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => "a macOS library",
            _ => "not an ELF file",
        };
        return Some(format!("is not a Linux shared library: it is {kind}"));
    }
    let bits = if head.get(4) == Some(&1) { 32 } else { 64 };
    let number = u16::from_le_bytes([*head.get(18)?, *head.get(19)?]);
    let machine = machine(Machine(number));
    let fits = machine == arch && bits == usize::BITS;
    let whose = if arch == ARCH { "this" } else { "that" };
    (!fits).then(|| format!("is for {machine} ({bits} bits), but {whose} machine is {arch}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::process::{THIS_PROGRAM, libraries};

    fn this_program() -> Vec<u8> {
        std::fs::read(THIS_PROGRAM).unwrap()
    }

    #[test]
    fn this_program_is_recognised_with_what_it_needs() {
        let elf = Elf::read(&this_program()).unwrap();
        assert!(elf.fits() && elf.is_program);
        assert_eq!(elf.is_static(), libraries().is_empty());
        let loaded = libraries();
        for name in &elf.needed {
            let is_loaded = loaded.iter().any(|path| path.ends_with(name));
            assert!(is_loaded, "{name}: {loaded:?}");
        }
    }

    #[test]
    fn a_program_for_another_machine_is_recognised() {
        let mut file = this_program();
        assert_eq!(misfit(&file, ARCH), None);
        for (number, machine) in MACHINES {
            file[18..20].copy_from_slice(&number.0.to_le_bytes());
            let elf = Elf::read(&file).unwrap();
            assert_eq!((&*elf.machine, elf.fits()), (machine, machine == ARCH));
            assert_eq!(misfit(&file, ARCH).is_none(), machine == ARCH);
            assert_eq!(misfit(&file, "aarch64").is_none(), machine == "aarch64");
        }
    }

    #[test]
    fn other_and_truncated_files_are_refused_without_a_panic() {
        let file = this_program();
        assert_eq!(Elf::read(b"#!/bin/sh\n"), None);
        for length in 0..64 {
            assert_eq!(Elf::read(&file[..length]), None, "{length}");
        }
        for (place, byte) in (0..4096).flat_map(|place| [(place, 0), (place, 0xff)]) {
            let mut odd = file[..1 << 14].to_vec();
            odd[place] = byte;
            assert!(Elf::read(&odd).is_none_or(|elf| elf.bits > 0));
            assert!(misfit(&odd, ARCH).is_none_or(|why| why.starts_with("is ")));
        }
    }
}
