//! Renderers, one per format.

pub(crate) mod brief;
pub(crate) mod csv;
pub(crate) mod formats;
pub(crate) mod hdr;
pub(crate) mod html;
pub(crate) mod perfetto;
pub(crate) mod tables;
pub(crate) mod terminal;

/// Replaces spaces after a digit by spaces that do not break the line. A line may break before a
/// bracket, which holds an interval or a remark.
fn unbroken(text: &str) -> String {
    let mut after_digit = false;
    let keep = |letter: char| {
        let kept = if after_digit && letter == ' ' { '\u{a0}' } else { letter };
        after_digit = letter.is_ascii_digit();
        kept
    };
    text.chars().map(keep).collect::<String>().replace("\u{a0}(", " (")
}
