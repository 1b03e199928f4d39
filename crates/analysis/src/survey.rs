//! Outcomes sorted by machine, and within a machine by what was measured under which conditions.
//! Equal valid runs are merged; INVALID ones are left out.

use std::collections::{BTreeMap, BTreeSet};

use base::{CpuSet, Nanos, Observed};
use record::{
    Asked, Disturbed, Fact, Imported, LatencyHold, Machine, Mode, Outcome, Row, RunSpec, SELF_TEST,
    Value as Parameter, Warning, fact,
};
use serde_json::Value;
use stats::Distribution;

use crate::lists::{each_once, groups, sorted};
use crate::machine::{apart, counts_instructions};
use crate::words;

/// One machine, as one kernel and one set of settings make it, with its runs.
pub struct System<'a> {
    /// `This machine`, a kernel of the lab, or words that distinguish several.
    pub name: String,
    pub machine_id: String,
    pub machine: &'a Machine,
    /// Every run except those of self-tests, in the order given.
    pub outcomes: Vec<&'a Outcome>,
    /// Results of self-tests: the newest of each disturbance.
    pub disturbed: Vec<Disturbed>,
    /// Results of the valid runs, in the order of their first appearance.
    pub series: Vec<Series<'a>>,
}

/// One row of one measurement under equal conditions, over all its valid runs.
pub struct Series<'a> {
    pub spec: &'a RunSpec,
    pub label: &'a str,
    /// The place of its row in a run; the first row is the headline.
    pub place: usize,
    pub rows: Vec<&'a Row>,
    pub latency: Option<Distribution>,
    /// Whether its runs are draws: runs of the lab, which differ only in chance.
    pub are_draws: bool,
    /// Its position in the search that it was measured for, if any.
    pub probe: Option<Probe>,
}

/// Where a probe of a search lies, as seen from the largest size (or the highest rate) that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    Below,
    /// The largest that holds.
    Edge,
    /// Larger: tried in order to provoke misses.
    Beyond,
}

/// Groups outcomes by machine, in the order of first appearance.
pub fn systems<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<System<'a>> {
    let mut systems = without_series(outcomes);
    systems.iter_mut().for_each(|system| system.series = series(&system.outcomes));
    systems
}

/// Same as [`systems`], without what takes long for many runs: no result is merged.
pub fn without_series<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<System<'a>> {
    let is_same = |a: &&Outcome, b: &&Outcome| a.header.machine == b.header.machine;
    let machines: Vec<Vec<&Outcome>> = groups(outcomes, is_same);
    let mut systems: Vec<System> = machines.into_iter().filter_map(System::with_runs).collect();
    name(&mut systems);
    systems
}

/// Names that distinguish several machines, the shortest first; settings come before the last.
const NAMES: [fn(&System) -> String; 4] = [
    |system| known_as(system.machine).to_owned(),
    |system| match system.machine.imported_as {
        // A file may state no kernel, and the name is the user's.
        Some(_) => known_with_kernel(system.machine),
        None => kernel(system.machine),
    },
    |system| known_with_kernel(system.machine),
    |system| format!("{} #{}", known_as(system.machine), system.machine_id),
];

fn name(systems: &mut [System]) {
    if let [only] = systems {
        let lab = only.machine.lab.as_ref();
        let known = lab.map(|lab| &lab.kernel).or(only.machine.imported_as.as_ref());
        only.name = known.map_or("This machine", |name| name).to_owned();
        return;
    }
    let named = |name: &fn(&System) -> String| systems.iter().map(name).collect();
    let [cpu, kernel, both, number] = NAMES.each_ref().map(named);
    let machines: Vec<&Machine> = systems.iter().map(|system| system.machine).collect();
    // Imported files state none of the settings.
    let are_measured = machines.iter().all(|machine| machine.imported_as.is_none());
    let settings = if are_measured { apart(&machines) } else { Vec::new() };
    let names = [cpu, kernel, both, settings, number];
    let are_apart = |names: &Vec<String>| distinct(names) == machines.len();
    let names = names.into_iter().find(are_apart).unwrap_or_default();
    systems.iter_mut().zip(names).for_each(|(system, name)| system.name = name);
}

