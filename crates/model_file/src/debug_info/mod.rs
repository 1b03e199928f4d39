//! Types of variables and functions, from the debug information of a library: DWARF 2 to 5.

mod separate;
mod types;
mod units;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use flate2::read::ZlibDecoder;
use gimli::constants as dw;
use gimli::{AttributeValue, DwarfSections, EndianSlice, RunTimeEndian, Unit};
use object::{CompressedData, CompressionFormat, File, Object, ObjectSection};

use self::types::{address_of, type_of};
use self::units::{Slice, Units};

pub(crate) use self::types::{DataType, POINTER};

/// What the debug information says; empty without any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DebugInfo {
    /// The types of variables, by their addresses before the file is loaded.
    variables: BTreeMap<u64, DataType>,
    /// Functions, by the same addresses.
    functions: BTreeMap<u64, Signature>,
    /// The name of another file that has them, and why it was not read.
    elsewhere: Option<String>,
}

/// How a function is called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Signature {
    pub(crate) arguments: Vec<DataType>,
    /// `None` if it returns nothing.
    pub(crate) result: Option<DataType>,
}

/// The largest section that is uncompressed, in bytes.
const MOST_BYTES: u64 = 1 << 30;

impl DebugInfo {
    /// Reads what a library has, also if it is compressed, or else the separate file that belongs to
    /// it: where debuggers look, next to the library or below `root`. Information that is broken
    /// counts as absent.
    pub(crate) fn of(path: &Path, bytes: &[u8], root: &Path) -> Self {
        let Ok(file) = File::parse(bytes) else {
            return Self::default();
        };
        let own = read(&file).unwrap_or_default();
        if !own.variables.is_empty() || own.elsewhere.is_some() {
            return own;
        }
        match separate::find(&file, path, root) {
            Some(Ok(bytes)) => {
                File::parse(&*bytes).ok().and_then(|file| read(&file)).unwrap_or(own)
            }
            Some(Err(elsewhere)) => Self { elsewhere: Some(elsewhere), ..own },
            None => own,
        }
    }

    pub(crate) fn variable(&self, address: u64) -> Option<DataType> {
        self.variables.get(&address).copied()
    }

    /// Returns the name of the file with the debug information, if it is another one that was not
    /// read, and why not.
    pub(crate) fn elsewhere(&self) -> Option<&str> {
        self.elsewhere.as_deref().filter(|_| self.variables.is_empty())
    }

    pub(crate) fn function(&self, address: u64) -> Option<&Signature> {
        self.functions.get(&address)
    }

    fn add_unit<'b>(&mut self, units: &Units<'b>, unit: &Rc<Unit<Slice<'b>>>) -> gimli::Result<()> {
        let mut entries = unit.entries();
        // The function whose arguments follow, and how deep it is.
        let mut open: Option<(u64, isize)> = None;
        while let Some(entry) = entries.next_dfs()? {
            match entry.tag() {
                dw::DW_TAG_variable => {
                    if let Some(address) = address_of(units.dwarf, unit, entry) {
                        let found = type_of(units, unit, entry);
                        self.variables.extend(found.map(|found| (address, found)));
                    }
                }
                dw::DW_TAG_subprogram => {
                    let start = entry.attr_value(dw::DW_AT_low_pc);
                    let start =
                        start.and_then(|value| units.dwarf.attr_address(unit, value).ok()?);
                    open = start.map(|address| (address, entry.depth()));
                    let result = type_of(units, unit, entry);
                    let signature = Signature { arguments: Vec::new(), result };
                    self.functions.extend(start.map(|address| (address, signature)));
                }
                dw::DW_TAG_formal_parameter => {
                    let of = open.filter(|(_, depth)| entry.depth() == depth + 1);
                    let function = of.and_then(|(address, _)| self.functions.get_mut(&address));
                    if let Some(function) = function {
                        let kind = type_of(units, unit, entry);
                        function.arguments.push(kind.unwrap_or(DataType::Other("an argument")));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn read(file: &File) -> Option<DebugInfo> {
    let endian = match file.is_little_endian() {
        true => RunTimeEndian::Little,
        false => RunTimeEndian::Big,
    };
    let section = |id: gimli::SectionId| {
        let name = id.name();
        // The older way to compress has other names.
        let older = || file.section_by_name(&name.replacen(".debug_", ".zdebug_", 1));
        let section = file.section_by_name(name).or_else(older);
        let data = section.and_then(|section| uncompressed(section.compressed_data().ok()?));
        Ok::<_, gimli::Error>(data.unwrap_or_default())
    };
    let sections = DwarfSections::load(section).ok()?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let units = Units::read(&dwarf).ok()?;
    let mut info = DebugInfo::default();
    for unit in units.all() {
        let unit = unit.ok()?;
        info.add_unit(&units, &unit).ok()?;
        if let Some(name) = unit.dwo_name().ok()? {
            info.elsewhere = Some(split_off(&units, &unit, name).unwrap_or_default());
        }
    }
    Some(info)
}

/// Says that a compiler wrote the types to a separate file (`-gsplit-dwarf`), which is not read.
fn split_off<'b>(
    units: &Units<'b>,
    unit: &Unit<Slice<'b>>,
    name: AttributeValue<Slice<'b>>,
) -> Option<String> {
    let name = units.dwarf.attr_string(unit, name).ok()?;
    Some(format!("{}, which is not read: compile without -gsplit-dwarf", name.to_string_lossy()))
}

/// Returns the bytes of a section; `None` if they are broken or compressed in an unknown way.
fn uncompressed(section: CompressedData<'_>) -> Option<Cow<'_, [u8]>> {
    let size = section.uncompressed_size;
    let mut bytes = Vec::new();
    let read = |from: &mut dyn Read, bytes: &mut Vec<u8>| from.take(size).read_to_end(bytes).ok();
    match section.format {
        CompressionFormat::None => return Some(section.data.into()),
        _ if size > MOST_BYTES => return None,
        CompressionFormat::Zlib => read(&mut ZlibDecoder::new(section.data), &mut bytes)?,
        CompressionFormat::Zstandard => {
            read(&mut zstd::Decoder::with_buffer(section.data).ok()?, &mut bytes)?
        }
        _ => return None,
    };
    (bytes.len() as u64 == size).then_some(bytes.into())
}
