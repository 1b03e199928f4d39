//! Words as a shell reads them: what a user may paste.

use std::path::Path;

use crate::shown;

/// Returns the name of a file as a shell reads it, and as no command takes it for an option.
pub fn quoted_file(file: &Path) -> String {
    let name = file.to_string_lossy();
    if name.starts_with('-') { quoted(&format!("./{name}")) } else { quoted(&name) }
}

/// Returns a word as a shell reads it; control characters are shown instead.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+=%@".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() {
        return word.to_owned();
    }
    format!("'{}'", shown(word).replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_is_one_word_and_no_option() {
        for (name, word) in [
            ("out/results.db", "out/results.db"),
            ("my results.db", "'my results.db'"),
            ("it's $HOME.db", r"'it'\''s $HOME.db'"),
            ("--out.db", "./--out.db"),
            ("", "''"),
        ] {
            assert_eq!(quoted_file(Path::new(name)), word);
        }
    }
}
