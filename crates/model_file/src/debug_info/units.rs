//! The units of debug information, and the entries of one that refer to those of another.

use std::collections::BTreeMap;
use std::rc::Rc;

use gimli::constants::DwAt;
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, RunTimeEndian, Unit, UnitHeader,
    UnitOffset, UnitType,
};

pub(super) type Slice<'b> = EndianSlice<'b, RunTimeEndian>;
pub(super) type Entry<'b> = DebuggingInformationEntry<Slice<'b>>;
/// An entry and its unit.
pub(super) type Place<'b> = (Rc<Unit<Slice<'b>>>, Entry<'b>);

pub(super) struct Units<'b> {
    pub(super) dwarf: &'b Dwarf<Slice<'b>>,
    headers: Vec<UnitHeader<Slice<'b>>>,
    /// The headers and the entries of types that have units of their own, by their signatures.
    types: BTreeMap<u64, (usize, UnitOffset)>,
}

impl<'b> Units<'b> {
    pub(super) fn read(dwarf: &'b Dwarf<Slice<'b>>) -> gimli::Result<Self> {
        let (mut headers, mut types) = (Vec::new(), BTreeMap::new());
        let (mut compiled, mut of_types) = (dwarf.units(), dwarf.type_units());
        while let Some(header) = compiled.next()? {
            headers.push(header);
        }
        while let Some(header) = of_types.next()? {
            headers.push(header);
        }
        for (at, header) in headers.iter().enumerate() {
            if let UnitType::Type { type_signature, type_offset } = header.type_() {
                types.insert(type_signature.0, (at, type_offset));
            }
        }
        Ok(Self { dwarf, headers, types })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = gimli::Result<Rc<Unit<Slice<'b>>>>> {
        self.headers.iter().map(|header| self.dwarf.unit(*header).map(Rc::new))
    }

    /// Returns the entry to which an attribute refers, also in another unit.
    pub(super) fn referred(
        &self,
        unit: &Rc<Unit<Slice<'b>>>,
        entry: &Entry<'b>,
        by: DwAt,
    ) -> Option<Place<'b>> {
        let (header, offset) = match entry.attr_value(by)? {
            AttributeValue::UnitRef(offset) => {
                return Some((unit.clone(), unit.entry(offset).ok()?));
            }
            AttributeValue::DebugInfoRef(offset) => self
                .headers
                .iter()
                .find_map(|header| Some((header, offset.to_unit_offset(header)?)))?,
            AttributeValue::DebugTypesRef(signature) => {
                let (header, offset) = *self.types.get(&signature.0)?;
                (&self.headers[header], offset)
            }
            _ => return None,
        };
        let unit = self.dwarf.unit(*header).ok()?;
        let entry = unit.entry(offset).ok()?;
        Some((Rc::new(unit), entry))
    }
}
