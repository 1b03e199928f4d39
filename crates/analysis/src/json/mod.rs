//! Results as JSON: stable names that carry their unit, the same for every measurement.

#[cfg(feature = "schema")]
mod finding;
mod lines;
mod run;

use std::io;

use base::{AT_ONCE, in_parallel};
use record::{Outcome, texts_of_fields};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::fields::properties;
use crate::standards::Standards;

pub use run::{Run, run};

/// Writes an analysis, or a part of it, as readable JSON: one line per field of the entries of its
/// lists, and one run at a time.
///
/// # Errors
/// Returns the writer's errors.
pub fn write(document: &impl Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let lines = lines::Lines::default();
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, lines))?;
    writeln!(to)
}

/// Runs that are produced while written, so that a large store is never in memory at once.
pub(crate) struct Runs<'a> {
    pub(crate) outcomes: Vec<&'a Outcome>,
    pub(crate) standards: &'a Standards,
}

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = |outcome: &&Outcome| {
            texts_of_fields(properties(&run(outcome, self.standards).with_histograms(outcome)))
        };
        let mut runs = serializer.serialize_seq(Some(self.outcomes.len()))?;
        for some in self.outcomes.chunks(AT_ONCE) {
            for run in in_parallel(some, run) {
                runs.serialize_element(&run)?;
            }
        }
        runs.end()
    }
}
