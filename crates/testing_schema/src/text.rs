//! The text of a schema: short values in one line, and what a reader looks for first.

use serde_json::{Map, Value};

const FIRST: [&str; 4] = ["$schema", "title", "description", "type"];
const LAST: [&str; 3] = ["required", "additionalProperties", "$defs"];

/// Returns the text of a schema. An object that contains no other is in one line.
pub(crate) fn text(schema: &Value) -> String {
    let mut text = String::new();
    write(schema, 0, &mut text);
    text + "\n"
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let inner = "  ".repeat(depth + 1);
    let outer = "  ".repeat(depth);
    match value {
        Value::Object(object) if !is_flat(value) => {
            let mut separator = "{\n";
            for (name, value) in ordered(object) {
                *text += &format!("{separator}{inner}{}: ", Value::from(name.as_str()));
                write(value, depth + 1, text);
                separator = ",\n";
            }
            *text += &format!("\n{outer}}}");
        }
        Value::Array(values)
            if !values.iter().all(is_flat) || values.iter().any(Value::is_object) =>
        {
            let mut separator = "[\n";
            for value in values {
                *text += &format!("{separator}{inner}");
                write(value, depth + 1, text);
                separator = ",\n";
            }
            *text += &format!("\n{outer}]");
        }
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            *text += &format!("[{}]", values.join(", "));
        }
        Value::Object(object) => {
            let fields = ordered(object).into_iter().map(|(name, value)| {
                let mut field = format!("{}: ", Value::from(name.as_str()));
                write(value, depth, &mut field);
                field
            });
            *text += &format!("{{{}}}", fields.collect::<Vec<_>>().join(", "));
        }
        single => *text += &single.to_string(),
    }
}

/// Returns whether a value has no object within, apart from one that only refers to another.
fn is_flat(value: &Value) -> bool {
    let has_none = |value: &Value| match value {
        Value::Object(object) => {
            object.len() == 1 && object.values().all(|one| !one.is_object() && !one.is_array())
        }
        Value::Array(values) => !values.iter().any(|one| one.is_object() || one.is_array()),
        _ => true,
    };
    match value {
        Value::Object(object) => object.values().all(has_none),
        value => has_none(value),
    }
}

fn ordered(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = object.iter().collect();
    let first = |name: &str| FIRST.iter().position(|known| *known == name).unwrap_or(FIRST.len());
    let last =
        |name: &str| LAST.iter().position(|known| *known == name).map_or(0, |place| place + 1);
    fields.sort_by_key(|(name, _)| (last(name), first(name)));
    fields
}
