//! Why a file cannot be imported.

use std::fmt;

/// What is wrong with a file, in words that continue a sentence: `its line 7 has no maximum`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw(pub(crate) String);

impl Flaw {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// Returns that a value is not what it has to be; a long value is cut.
    pub(crate) fn not(what: &str, found: &str, expected: &str) -> Self {
        Self(format!("{what} is `{}`, but must be {expected}", shortened(found)))
    }

    pub(crate) fn missing(what: &str) -> Self {
        Self(format!("it has no {what}"))
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the begin of a text, for a message of one line.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let cut: String = base::shown(text).chars().take(MOST).collect();
    if text.chars().count() > MOST { cut + "..." } else { cut }
}
