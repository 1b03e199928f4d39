//! Texts of documents.

use std::collections::BTreeMap;

use base::shown;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// Escapes everything that would control a terminal, in all texts and names of a document.
pub fn show_texts(document: &mut Value) {
    change_texts(document, &|text| shown(text).into_owned());
}

pub fn change_texts(document: &mut Value, change: &dyn Fn(&str) -> String) {
    match document {
        Value::String(text) => *text = change(text),
        Value::Array(values) => values.iter_mut().for_each(|value| change_texts(value, change)),
        Value::Object(fields) => {
            let all = std::mem::take(fields).into_iter();
            *fields = all
                .map(|(name, mut value)| {
                    change_texts(&mut value, change);
                    (change(&name), value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the text of each field of an object. It is made here because this crate is
/// optimised, unlike those that make documents.
///
/// # Panics
/// Never: the names of an object are texts.
pub fn texts_of_fields(object: Map<String, Value>) -> BTreeMap<String, Box<RawValue>> {
    let text = |value| to_raw_value(&value).expect("writing to memory does not fail");
    object.into_iter().map(|(name, value)| (name, text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_is_left_that_commands_a_terminal() {
        let mut document = json!({"a\u{1b}": ["\u{7}", {"b": "\n"}], "c": 1});
        show_texts(&mut document);
        let expected = json!({"a\\u001b": ["\\u0007", {"b": "\\u000a"}], "c": 1});
        assert_eq!(document, expected);
    }
}
