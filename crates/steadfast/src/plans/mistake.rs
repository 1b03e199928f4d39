//! Mistakes in a plan file, with their position.

use std::fmt::Display;

use anyhow::Error;
use plan::Refused;
use toml::de::DeTable;

/// What is wrong, or what was expected, at a byte of the text.
#[derive(Debug)]
pub(super) struct Mistake {
    at: usize,
    what: String,
}

impl Mistake {
    pub(super) fn at(at: usize, what: impl Display) -> Self {
        let what = what.to_string();
        Self { at, what: what.lines().collect::<Vec<_>>().join(", ") }
    }

    pub(super) fn of_syntax(error: &toml::de::Error) -> Self {
        Self::at(
            error.span().map_or(0, |span| span.start),
            format!("this is not TOML: {}", error.message()),
        )
    }

    /// Returns `FILE:LINE:COLUMN: what`, as compilers print; columns count characters from 1.
    pub(super) fn message(&self, file: &str, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[start..].chars().count() + 1;
        format!("{file}:{line}:{column}: {}", self.what)
    }
}

/// Returns a mistake for the first key that is unknown but similar to a known one.
pub(super) fn misspelt(table: &DeTable, known: &[&str]) -> Option<Mistake> {
    table.keys().find_map(|key| {
        let typed = key.get_ref().as_ref();
        let meant = units::nearest(typed, known.iter().copied());
        let meant = meant.filter(|meant| *meant != typed)?;
        let what = format!("`{typed}` is not a key here; did you mean `{meant}`?");
        Some(Mistake::at(key.span().start, what))
    })
}

/// Returns a mistake at the key that is refused, or else at the table.
pub(super) fn refused(why: &Error, at: usize, table: &DeTable) -> Mistake {
    let text = format!("{why:#}");
    let option = why.downcast_ref().and_then(|why: &Refused| why.option.as_deref());
    let option = option.or_else(|| text.strip_prefix("--")?.split([':', ' ']).next());
    let key = option.and_then(|option| table.get(option));
    Mistake::at(key.map_or(at, |key| key.span().start), text)
}
