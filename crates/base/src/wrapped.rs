//! Paragraphs in lines of limited width.

/// Breaks the paragraph into lines of at most `width` columns, between words only. A number stays
/// with its thousands and its unit; a word longer than `width` gets a line to itself.
pub fn wrapped(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(paragraph) {
        let more = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + more <= width => line.extend([" ", &*word]),
            _ => lines.push(word),
        }
    }
    lines
}

/// Splits at blanks; a number and the word after it count as one word.
fn words(paragraph: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in paragraph.split([' ', '\n']).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if last.ends_with(|end: char| end.is_ascii_digit()) => {
                last.extend([" ", word]);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_never_within_a_number() {
        let text = "missed 215 of 54 000 wake-ups, the worst by 10.7 ms";
        let narrow = wrapped(text, 16);
        let expected = ["missed 215 of", "54 000 wake-ups,", "the worst by", "10.7 ms"];
        assert_eq!(narrow, expected);
        assert_eq!(wrapped(text, 200), [text]);
        assert!(wrapped("", 10).is_empty());
        assert_eq!(wrapped("a-word-that-is-longer b", 5), ["a-word-that-is-longer", "b"]);
    }
}
