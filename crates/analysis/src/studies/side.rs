//! One side of a finding: which figure of which runs of which system.

use plan::{Machine, Row, RunSpec};
use stats::Tries;
use units::Policy;

use crate::comparison::{KINDS, standing_for};
use crate::map::ManyMisses;
use crate::published;
use crate::real_time::misses_of;
use crate::survey::{Series, System};

/// Values that depend on the machine: its cores if these have several hardware threads each, its
/// hardware threads if there are several, and twice as many.
const MACHINES: [&str; 3] = ["cores", "cpus", "2xcpus"];
/// The name whose value is a parameter: the figure is one of all its values.
const OVER: &str = "over";

/// Selects a figure: `FIGURE MEASUREMENT [SYSTEM] [NAME=VALUE]...`. `load`, `policy` and `memory`
/// are conditions, `row` is the label of a row, `over` is the parameter of `first_missed`, and every
/// other name is a parameter of the measurement.
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

    /// Whether a run on this machine measures this side. Without `load` it has none.
    #[must_use]
    pub fn is_of(&self, spec: &RunSpec, machine: &Machine) -> bool {
        let loads = spec.asked.loads.iter().map(|load| load.name.as_str());
        let loads = loads.collect::<Vec<&str>>().join("+");
        let is_met = |(name, value): &(String, String)| match name.as_str() {
            "load" | "row" | OVER => true,
            "policy" => *value == policy(spec.asked.policy),
            "memory" => *value == if spec.asked.memory_lock { "locked" } else { "unlocked" },
            name if MACHINES.contains(&value.as_str()) => {
                spec.parameters.get(name).is_some()
                    && count_of(value, machine) == Some(spec.parameters.count(name))
            }
            name => spec.parameters.get(name).is_some_and(|found| found.to_string() == *value),
        };
        self.measurement == spec.measurement
            && self.condition("load").unwrap_or_default() == loads
            && self.conditions.iter().all(is_met)
    }

    /// Returns the system that it requires; `None` if any system has the side.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        self.system
    }

    fn condition(&self, name: &str) -> Option<&str> {
        let mut all = self.conditions.iter();
        all.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether every run of the side is needed, because its figure is one of all values of a
    /// parameter.
    pub(super) fn needs_all(&self) -> bool {
        self.condition(OVER).is_some()
    }

    /// Returns the figure of every run of the first series that this side selects, or of every round
    /// over a parameter; empty if the system did not measure it.
    pub(super) fn figures(&self, system: &System) -> Vec<f64> {
        let is_row = |series: &Series| match self.condition("row") {
            Some(row) => series.label == row,
            None => published::stands_beside(series),
        };
        let is_side = |series: &&Series| self.is_of(series.spec, system.machine) && is_row(series);
        let mut own = system.series.iter().filter(is_side);
        let Some(first) = own.next() else {
            return Vec::new();
        };
        if let Some(name) = self.condition(OVER) {
            let alike = own.filter(|other| first.is_alike_but_for_load_and(&[name], other));
            return self.over(name, [first].into_iter().chain(alike)).unwrap_or_default();
        }
        let rows = &first.rows;
        rows.iter().filter_map(|row| self.figure(row)).filter(|figure| *figure > 0.0).collect()
    }

    /// Returns the figure of every round over the values of a parameter: the least value with a
    /// missed deadline, the least with many, or their ratio. `None` if a round has none: its figure
    /// is beyond the largest value.
    fn over<'s, 'a: 's>(
        &self,
        name: &str,
        series: impl Iterator<Item = &'s Series<'a>>,
    ) -> Option<Vec<f64>> {
        let mut series: Vec<(u64, &Series)> =
            series.map(|series| (series.spec.parameters.count(name), series)).collect();
        series.sort_by_key(|(value, _)| *value);
        let rounds = series.iter().map(|(_, series)| series.rows.len()).min()?;
        let first = |round: usize, is_reached: &dyn Fn(Tries) -> bool| {
            let reached = |(_, series): &&(u64, &Series)| {
                let row = series.rows[round];
                let missed = misses_of(&series.spec.measurement, row).unwrap_or_default();
                is_reached(Tries::one(row.due, missed))
            };
            series.iter().find(reached).map(|(value, _)| *value as f64)
        };
        let missed = |round| first(round, &|tries| tries.missed > 0);
        let many = |round| first(round, &|tries| ManyMisses::default().is_in(tries));
        match self.figure.as_str() {
            "first_missed" => (0..rounds).map(missed).collect(),
            "first_many" => (0..rounds).map(many).collect(),
            "band_width" => (0..rounds).map(|round| Some(many(round)? / missed(round)?)).collect(),
            _ => None,
        }
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

/// Returns a count of this machine; `None` if no other count differs from it.
fn count_of(name: &str, machine: &Machine) -> Option<u64> {
    let (cpus, cores) = (machine.cpus.len() as u64, machine.smt_siblings.len() as u64);
    match name {
        "cores" => (0 < cores && cores < cpus).then_some(cores),
        "cpus" => (cpus > 1).then_some(cpus),
        _ => Some(2 * cpus),
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
