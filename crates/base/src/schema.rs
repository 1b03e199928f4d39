//! The schemas of types that are serialised as one value.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{CpuSet, Number, Policy, Rate, SchemaVersion};

/// Declares the schemas of types that are a text.
macro_rules! schema_of_text {
    ($($type:ident)*) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string" })
            }
        })*
    };
}
schema_of_text! { CpuSet Number Policy Rate }

impl<const NUMBER: u32> JsonSchema for SchemaVersion<NUMBER> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description":
                "Version of the property names and their meaning: the number in this file's name.",
            "const": NUMBER,
        })
    }
}