/// Returns the kernel's name in the lab or the name under which files were imported, else the name of the CPU.
pub fn known_as(machine: &Machine) -> &str {
    let known = machine.lab.as_ref().map(|lab| &lab.kernel).or(machine.imported_as.as_ref());
    known.map_or_else(|| cpu(machine), String::as_str)
}

/// Returns the name with the kernel, if that is known.
fn known_with_kernel(machine: &Machine) -> String {
    let words = [known_as(machine).to_owned(), kernel(machine)];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}

pub fn cpu(machine: &Machine) -> &str {
    match machine.cpu_model.as_str() {
        "" => "unknown CPU",
        model => model,
    }
}

pub fn kernel(machine: &Machine) -> String {
    let release = Some(&machine.kernel_release).filter(|release| !release.is_empty());
    let release = release.map(|release| format!("Linux {release}"));
    let model = (!machine.preemption.is_empty()).then(|| format!("({})", preemption(machine)));
    Vec::from_iter(release.into_iter().chain(model)).join(" ")
}

/// Returns the preemption model. Some kernels report theirs with a remark in brackets.
pub fn preemption(machine: &Machine) -> &str {
    machine.preemption.split(" (").next().unwrap_or_default()
}

pub fn versions<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<&'a str> {
    sorted(outcomes.map(|outcome| outcome.header.tool_version.as_str()))
}

/// Returns the runs whose figures are about the machine as it is. This excludes runs with injected
/// disturbances, in which a violated condition is the expected result, and runs that try its
/// settings.
pub fn without_self_tests<'a>(
    outcomes: impl IntoIterator<Item = &'a Outcome>,
) -> impl Iterator<Item = &'a Outcome> {
    let is_own = |outcome: &&Outcome| {
        let spec = &outcome.header.spec;
        spec.measurement != SELF_TEST && spec.asked.tried.is_empty()
    };
    outcomes.into_iter().filter(is_own)
}

fn disturbed(outcomes: &[&Outcome]) -> Vec<Disturbed> {
    let mut all: Vec<Disturbed> = Vec::new();
    for found in outcomes.iter().filter_map(|outcome| Disturbed::of(outcome)) {
        match all.iter_mut().find(|known| known.name == found.name) {
            Some(known) => *known = found,
            None => all.push(found),
        }
    }
    all
}

fn series<'a>(outcomes: &[&'a Outcome]) -> Vec<Series<'a>> {
    let mut all: Vec<Series> = Vec::new();
    let mut places: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut draws: BTreeSet<(String, [&str; 2], u32)> = BTreeSet::new();
    for outcome in outcomes.iter().copied().filter(|o| o.is_valid()) {
        // Equal for runs that differ only in duration, or are imported from several files.
        let key = of_no_duration(&outcome.header.spec).key();
        // In the lab, equal setups have equal samples: made again, they are the same draw.
        if let Some(lab) = &outcome.found.lab {
            let hashes = [&*lab.setup_sha256, &*lab.samples_sha256];
            if !draws.insert((key.clone(), hashes, lab.place)) {
                continue;
            }
        }
        for (index, row) in outcome.rows.iter().enumerate() {
            match places.get(&(key.clone(), row.label.as_str())) {
                Some(place) => all[*place].rows.push(row),
                None => {
                    places.insert((key.clone(), &row.label), all.len());
                    let spec = &outcome.header.spec;
                    all.push(Series {
                        place: index,
                        rows: vec![row],
                        are_draws: outcome.found.lab.is_some(),
                        ..Series::bare(spec, &row.label)
                    });
                }
            }
        }
    }
    all.iter_mut().for_each(|series| series.latency = merged(series.rows.iter().copied()));
    all
}

