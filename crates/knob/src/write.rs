//! A value and the place that it is for.

use std::path::PathBuf;

use units::CpuSet;

use crate::place::Place;

/// Where the CPUs of each interrupt are.
const INTERRUPTS: &str = "/proc/irq";

/// What a knob has to know of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    /// The CPUs that are measured.
    pub measured: CpuSet,
    /// The CPUs for everything else.
    pub others: CpuSet,
}

/// A value, and the place that it is to be written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Where.
    pub place: Place,
    /// What.
    pub given: String,
    /// Whether the kernel may refuse it there without that being a failure, since it keeps such
    /// places to itself: interrupts that a driver has spread.
    pub may_be_kept: bool,
}

impl Write {
    /// The file that holds it with what stands there then; `None` of what no file holds for good,
    /// as the CPUs of an interrupt, whose number is another after a boot.
    #[must_use]
    pub fn text(&self) -> Option<(PathBuf, String)> {
        match &self.place {
            Place::File { path, form } if !path.starts_with(INTERRUPTS) => {
                Some((path.clone(), form.written(&self.given)?))
            }
            _ => None,
        }
    }

    pub(crate) fn new(place: Place, given: impl Into<String>) -> Self {
        let given = given.into();
        Self { place, given, may_be_kept: false }
    }
}
