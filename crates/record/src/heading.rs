//! The title and note that users give to a session.

use base::shown;
use serde::Serialize;

/// The user's own words about a session, none of which is measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Heading {
    /// Title given with `--title`; absent if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// Note given with `--note`; absent if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}

pub type Title = Words<80>;
pub type Note = Words<1000>;

impl Heading {
    /// Returns this heading, with missing parts filled in from another.
    pub fn or(self, other: Self) -> Self {
        Self { title: self.title.or(other.title), note: self.note.or(other.note) }
    }
}

/// One line of at most `MOST` characters, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Words<const MOST: usize>(
    #[cfg_attr(feature = "schema", schemars(length(max = MOST)))] String,
);

impl<const MOST: usize> Words<MOST> {
    /// Reads a text, without the blanks around it.
    ///
    /// # Errors
    /// If the text is empty, too long or contains control characters; the message says which.
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

    pub fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_one_line_that_nothing_obeys() {
        let read = Words::<5>::read;
        assert_eq!(read(" größe ").unwrap().text(), "größe");
        for (text, expected) in [
            (" ", "some words"),
            ("a\nb", "control"),
            ("\u{1b}[2J", "control"),
            ("123456", "at most 5 characters, not 6"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(expected), "{text:?}: {why}");
        }
    }
}
