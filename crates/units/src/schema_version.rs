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

#[cfg(feature = "schema")]
impl<const NUMBER: u32> schemars::JsonSchema for SchemaVersion<NUMBER> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Version of the property names and their meaning: the number in this file's name.",
            "const": NUMBER,
        })
    }
}
