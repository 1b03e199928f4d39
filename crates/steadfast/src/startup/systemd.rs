//! Units of systemd.

/// Returns a text as systemd reads it as one word: man 5 systemd.service, "Command lines".
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    let escaped = text.replace('\\', r"\\").replace('"', "\\\"");
    let escaped = escaped.replace('\n', r"\n").replace('\r', r"\r");
    format!("\"{}\"", escaped.replace('%', "%%").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_text_is_one_word_and_no_specifier() {
        assert_eq!(quoted("/opt/steadfast-1.2/bin/steadfast"), "/opt/steadfast-1.2/bin/steadfast");
        assert_eq!(quoted("a\nExecStart=b"), r#""a\nExecStart=b""#);
        assert_eq!(quoted(""), r#""""#);
        assert_eq!(quoted("/a b%h/$x/\"q\""), r#""/a b%%h/$$x/\"q\"""#);
    }
}