pub(crate) fn merged<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<Distribution> {
    let mut runs = rows.filter_map(|row| row.latency.as_ref());
    let mut all = runs.next()?.clone();
    runs.for_each(|more| all.merge(more));
    Some(all)
}

pub(crate) fn of_no_duration(spec: &RunSpec) -> RunSpec {
    let of_any_file =
        |imported| Imported { file: String::new(), sha256: String::new(), ..imported };
    RunSpec {
        asked: Asked { duration: Nanos(0), ..spec.asked.clone() },
        imported: spec.imported.clone().map(of_any_file),
        ..spec.clone()
    }
}

impl<'a> System<'a> {
    /// Combines runs for a comparison under a name; `None` without a run.
    pub fn named(name: String, outcomes: Vec<&'a Outcome>) -> Option<Self> {
        let system = Self::with_runs(outcomes)?;
        Some(Self { name, series: series(&system.outcomes), ..system })
    }

    fn with_runs(outcomes: Vec<&'a Outcome>) -> Option<Self> {
        let machine = &outcomes.first()?.header.machine;
        Some(Self {
            name: String::new(),
            machine_id: machine.id(),
            machine,
            disturbed: disturbed(&outcomes),
            series: Vec::new(),
            outcomes: without_self_tests(outcomes).collect(),
        })
    }

    /// Names the kinds of cores that were measured; empty if all cores of the machine are equal.
    pub fn measured_kinds(&self) -> Vec<String> {
        let asked = self.outcomes.iter().map(|outcome| &outcome.header.spec.asked.cpus);
        self.machine.kinds_of(&asked.fold(CpuSet::default(), |all, more| all.with(more)))
    }

    pub fn of(&self, measurement: &str) -> impl Iterator<Item = &Series<'a>> {
        self.series.iter().filter(move |s| s.spec.measurement == measurement)
    }

    pub fn headlines(&self, measurement: &str) -> impl Iterator<Item = &Series<'a>> {
        self.of(measurement).filter(|series| series.headline())
    }

    pub(crate) fn invalid(&self) -> impl Iterator<Item = &'a Outcome> {
        self.outcomes.iter().copied().filter(|o| !o.is_valid())
    }

    pub(crate) fn why_invalid(&self) -> Option<String> {
        self.invalid().find_map(invalidating).map(Warning::cause)
    }

    pub fn valid(&self) -> impl Iterator<Item = &'a Outcome> {
        self.outcomes.iter().copied().filter(|o| o.is_valid())
    }

    pub(crate) fn runs_of(&self, series: &Series) -> impl Iterator<Item = &'a Outcome> {
        self.valid().filter(|run| series.is_of(&run.header.spec))
    }
}

pub fn on_all<'s, 'a>(
    systems: &'s [System<'a>],
    measurement: &str,
) -> Vec<(&'s System<'a>, &'s Series<'a>)> {
    systems
        .iter()
        .flat_map(|system| system.of(measurement).map(move |series| (system, series)))
        .collect()
}

impl<'a> Series<'a> {
    pub(crate) fn bare(spec: &'a RunSpec, label: &'a str) -> Self {
        Self {
            spec,
            label,
            place: 0,
            rows: Vec::new(),
            latency: None,
            are_draws: false,
            probe: None,
        }
    }

