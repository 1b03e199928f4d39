//! The version of a printed document.

use serde::{Serialize, Serializer};

/// Version of the property names of a document and of their meaning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SchemaVersion<const NUMBER: u32>;

impl<const NUMBER: u32> Serialize for SchemaVersion<NUMBER> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(NUMBER)
    }
}
