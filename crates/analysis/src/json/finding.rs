//! The schema of a finding: its kind, and values that depend on it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::finding::Finding;

impl JsonSchema for Finding {
    fn schema_name() -> Cow<'static, str> {
        "Finding".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "kind": {
                    "description": "Kind of the finding: which statement it makes.",
                    "type": "string",
                },
            },
            "required": ["kind"],
            "additionalProperties": true,
        })
    }
}
