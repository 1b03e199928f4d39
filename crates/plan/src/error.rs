//! What can be wrong with a recording.

use std::io;

use crate::FORMAT_VERSION;

/// Why bytes could not be read as a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The first bytes are something else.
    #[error("this is not a recording of steadfast")]
    NotARecording,
    /// Another version wrote it.
    #[error("the recording has format version {0}, this program reads version {FORMAT_VERSION}")]
    Version(u16),
    /// The end is missing.
    #[error("the recording is cut off before its end")]
    CutOff,
    /// There is more in it than its run can make.
    #[error("the recording is larger than its run can make it")]
    TooLarge,
    /// A checksum or a content is wrong.
    #[error("the recording is damaged")]
    Damaged,
    /// It could not be read at all.
    #[error("the recording could not be read: {0}")]
    Io(#[from] io::Error),
}