    pub(crate) fn latencies(&self) -> impl Iterator<Item = &'a Distribution> {
        self.rows.iter().filter_map(|row| row.latency.as_ref())
    }

    /// Whether it is the measurement's first row.
    pub fn headline(&self) -> bool {
        self.place == 0
    }

    pub fn max_ns(&self) -> Option<i64> {
        self.rows.iter().filter_map(|row| row.max_ns()).max()
    }

    /// Returns the worst case of each draw in order, in nanoseconds; nothing outside the lab.
    pub fn max_ns_of_draws(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().filter(|_| self.are_draws).filter_map(|row| row.max_ns())
    }

    /// Whether runs of that specification are in it, whatever their duration.
    pub fn is_of(&self, spec: &RunSpec) -> bool {
        of_no_duration(self.spec) == of_no_duration(spec)
    }

    pub fn due(&self) -> u64 {
        self.rows.iter().map(|row| row.due).sum()
    }

    pub fn executed(&self) -> u64 {
        self.rows.iter().map(|row| row.executed).sum()
    }

    /// Samples that were due and not carried out.
    pub fn skipped(&self) -> u64 {
        self.rows.iter().map(|row| row.skipped).sum()
    }

    pub fn unavailable(&self) -> Option<&'a str> {
        self.rows.iter().map(|row| row.unavailable.as_deref()).reduce(Option::and).flatten()
    }

    /// Returns the average: of all samples, or derived from other rows or stated by an imported file if no samples exist.
    pub fn average_ns(&self) -> Option<f64> {
        match &self.latency {
            Some(latency) => Some(latency.mean_ns()),
            None => self.mean(&fact::CONTEXT_SWITCH_NS).or_else(|| self.mean(&fact::FILE_MEAN_NS)),
        }
    }

    /// Returns a derived average's share of the average that it is a part of.
    pub fn share(&self) -> Option<f64> {
        Some(self.mean(&fact::SHARE_OF_TRANSFER_PERCENT)? / 100.0)
    }

    /// Bursts carried out and planned, if more than the tenth is missing that stalls may cost.
    pub fn cut_short(&self) -> Option<[u64; 2]> {
        let [made, planned] = [self.total(&fact::BURSTS_MADE)?, self.total(&fact::BURSTS_PLANNED)?];
        (made < planned - planned / 10).then_some([made, planned])
    }

    /// Returns a fact from every run that recorded it.
    pub fn facts(&self, fact: &Fact) -> impl Iterator<Item = &'a Value> {
        self.rows.iter().filter_map(move |row| row.fact(fact))
    }

    pub fn mean(&self, fact: &Fact) -> Option<f64> {
        let numbers: Vec<f64> = self.facts(fact).filter_map(Value::as_f64).collect();
        (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
    }

    pub fn median(&self, fact: &Fact) -> Option<f64> {
        median(self.facts(fact).filter_map(Value::as_f64))
    }

    pub fn most(&self, fact: &Fact) -> Option<f64> {
        self.facts(fact).filter_map(Value::as_f64).reduce(f64::max)
    }

    pub fn least(&self, fact: &Fact) -> Option<f64> {
        self.facts(fact).filter_map(Value::as_f64).reduce(f64::min)
    }

    pub fn total(&self, fact: &Fact) -> Option<u64> {
        self.facts(fact).filter_map(Value::as_u64).reduce(|a, b| a + b)
    }

    pub fn any(&self, fact: &Fact) -> Option<bool> {
        self.facts(fact).filter_map(Value::as_bool).reduce(|a, b| a || b)
    }

    /// Returns a fact that is a whole number, else the parameter of that name.
    pub fn count(&self, fact: &Fact) -> u64 {
        let number = self.facts(fact).find_map(Value::as_u64);
        number.unwrap_or_else(|| self.spec.parameters.count(fact))
    }

    /// A word among the facts, else the row's label.
    pub fn word(&self, fact: &Fact) -> &'a str {
        self.facts(fact).find_map(Value::as_str).unwrap_or(self.label)
    }

    /// Describes the conditions: policy, times, rates and shares always, and otherwise only what
    /// distinguishes this series from the peers that it is shown with.
    pub fn conditions(&self, peers: &[&Self]) -> String {
        self.conditions_without(&[], peers)
    }

    pub fn conditions_without(&self, left_out: &[&str], peers: &[&Self]) -> String {
        let is_told = |name: &str| !left_out.contains(&name);
        let alike: Vec<&Self> = peers.iter().copied().filter(|p| self.is_alike(p)).collect();
        let kept = |series: &Self| {
            let mut asked = series.spec.asked.clone();
            asked.loads.retain(|_| is_told("load"));
            asked
        };
        let others: Vec<Asked> = alike.iter().map(|peer| kept(peer)).collect();
        let parameters = self.notable_parameters(peers, &alike, is_told);
        if self.spec.imported.is_some() {
            let nothing = "conditions not stated".to_owned();
            return if parameters.is_empty() { nothing } else { parameters.join(", ") };
        }
        let policy = self.spec.asked.policy.to_string();
        let mut words = Vec::from_iter(Some(policy).filter(|_| is_told("policy")));
        words.extend(parameters);
        words.extend(told_apart(&kept(self), &others.iter().collect::<Vec<_>>()));
        words.extend(self.spec.gate.iter().map(|gate| gate.side.name().to_owned()));
        words.extend(self.spec.asked.tried.iter().map(|tried| {
            let value = tried.value.as_deref().unwrap_or("as it is");
            format!("{} {value}", tried.knob)
        }));
        let limits = [("causes beyond", self.spec.blame_beyond), ("stop at", self.spec.stop_at)];
        let limit = |(what, limit): (&str, Option<Nanos>)| {
            Some(format!("{what} {}", words::time(limit?.0 as f64)))
        };
        words.extend(limits.into_iter().filter_map(limit));
        words.extend(self.spec.record.then(|| "every step recorded".to_owned()));
        if words.is_empty() { "equal conditions".to_owned() } else { words.join(", ") }
    }

    /// Whether the two differ at most in load, duration and machine.
    pub fn is_alike_but_for_load(&self, other: &Self) -> bool {
        self.is_alike_but_for_load_and(&[], other)
    }

    /// Whether the two differ at most in load, duration, machine and these parameters.
    pub fn is_alike_but_for_load_and(&self, parameters: &[&str], other: &Self) -> bool {
        let [a, mut b] = [self, other].map(|series| {
            let mut spec = of_no_duration(series.spec);
            spec.asked.loads.clear();
            spec
        });
        for name in parameters {
            if let Some(value) = a.parameters.get(name) {
                b.parameters.set(name, value.clone());
            }
        }
        a == b
    }

    /// Whether label and words are the same, so that only conditions can distinguish the two.
    fn is_alike(&self, peer: &Self) -> bool {
        let is_word = |value: &Parameter| matches!(value, Parameter::Word(_));
        let mut words = self.spec.parameters.iter().filter(|(_, value)| is_word(value));
        self.label == peer.label
            && words.all(|(name, value)| peer.spec.parameters.get(name) == Some(value))
    }

    fn notable_parameters(
        &self,
        peers: &[&Self],
        alike: &[&Self],
        is_told: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let is_paced = self.spec.parameters.mode() != Some(Mode::RealFast);
        let words = |(name, value): (&str, &Parameter)| {
            let differs = |peer: &&Self| peer.spec.parameters.get(name) != Some(value);
            let text = words::value(value);
            match value {
                Parameter::Rate(_) => is_paced.then_some(text),
                Parameter::Time(_) | Parameter::Percent(_) => Some(format!("{name} {text}")),
                Parameter::Word(_) if NO_CHOICE.contains(&text.as_str()) => None,
                Parameter::Word(_) => peers.iter().any(differs).then_some(text),
                Parameter::Count(_) | Parameter::Number(_) => {
                    alike.iter().any(differs).then(|| format!("{name} {text}"))
                }
            }
        };
        let parameters = self.spec.parameters.iter();
        parameters.filter(|(name, _)| is_told(name)).filter_map(words).collect()
    }
}

