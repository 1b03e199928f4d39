//! A change that a person can make.

use serde::Serialize;

/// A change that a person can make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What to do and why, in a sentence.
    pub words: String,
    /// The command or setting that does it, where there is one.
    pub command: Option<String>,
}

impl Change {
    /// What to do, with the command that does it between backticks.
    #[must_use]
    pub fn sentence(&self) -> String {
        match &self.command {
            Some(command) => format!("{} `{command}`", self.words),
            None => self.words.clone(),
        }
    }
}
