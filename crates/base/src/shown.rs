//! Makes text from outside safe to show.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes everything that a terminal obeys or hides, as JSON does (`\u001b`): control characters,
/// line breaks and marks that change the direction of writing.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

/// As [`shown`], for text of several lines; CSV's line ends (CR LF, RFC 4180) are kept.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    const OF_CSV: &str = "\r\n";
    let lines = |text| escaped(text, |c| c != '\n' && is_obeyed(c));
    if text.contains(OF_CSV) {
        return text.split(OF_CSV).map(lines).collect::<Vec<_>>().join(OF_CSV).into();
    }
    lines(text)
}

/// Returns a cell that is neither a formula for a spreadsheet nor a command for a terminal. Text
/// that begins like a formula gets an apostrophe, as OWASP recommends; numbers are unchanged.
pub fn harmless(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    match (shown_lines(cell), is_formula) {
        (cell, true) => format!("'{cell}").into(),
        (cell, false) => cell,
    }
}

fn escaped(text: &str, is_obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_obeyed) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_obeyed(c) { _ = write!(safe, "\\u{:04x}", u32::from(c)) } else { safe.push(c) }
    }
    safe.into()
}

/// True for controls (Unicode class Cc), direction marks and line separators.
fn is_obeyed(c: char) -> bool {
    let directs =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || directs || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out_and_the_rest_stays() {
        let plain = "wakeup, CPU 1: 7 µs — größer 🦀";
        assert!(matches!(shown(plain), Cow::Borrowed(same) if same == plain));
        let odd = "a\u{1b}[2J\r\n\u{9b}31m\u{202e}b\u{7f}\u{2028}";
        assert_eq!(shown(odd), "a\\u001b[2J\\u000d\\u000a\\u009b31m\\u202eb\\u007f\\u2028");
        assert_eq!(shown_lines("one\ntwo\u{7}\n"), "one\ntwo\\u0007\n");
        assert_eq!(shown_lines("a,b\r\nc\r,d\r\n"), "a,b\r\nc\\u000d,d\r\n");
    }
}
