//! Keeps numbers together with the word that follows.

/// Replaces spaces after a digit by spaces that do not break the line.
pub(crate) fn unbroken(text: &str) -> String {
    let mut after_digit = false;
    let keep = |letter: char| {
        let kept = if after_digit && letter == ' ' { '\u{a0}' } else { letter };
        after_digit = letter.is_ascii_digit();
        kept
    };
    text.chars().map(keep).collect()
}
