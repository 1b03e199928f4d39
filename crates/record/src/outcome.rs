//! The result of a run, computed from its recording.

use std::collections::BTreeMap;

use base::Nanos;
use serde_json::Value;
use stats::Distribution;

use crate::{Fact, Found, Header, RunSpec, Warning, fact};

#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub header: Header,
    pub found: Found,
    /// What differed from the request, and what else a reader must know.
    pub warnings: Vec<Warning>,
    /// The rows; the first is the headline.
    pub rows: Vec<Row>,
}

/// One line of a result table.
///
/// Always `due = executed + skipped`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// What the line shows, such as `cpu 1` or `contended, one CPU`.
    pub label: String,
    /// Why there is no result: `needs ...`; `None` if there is one.
    pub unavailable: Option<String>,
    /// Samples (periods, steps, attempts) that were due.
    pub due: u64,
    pub executed: u64,
    pub skipped: u64,
    /// The distribution of the measured time, in nanoseconds.
    pub latency: Option<Distribution>,
    /// Other figures, by the name of their [`Fact`], or other names from a store from elsewhere.
    pub facts: BTreeMap<String, Value>,
}

impl Outcome {
    /// Whether all conditions were as requested, from start to end.
    pub fn is_valid(&self) -> bool {
        !self.warnings.iter().any(Warning::invalidates)
    }

    /// Returns what was requested, which took longer than what was done if the run's own limit ended it.
    pub fn planned(&self) -> RunSpec {
        let mut planned = self.header.spec.clone();
        if let Some(Warning::StoppedAt { planned_ns, .. }) = self.end_by_limit() {
            planned.asked.duration = Nanos(*planned_ns);
        }
        planned
    }

    /// Returns the warning that the run's own limit ended it; `None` if it lasted as long as planned.
    pub fn end_by_limit(&self) -> Option<&Warning> {
        self.warnings.iter().find(|warning| matches!(warning, Warning::StoppedAt { .. }))
    }

    /// Whether the run is INVALID only for reasons that may be absent in a repetition.
    pub fn is_worth_repeating(&self) -> bool {
        let mut invalidating = self.warnings.iter().filter(|warning| warning.invalidates());
        !self.is_valid() && invalidating.all(Warning::passes)
    }
}

impl Row {
    /// Creates a row of executed samples, without skipped ones.
    pub fn of(label: impl Into<String>, latency: Option<Distribution>) -> Self {
        let executed = latency.as_ref().map_or(0, Distribution::count);
        Self { label: label.into(), due: executed, executed, latency, ..Self::default() }
    }

    pub fn unavailable(label: impl Into<String>, needs: impl Into<String>) -> Self {
        Self { label: label.into(), unavailable: Some(needs.into()), ..Self::default() }
    }

    /// Returns the largest value, in nanoseconds: of the distribution, or else as an imported file states it.
    pub fn max_ns(&self) -> Option<i64> {
        match &self.latency {
            Some(latency) => Some(latency.max.value_ns),
            None => Some(self.fact(&fact::FILE_MAX_NS)?.as_f64()?.round() as i64),
        }
    }

    /// Whether it is of another tool's file, which states neither what was skipped nor when.
    pub fn is_imported(&self) -> bool {
        self.fact(&fact::FILE_SAMPLES).is_some()
    }

    /// Returns the bins that an imported file states: the value of each, in nanoseconds, and its count.
    pub fn file_bins(&self) -> Option<Vec<(i64, u64)>> {
        serde_json::from_value(self.fact(&fact::FILE_BINS)?.clone()).ok()
    }

    pub fn fact(&self, fact: &Fact) -> Option<&Value> {
        self.facts.get(fact.name)
    }

    pub fn tell(&mut self, fact: &Fact, value: impl Into<Value>) {
        self.facts.insert(fact.name.to_owned(), value.into());
    }

    pub fn with(mut self, fact: &Fact, value: impl Into<Value>) -> Self {
        self.tell(fact, value);
        self
    }
}
