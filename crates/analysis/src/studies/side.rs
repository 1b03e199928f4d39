//! One side of a finding: which figure of which runs of which system.

use plan::{Row, RunSpec};
use units::Policy;

use crate::comparison::{KINDS, standing_for};
use crate::published;
use crate::survey::{Series, System};

/// Selects a figure: `FIGURE MEASUREMENT [SYSTEM] [NAME=VALUE]...`. `load` and `policy` are
/// conditions, `row` is the label of a row, and every other name is a parameter of the measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// As the table has it.
    pub text: String,
    figure: String,
    measurement: String,
    /// The system that it requires; without one, any system has the side.
    pub(super) system: Option<&'static str>,
    conditions: Vec<(String, String)>,
}

impl Side {
    pub(super) fn read(text: &str) -> Self {
        let mut words = text.split_whitespace();
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (figure, measurement) = (next(), next());
        let (mut system, mut conditions) = (None, Vec::new());
        for word in words {
            match word.split_once('=') {
                Some((name, value)) => conditions.push((name.to_owned(), value.to_owned())),
                None => system = KINDS.into_iter().find(|name| *name == word),
            }
        }
        Self { text: text.to_owned(), figure, measurement, system, conditions }
    }

    /// Whether a run on a machine with this number of CPUs measures this side. Without `load` it has none;
    /// the value `cpus` is their number, if there are several.
    #[must_use]
    pub fn is_of(&self, spec: &RunSpec, cpus: usize) -> bool {
        let loads = spec.asked.loads.iter().map(|load| load.name.as_str());
        let loads = loads.collect::<Vec<&str>>().join("+");
        let is_met = |(name, value): &(String, String)| match name.as_str() {
            "load" | "row" => true,
            "policy" => *value == policy(spec.asked.policy),
            name if value == "cpus" => cpus > 1 && spec.parameters.count(name) == cpus as u64,
            name => spec.parameters.get(name).is_some_and(|found| found.to_string() == *value),
        };
        self.measurement == spec.measurement
            && self.condition("load").unwrap_or_default() == loads
            && self.conditions.iter().all(is_met)
    }

    fn condition(&self, name: &str) -> Option<&str> {
        let mut all = self.conditions.iter();
        all.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the figure of every run of the first series that this side selects; empty if the
    /// system did not measure it.
    pub(super) fn figures(&self, system: &System) -> Vec<f64> {
        let cpus = system.machine.cpus.len();
        let is_row = |series: &Series| match self.condition("row") {
            Some(row) => series.label == row,
            None => published::stands_beside(series),
        };
        let is_side = |series: &&Series| self.is_of(series.spec, cpus) && is_row(series);
        let series = system.series.iter().find(is_side);
        let rows = series.map(|series| series.rows.as_slice()).unwrap_or_default();
        rows.iter().filter_map(|row| self.figure(row)).filter(|figure| *figure > 0.0).collect()
    }

    /// Whether its figure is in nanoseconds.
    pub(super) fn is_in_ns(&self) -> bool {
        let of_latency = ["mean", "worst", "shortest", "range", "spread"];
        of_latency.contains(&self.figure.as_str()) || self.figure.ends_with("_ns")
    }

    fn figure(&self, row: &Row) -> Option<f64> {
        let latency = || row.latency.as_ref();
        match self.figure.as_str() {
            "mean" => latency().map(stats::Distribution::mean_ns),
            "worst" => latency().map(|latency| latency.max.value_ns as f64),
            "shortest" => latency().map(|latency| latency.min.value_ns as f64),
            "range" => {
                latency().map(|latency| (latency.max.value_ns - latency.min.value_ns) as f64)
            }
            "spread" => latency()
                .map(|latency| (latency.quantile_ns(0.99) - latency.quantile_ns(0.01)) as f64),
            fact => row.facts.get(fact)?.as_f64(),
        }
    }

    /// Returns the system of its name among these.
    pub(super) fn among<'s, 'a>(&self, systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
        let known = standing_for(systems.iter().copied());
        known.into_iter().find(|(kind, _)| self.system == Some(*kind)).map(|(_, system)| system)
    }
}

fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::Other { .. } => "other",
        Policy::Fifo(_) => "fifo",
        Policy::Rr(_) => "rr",
        _ => "",
    }
}
