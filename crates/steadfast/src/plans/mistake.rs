//! What is wrong in a plan file, and where.

use std::fmt::Display;

use anyhow::Error;
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

    /// `FILE:LINE:COLUMN: what`, as compilers say it and editors read it; columns count
    /// characters from 1.
    pub(super) fn told(&self, file: &str, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[start..].chars().count() + 1;
        format!("{file}:{line}:{column}: {}", self.what)
    }
}

/// Where a reason belongs: to the key that it names, else to the table.
pub(super) fn refused(why: &Error, at: usize, table: &DeTable) -> Mistake {
    let why = format!("{why:#}");
    Mistake::at(named_by(&why, table).unwrap_or(at), why)
}

/// Where the key stands whose flag begins an explanation.
fn named_by(why: &str, table: &DeTable) -> Option<usize> {
    let flag = why.strip_prefix("--")?.split([':', ' ']).next()?;
    Some(table.get(flag)?.span().start)
}
