//! The table of formats: one file per tool.

mod cyclictest;

use crate::content::Content;
use crate::{Flaw, Stated, Unit};

pub struct Format {
    /// Name of the tool.
    pub tool: &'static str,
    /// Which of its files can be read.
    pub files: &'static str,
    pub(crate) recognises: fn(&Content) -> bool,
    pub(crate) read: fn(&Content, Unit) -> Result<Stated, Flaw>,
}

/// All known formats. A file is read by the first one that recognises it.
pub static FORMATS: &[Format] = &[cyclictest::FORMAT];
