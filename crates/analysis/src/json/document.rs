//! The document on all outcomes, whose runs are made as they are written.

use std::io;

use plan::Outcome;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::report::{RUNS, without_runs};
use super::run::with_histograms;
use crate::comparison::{self, Comparison};
use crate::fields::fields;
use crate::standards::Standards;
use crate::survey::systems;

/// Everything that the HTML report shows, as one document. Several kernels of the lab are
/// laid side by side.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn json(outcomes: &[Outcome], standards: &Standards) -> Value {
    let document = Document::of(outcomes, standards);
    serde_json::to_value(document).expect("the document is plain data")
}

/// Writes the same, a run at a time: what a store of many runs says never is in memory at once.
///
/// # Errors
/// Those of the writer.
pub fn write_json(
    outcomes: &[Outcome],
    standards: &Standards,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, &Document::of(outcomes, standards))?;
    writeln!(to)
}

/// The document, whose runs are made as they are written.
struct Document<'a> {
    fields: Map<String, Value>,
    outcomes: &'a [Outcome],
    standards: &'a Standards,
}

impl<'a> Document<'a> {
    fn of(outcomes: &'a [Outcome], standards: &'a Standards) -> Self {
        let (document, outcomes) = match Comparison::if_of_kernels(outcomes, standards) {
            Some(comparison) => (comparison::with_runs(&comparison), &[][..]),
            None => (without_runs(&systems(outcomes), standards), outcomes),
        };
        Self {
            fields: fields(document),
            outcomes,
            standards,
        }
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_map(None)?;
        for (name, value) in &self.fields {
            match (name.as_str(), value) {
                (RUNS, Value::Null) => document.serialize_entry(name, &Runs(self))?,
                _ => document.serialize_entry(name, value)?,
            }
        }
        document.end()
    }
}

struct Runs<'a>(&'a Document<'a>);

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(document) = self;
        let run = |outcome| with_histograms(outcome, document.standards);
        serializer.collect_seq(document.outcomes.iter().map(run))
    }
}
