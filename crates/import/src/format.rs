//! What a format is.

use crate::content::Content;
use crate::{Flaw, Stated, Unit};

/// The files of a tool.
pub struct Format {
    /// Name of the tool.
    pub tool: &'static str,
    /// Which of its files can be read.
    pub files: &'static str,
    /// How lines begin that the text of one run has at most once; with a line feed, whole lines.
    pub(crate) once: &'static [&'static str],
    pub(crate) recognises: fn(&Content) -> bool,
    pub(crate) read: fn(&Content, Unit) -> Result<Stated, Flaw>,
}
