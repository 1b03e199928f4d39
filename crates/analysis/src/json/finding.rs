//! The schema of a finding: its kind, and values that depend on it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::finding::{Finding, statements};

/// Returns the kind of each statement, as serde writes it, with its descriptions: statements about
/// different subjects may be of the same kind.
fn kinds() -> Vec<Value> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, lines) in statements() {
        let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        let described = kinds.entry(in_snake_case(name)).or_default();
        described.extend(
            Some(lines.join(" ").replace("[`", "`").replace("`]", "`"))
                .filter(|text| !text.is_empty()),
        );
    }
    let kind = |(kind, described): (String, Vec<String>)| match described.as_slice() {
        [] => json!({ "const": kind }),
        texts => json!({ "const": kind, "description": texts.join(" Or: ") }),
    };
    kinds.into_iter().map(kind).collect()
}

fn in_snake_case(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

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
                    "oneOf": kinds(),
                },
            },
            "required": ["kind"],
            "additionalProperties": true,
        })
    }
}
