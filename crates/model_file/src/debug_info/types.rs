//! The type of a variable, of an argument or of a result.

use std::rc::Rc;

use gimli::constants::{self as dw, DwTag};
use gimli::{AttributeValue, Dwarf, Operation, Unit};

use super::units::{Entry, Place, Slice, Units};
use crate::scalar::Scalar;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataType {
    Number(Scalar),
    /// Anything else, by what it is, such as `an array`.
    Other(&'static str),
}

pub(crate) const POINTER: DataType = DataType::Other("a pointer");

/// Returns the fixed address of a variable.
pub(super) fn address_of<'b>(
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

/// How many entries may lead to a type, such as declarations and names of names.
const MOST_ENTRIES: usize = 32;

pub(super) fn type_of<'b>(
    units: &Units<'b>,
    unit: &Rc<Unit<Slice<'b>>>,
    entry: &Entry<'b>,
) -> Option<DataType> {
    let (mut unit, mut kind) = declared(units, unit, entry)?;
    for _ in 0..MOST_ENTRIES {
        let base = || units.referred(&unit, &kind, dw::DW_AT_type);
        (unit, kind) = match kind.tag() {
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

/// Returns the type of an entry, which its declaration may have in its place.
fn declared<'b>(
    units: &Units<'b>,
    unit: &Rc<Unit<Slice<'b>>>,
    entry: &Entry<'b>,
) -> Option<Place<'b>> {
    let (mut unit, mut entry) = (unit.clone(), entry.clone());
    for _ in 0..MOST_ENTRIES {
        if let Some(found) = units.referred(&unit, &entry, dw::DW_AT_type) {
            return Some(found);
        }
        let mut declarations = [dw::DW_AT_specification, dw::DW_AT_abstract_origin].into_iter();
        (unit, entry) = declarations.find_map(|by| units.referred(&unit, &entry, by))?;
    }
    None
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
