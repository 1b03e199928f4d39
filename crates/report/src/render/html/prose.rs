//! Sentences as HTML.

use minijinja::Value;

use crate::render::unbroken;

/// Escapes a sentence, keeps numbers together with the word that follows, and formats text between
/// backticks as code.
pub(super) fn prose(text: &str) -> Value {
    Value::from_safe_string(html(text))
}

pub(super) fn html(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let code = index % 2 == 1;
        let part = if code { part.to_owned() } else { unbroken(part) };
        let escaped = minijinja::HtmlEscape(&part).to_string();
        html.push_str(&if code { format!("<code>{escaped}</code>") } else { escaped });
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_escaped_and_commands_set_apart() {
        assert_eq!(
            prose("57 000 < `a <b>` & c").to_string(),
            "57\u{a0}000\u{a0}&lt; <code>a &lt;b&gt;</code> &amp; c"
        );
    }
}
