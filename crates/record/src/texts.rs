//! Texts of documents from elsewhere.

use base::shown;
use serde_json::Value;

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
