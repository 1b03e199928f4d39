//! A value and its place.

use std::path::PathBuf;

use base::CpuSet;

use crate::place::Place;

/// The folder with the CPUs of each interrupt.
const INTERRUPTS: &str = "/proc/irq";

/// What a knob needs to know about the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    pub measured: CpuSet,
    pub others: CpuSet,
}

/// A value, and the place to which it is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub place: Place,
    pub given: String,
    /// Whether the kernel may refuse it, unless it refuses all of them, because it manages such
    /// places itself: interrupts that a driver has distributed.
    pub may_be_kept: bool,
}

impl Write {
    /// Returns the file and the text that it then contains; `None` if no file keeps the value
    /// permanently, such as the CPUs of an interrupt, whose number may change at boot.
    pub fn text(&self) -> Option<(PathBuf, String)> {
        match &self.place {
            Place::File { path, form } if !path.starts_with(INTERRUPTS) => {
                Some((path.clone(), form.written(&self.given)?))
            }
            _ => None,
        }
    }

    pub(crate) fn new(place: Place, given: impl Into<String>) -> Self {
        Self { place, given: given.into(), may_be_kept: false }
    }
}