/// Values with which a parameter changes nothing.
const NO_CHOICE: [&str; 2] = ["all", "none"];

/// Returns what distinguishes conditions from others, besides the policy; a load always.
pub fn told_apart(asked: &Asked, others: &[&Asked]) -> Vec<String> {
    let differs = |of: fn(&Asked) -> String| others.iter().any(|other| of(other) != of(asked));
    let mut words = Vec::new();
    if differs(|asked| asked.cpus.to_string()) {
        words.push(format!("on {}", asked.cpus.in_words()));
    }
    if differs(|asked| format!("{:?}", asked.cpu_dma_latency)) {
        let is_held = asked.cpu_dma_latency == LatencyHold::Hold;
        words.push(if is_held { "idle states held off" } else { "idle states left" }.to_owned());
    }
    if differs(|asked| asked.memory_lock.to_string()) {
        let locked = if asked.memory_lock { "memory locked" } else { "memory not locked" };
        words.push(locked.to_owned());
    }
    if asked.beside {
        words.push("beside another measurement".to_owned());
    }
    if differs(loads) || !asked.loads.is_empty() {
        words.push(loads(asked));
    }
    words
}

/// Returns in a word whether a run's figures may be used, as far as that is known.
pub fn mark(outcome: &Outcome) -> &'static str {
    match (outcome.header.spec.imported.is_some(), outcome.is_valid()) {
        (true, _) => IMPORTED,
        (false, true) => "valid",
        (false, false) => "INVALID",
    }
}

