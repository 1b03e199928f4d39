//! Why a file cannot be imported.

use std::fmt;

/// What is wrong with a file, in words that continue a sentence: `its line 7 has no maximum`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw(pub(crate) String);

impl Flaw {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(cut(&why.into(), LONGEST))
    }

    /// Returns that a value is not what it has to be; a long value is cut.
    pub(crate) fn not(what: &str, found: &str, expected: &str) -> Self {
        Self::new(format!("{what} is `{}`, but must be {expected}", shortened(found)))
    }

    pub(crate) fn missing(what: &str) -> Self {
        Self::new(format!("it has no {what}"))
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Most characters of a message.
const LONGEST: usize = 280;

/// Returns the begin of a text, for a part of a message.
pub(crate) fn shortened(text: &str) -> String {
    cut(text, 40)
}

/// Returns a text in one line of at most so many characters, without what commands a terminal.
fn cut(text: &str, most: usize) -> String {
    let shown = base::shown(text).to_string();
    if shown.chars().count() <= most {
        return shown;
    }
    shown.chars().take(most).collect::<String>() + "..."
}
