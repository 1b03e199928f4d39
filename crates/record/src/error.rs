//! What can be wrong with a recording.

use std::io;

use crate::FORMAT_VERSION;

/// Why bytes could not be read as a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("this is not a recording of Steadfast")]
    NotARecording,
    #[error(
        "the recording has format version {0}, but this program reads only version {FORMAT_VERSION}"
    )]
    Version(u16),
    #[error("the recording is cut off before its end")]
    CutOff,
    #[error("the recording is larger than its run can produce")]
    TooLarge,
    #[error("the recording is damaged")]
    Damaged,
    #[error("the recording could not be read: {0}")]
    Io(#[from] io::Error),
}
