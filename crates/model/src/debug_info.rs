//! Types of variables and functions, from the debug information of a library: DWARF 2 to 5.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::ZlibDecoder;
use gimli::constants::{self as dw, DwAt, DwTag};
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, DwarfSections, EndianSlice, Operation,
    RunTimeEndian, Unit,
};
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{CompressedData, CompressionFormat, Endianness, Object, ObjectSection};

use crate::scalar::Scalar;

/// What the debug information says; empty if there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DebugInfo {
    /// The types of variables, by their addresses before the file is loaded.
    variables: BTreeMap<u64, DataType>,
    /// Functions, by the same addresses.
    functions: BTreeMap<u64, Signature>,
    /// The name of the file that has them, if it is another one.
    elsewhere: Option<String>,
}

/// The type of a variable, of an argument or of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataType {
    Number(Scalar),
    /// Anything else, by what it is, such as `an array`.
    Other(&'static str),
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

pub(crate) const POINTER: DataType = DataType::Other("a pointer");

type Slice<'b> = EndianSlice<'b, RunTimeEndian>;
type Entry<'b> = DebuggingInformationEntry<Slice<'b>>;

impl DebugInfo {
    /// Reads what a file has, also if it is compressed. Information that is broken counts as absent.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        match bytes.get(4) {
            Some(1) => read::<FileHeader32<Endianness>>(bytes),
            _ => read::<FileHeader64<Endianness>>(bytes),
        }
        .unwrap_or_default()
    }

    pub(crate) fn variable(&self, address: u64) -> Option<DataType> {
        self.variables.get(&address).copied()
    }

    /// Returns the name of the file with the debug information, if it is another one, which is not
    /// read.
    pub(crate) fn elsewhere(&self) -> Option<&str> {
        self.elsewhere.as_deref().filter(|_| self.variables.is_empty())
    }

    pub(crate) fn function(&self, address: u64) -> Option<&Signature> {
        self.functions.get(&address)
    }

    fn add_unit<'b>(
        &mut self,
        dwarf: &Dwarf<Slice<'b>>,
        unit: &Unit<Slice<'b>>,
    ) -> gimli::Result<()> {
        let mut entries = unit.entries();
        // The function whose arguments follow, and how deep it is.
        let mut open: Option<(u64, isize)> = None;
        while let Some(entry) = entries.next_dfs()? {
            match entry.tag() {
                dw::DW_TAG_variable => {
                    if let Some(address) = address_of(dwarf, unit, entry) {
                        self.variables.extend(type_of(unit, entry).map(|found| (address, found)));
                    }
                }
                dw::DW_TAG_subprogram => {
                    let start = entry.attr_value(dw::DW_AT_low_pc);
                    let start = start.and_then(|value| dwarf.attr_address(unit, value).ok()?);
                    open = start.map(|address| (address, entry.depth()));
                    let result = type_of(unit, entry);
                    let signature = Signature { arguments: Vec::new(), result };
                    self.functions.extend(start.map(|address| (address, signature)));
                }
                dw::DW_TAG_formal_parameter => {
                    let of = open.filter(|(_, depth)| entry.depth() == depth + 1);
                    let function = of.and_then(|(address, _)| self.functions.get_mut(&address));
                    if let Some(function) = function {
                        let kind = type_of(unit, entry);
                        function.arguments.push(kind.unwrap_or(DataType::Other("an argument")));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn read<Header: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Option<DebugInfo> {
    let file = ElfFile::<Header>::parse(bytes).ok()?;
    let endian = match file.is_little_endian() {
        true => RunTimeEndian::Little,
        false => RunTimeEndian::Big,
    };
    let section = |id: gimli::SectionId| {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|section| uncompressed(section.compressed_data().ok()?));
        Ok::<_, gimli::Error>(data.unwrap_or_default())
    };
    let sections = DwarfSections::load(section).ok()?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let link = file.gnu_debuglink().ok().flatten();
    let elsewhere = link.map(|(name, _)| String::from_utf8_lossy(name).into_owned());
    let (mut info, mut units) = (DebugInfo { elsewhere, ..DebugInfo::default() }, dwarf.units());
    while let Some(header) = units.next().ok()? {
        let unit = dwarf.unit(header).ok()?;
        info.add_unit(&dwarf, &unit).ok()?;
    }
    Some(info)
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

/// Returns the fixed address of a variable.
fn address_of<'b>(
    dwarf: &Dwarf<Slice<'b>>,
    unit: &Unit<Slice<'b>>,
    entry: &Entry<'b>,
) -> Option<u64> {
    let location = entry.attr_value(dw::DW_AT_location)?.exprloc_value()?;
    let mut operations = location.operations(unit.encoding());
    let address = match operations.next().ok()?? {
        Operation::Address { address } => address,
        Operation::AddressIndex { index } => dwarf.address(unit, index).ok()?,
        _ => return None,
    };
    // Anything more is computed from it.
    operations.next().ok()?.is_none().then_some(address)
}

/// How many types may stand for each other, such as names of names.
const MOST_NAMES: usize = 32;

fn type_of<'b>(unit: &Unit<Slice<'b>>, entry: &Entry<'b>) -> Option<DataType> {
    let declaration = [dw::DW_AT_specification, dw::DW_AT_abstract_origin];
    let declared = || declaration.iter().find_map(|by| referred(unit, entry, *by));
    let mut kind = referred(unit, entry, dw::DW_AT_type)
        .or_else(|| referred(unit, &declared()?, dw::DW_AT_type))?;
    for _ in 0..MOST_NAMES {
        let base = || referred(unit, &kind, dw::DW_AT_type);
        kind = match kind.tag() {
            dw::DW_TAG_typedef
            | dw::DW_TAG_const_type
            | dw::DW_TAG_volatile_type
            | dw::DW_TAG_atomic_type
            | dw::DW_TAG_restrict_type => base()?,
            dw::DW_TAG_enumeration_type => match base() {
                Some(base) => base,
                None => return Some(number(&kind, true)),
            },
            dw::DW_TAG_base_type => return Some(of_base(&kind)),
            tag => return Some(DataType::Other(other(tag))),
        };
    }
    None
}

fn referred<'b>(unit: &Unit<Slice<'b>>, entry: &Entry<'b>, by: DwAt) -> Option<Entry<'b>> {
    match entry.attr_value(by)? {
        AttributeValue::UnitRef(offset) => unit.entry(offset).ok(),
        _ => None,
    }
}

fn size(entry: &Entry) -> u64 {
    let size = entry.attr_value(dw::DW_AT_byte_size);
    size.and_then(|value| value.udata_value()).unwrap_or(0)
}

fn number(entry: &Entry, is_signed: bool) -> DataType {
    let kind = Scalar::integer(size(entry), is_signed);
    kind.map_or(DataType::Other("an integer of another size"), DataType::Number)
}

fn of_base(entry: &Entry) -> DataType {
    let Some(AttributeValue::Encoding(encoding)) = entry.attr_value(dw::DW_AT_encoding) else {
        return DataType::Other("of an unknown type");
    };
    match (encoding, size(entry)) {
        (dw::DW_ATE_float, 8) => DataType::Number(Scalar::Double),
        (dw::DW_ATE_float, 4) => DataType::Number(Scalar::Float),
        (dw::DW_ATE_boolean, 1) => DataType::Number(Scalar::Bool),
        (dw::DW_ATE_signed | dw::DW_ATE_signed_char | dw::DW_ATE_boolean, _) => number(entry, true),
        (dw::DW_ATE_unsigned | dw::DW_ATE_unsigned_char | dw::DW_ATE_UTF, _) => {
            number(entry, false)
        }
        _ => DataType::Other("a number of another kind"),
    }
}

fn other(tag: DwTag) -> &'static str {
    match tag {
        dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type => "a pointer",
        dw::DW_TAG_array_type => "an array",
        dw::DW_TAG_structure_type | dw::DW_TAG_class_type | dw::DW_TAG_union_type => "a structure",
        _ => "of another type",
    }
}
