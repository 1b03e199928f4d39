//! Why no audit was done.

use std::io;

/// Why no audit was done, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAudited(pub(crate) String);

impl From<io::Error> for NotAudited {
    fn from(error: io::Error) -> Self {
        Self(format!("the model's process cannot be watched: {error}"))
    }
}