/// What is said of an imported file in place of valid or INVALID.
pub const IMPORTED: &str = "imported";

pub(crate) fn invalidating(run: &Outcome) -> Option<&Warning> {
    run.warnings.iter().find(|warning| warning.invalidates())
}

/// Whether a run is left out of the answer of its gate, with its round, because it is INVALID.
pub fn is_left_out_of_gate(run: &Outcome) -> bool {
    run.header.spec.gate.is_some() && !run.is_valid()
}

/// Returns the warnings of a run. In the lab every CPU is always measured, so that one is left out.
pub fn warnings(outcome: &Outcome) -> impl Iterator<Item = &Warning> {
    let in_lab = counts_instructions(&outcome.header.machine);
    let is_usual = move |warning: &&Warning| in_lab && **warning == Warning::NoHousekeepingCpu;
    outcome.warnings.iter().filter(move |w| !is_usual(w))
}

/// Returns how long the threads of a run measured, in nanoseconds; 0 if that was not recorded.
pub(crate) fn wall_ns(outcome: &Outcome) -> u64 {
    outcome.found.threads.iter().map(|thread| thread.counters.wall_time_ns).max().unwrap_or(0)
}

/// Returns the time that a hypervisor took from the measured CPUs of runs (steal), in nanoseconds:
/// hidden if there is one and it reports none.
pub fn steal_ns<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> Observed<u64> {
    let of_run = |run: &Outcome| {
        let stolen: Option<u64> = run.found.cpus.iter().map(|cpu| cpu.steal_ns).sum();
        if run.header.spec.imported.is_some() {
            return Observed::Hidden("an imported file does not state it".to_owned());
        }
        match (stolen, &run.header.machine.hypervisor) {
            (Some(ns), _) => Observed::Seen(ns),
            (None, Some(_)) => Observed::Hidden("the hypervisor reports no steal".to_owned()),
            (None, None) => Observed::Absent,
        }
    };
    let all: Observed<Vec<u64>> = outcomes.into_iter().map(of_run).collect();
    all.read_as("", |all| Some(all.iter().sum()))
}

/// Returns the CPUs that a row of a run was measured on.
pub(crate) fn measured_cpus(run: &Outcome, row: &Row) -> CpuSet {
    let row_cpus = row.fact(&fact::CPUS).and_then(|cpus| cpus.as_str()?.parse().ok());
    row_cpus.unwrap_or_else(|| run.header.spec.asked.cpus.clone())
}

pub const NO_LOAD: &str = "no load";

/// The loads in words: `load cpu`, `no load`.
pub fn loads(asked: &Asked) -> String {
    let names: Vec<String> = asked.loads.iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => NO_LOAD.to_owned(),
        names => format!("load {}", words::listed(names)),
    }
}

/// Runs in few words: one by its title, several of a measurement by their number.
pub fn summarised(runs: &[&Outcome]) -> Vec<String> {
    let specs = runs.iter().map(|run| &run.header.spec);
    let groups = groups(specs, |a, b| a.measurement == b.measurement);
    let words = |group: &Vec<&RunSpec>| match group.as_slice() {
        [only] => only.title(),
        several => format!("{}: {} runs", several[0].measurement, several.len()),
    };
    groups.iter().map(words).collect()
}

