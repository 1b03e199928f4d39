//! Why a model's file is not used.

use std::path::Path;

/// Why a model's file was refused: one line that says what is wrong and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

impl Refused {
    /// With what a terminal would obey written out: much of the line comes from the file.
    pub(crate) fn new(line: impl AsRef<str>) -> Self {
        Self(units::shown(line.as_ref()).into_owned())
    }

    /// The same, behind the name of the file.
    pub(crate) fn of(self, path: &Path) -> Self {
        Self::new(format!("{}: {self}", path.display()))
    }
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
