//! Why a model's file is not used.

use std::path::Path;

/// Why a model's file was refused: one line with the problem and its remedy, in which control
/// characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{why}")]
pub struct Refused {
    file: String,
    why: String,
}

macro_rules! refused {
    ($($line:tt)*) => { $crate::Refused::new(format!($($line)*)) };
}
pub(crate) use refused;

impl Refused {
    pub(crate) fn new(line: impl AsRef<str>) -> Self {
        Self { file: String::new(), why: base::shown(line.as_ref()).into_owned() }
    }

    /// Adds the name of the file in front.
    pub(crate) fn of(self, path: &Path) -> Self {
        let file = format!("{}: ", path.display());
        Self { file: base::shown(&file).into_owned(), ..self }
    }

    /// Returns the line without the file's name.
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
