//! Texts of documents from elsewhere.

use serde_json::Value;
use units::shown;

/// Escapes everything that would control a terminal, in all texts and names of a document.
pub fn show_texts(document: &mut Value) {
    match document {
        Value::String(text) => *text = shown(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(show_texts),
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    show_texts(&mut value);
                    (shown(&name).into_owned(), value)
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