pub fn measurements<'a>(runs: &[&'a Outcome]) -> Vec<&'a str> {
    each_once(runs.iter().map(|run| run.header.spec.measurement.as_str()))
}

pub fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    Some(f64::midpoint(numbers[last / 2], numbers[last.div_ceil(2)]))
}

pub fn distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> usize {
    values.into_iter().collect::<BTreeSet<T>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{outcome, tire, wakeup};
    use base::Policy;

    #[test]
    fn conditions_tell_apart_what_labels_do_not() {
        let mut unlocked = tire("real-fast", 100, 1, 10, 0);
        unlocked.header.spec.asked.memory_lock = false;
        let runs = [
            tire("real-fast", 100, 1, 10, 0),
            unlocked,
            tire("real-fast", 200, 1, 10, 0),
            tire("real-time", 200, 1, 10, 0),
        ];
        let systems = systems(&runs);
        let peers: Vec<&Series> = systems[0].series.iter().collect();
        let conditions: Vec<String> = peers.iter().map(|s| s.conditions(&peers)).collect();
        assert_eq!(
            conditions,
            [
                "fifo:80, real-fast, memory locked",
                "fifo:80, real-fast, memory not locked",
                "fifo:80, real-fast",
                "fifo:80, real-time, 100 Hz",
            ]
        );
    }

    #[test]
    fn no_load_is_named_where_others_have_one() {
        let idle = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let loaded = wakeup(Policy::Fifo(80), Some("cpu"), 8e3, 6e4);
        let of = |runs: &[Outcome]| {
            let systems = systems(runs);
            let peers: Vec<&Series> = systems[0].series.iter().collect();
            peers[0].conditions(&peers)
        };
        assert_eq!(of(std::slice::from_ref(&idle)), "fifo:80, period 1 ms");
        assert_eq!(of(&[idle, loaded]), "fifo:80, period 1 ms, no load");
    }

    #[test]
    fn machines_get_the_shortest_names_that_differ() {
        let names = |change: fn(&mut Machine)| -> Vec<String> {
            let one = outcome("wakeup", Policy::OTHER, &[]);
            let mut other = one.clone();
            change(&mut other.header.machine);
            systems(&[one, other]).into_iter().map(|s| s.name).collect()
        };
        assert_eq!(names(|_| {}), ["This machine"]);
        assert_eq!(names(|m| m.cpu_model = "Other".into())[1], "Other");
        assert_eq!(names(|m| m.kernel_release = "7.0".into())[1], "Linux 7.0 (voluntary)");
        let set = names(|m| m.transparent_huge_pages = Some("never".into()));
        assert_eq!(set, ["thp madvise", "thp never"]);
        let two = names(|m| {
            m.transparent_huge_pages = Some("never".into());
            m.sched_rt_runtime_us = Some(-1);
        });
        assert_eq!(two[1], "thp never, throttling off");
        let alike = names(|m| m.command_line = "root=UUID=1".into());
        assert!(alike[0] != alike[1] && alike[1].contains('#'), "{alike:?}");
    }

    #[test]
    fn machines_of_imported_files_keep_their_name() {
        let file = |kernel: &str, architecture: &str| {
            let mut run = outcome("cyclictest", Policy::OTHER, &[]);
            run.header.machine = Machine {
                imported_as: Some("old".into()),
                kernel_release: kernel.into(),
                architecture: architecture.into(),
                ..Machine::default()
            }
            .into();
            run
        };
        let names = |runs: &[Outcome]| -> Vec<String> {
            systems(runs).into_iter().map(|system| system.name).collect()
        };
        assert_eq!(names(&[file("", ""), file("6.12", "")]), ["old", "old, Linux 6.12"]);
        let alike = names(&[file("", ""), file("", "x86_64")]);
        assert!(alike.iter().all(|name| name.starts_with("old #")), "{alike:?}");
    }
}
