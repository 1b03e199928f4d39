//! What a person calls what was measured, and says of it.

use serde::{Serialize, Serializer};
use units::shown;

/// A heading is a person's own words on a session: none of it is measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// What there is to know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}

/// What a session is called.
pub type Title = Words<80>;
/// What there is to know of a session.
pub type Note = Words<1000>;

impl Heading {
    /// This heading, and what it leaves out from another.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { title: self.title.or(other.title), note: self.note.or(other.note) }
    }
}

/// One line of at most so many characters, none of which a terminal obeys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<const MOST: usize>(String);

impl<const MOST: usize> Words<MOST> {
    /// The words that a text holds, without the blanks around them.
    ///
    /// # Errors
    /// Says what is wrong with a text that is empty, too long or holds control characters.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("expected some words".to_owned());
        }
        if shown(text) != text {
            return Err("expected one line without control characters".to_owned());
        }
        match text.chars().count() {
            many if many <= MOST => Ok(Self(text.to_owned())),
            many => Err(format!("expected at most {MOST} characters, not {many}")),
        }
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl<const MOST: usize> Serialize for Words<MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_one_line_that_nothing_obeys() {
        let read = Words::<5>::read;
        assert_eq!(read(" größe ").unwrap().text(), "größe");
        for (text, told) in [
            (" ", "some words"),
            ("a\nb", "control"),
            ("\u{1b}[2J", "control"),
            ("123456", "at most 5 characters, not 6"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(told), "{text:?}: {why}");
        }
    }
}
