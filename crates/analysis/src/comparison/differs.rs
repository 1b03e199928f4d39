//! How systems differ apart from the results: in fingerprints, and in requested and actual
//! conditions.

use std::collections::BTreeSet;

use base::Observed;
use record::{Machine, Outcome};
use serde::Serialize;

use crate::conditions::{asked, idle_states_found, of_machine, settings};
use crate::lists::{each_once, found_or_new};
use crate::machine::{self, NOT_STATED, facts, mitigations};
use crate::survey::{self, System, distinct, versions};
use crate::words;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Differing {
    /// Name of the fact that differs.
    pub what: String,
    /// Value on each system, in the order of `systems`.
    pub values: Vec<String>,
    #[serde(skip)]
    whole: Vec<String>,
    /// Whether the fact is known to affect latency strongly.
    #[serde(rename = "important")]
    pub is_important: bool,
}

impl Differing {
    pub(super) fn identify(&mut self) {
        self.values.clone_from(&self.whole);
    }
}

const IMPORTANT: &[&str] = &[
    "Kernel",
    "Preemption model",
    "Frequency governor",
    "Clock source",
    "Timer slack",
    CORES,
    "Isolated CPUs",
    "Idle states",
    IDLE_STATES_FOUND,
    VERSION,
    "sched_ext",
    "cpu_weight",
    "cpu_idle",
    "cpu_max",
    "rt_runtime_us",
    "isolated_by",
    "deepest_idle_state",
];
const CORES: &str = "Measured cores";
const VERSION: &str = "steadfast";
const IDLE_STATES_FOUND: &str = "/dev/cpu_dma_latency found";

/// Settings that change with each run, whatever the system.
const OF_A_RUN: &[&str] = &[
    "Frequency at the start",
    "Temperature at the start",
    "Everything else",
    "Stolen by the hypervisor",
    "Interrupts",
    "Setup, SHA-256",
    "Samples, SHA-256",
];
/// With more values than this, only their number is shown.
const MOST_VALUES: usize = 4;

type Fact = (String, String);

/// Returns the facts that differ between systems, the important first. A missing fact is a dash.
pub fn differing(systems: &[System]) -> Vec<Differing> {
    let all = Vec::from_iter(systems.iter().map(|system| facts_of(system, system.machine)));
    let public = |system: &System| facts_of(system, &machine::public(system.machine));
    let public = Vec::from_iter(systems.iter().map(public));
    let mut names = each_once(all.iter().flatten().map(|(name, _)| name.as_str()));
    names.retain(|name| is_recorded_by_all(systems, name));
    names.retain(|name| is_stated_by_all(systems, &all, name));
    names.sort_by_key(|name| rank(name));
    let differing = |name: &&str| {
        let value = |facts: &Vec<Fact>| {
            let found = facts.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "–".to_owned(), |(_, value)| value.clone())
        };
        let whole: Vec<String> = all.iter().map(value).collect();
        (distinct(&whole) > 1).then(|| Differing {
            what: (*name).to_owned(),
            values: public.iter().map(value).collect(),
            whole,
            is_important: rank(name) < IMPORTANT.len(),
        })
    };
    names.iter().filter_map(differing).collect()
}

/// Whether a fact says something about each system. Conditions that the machine decided do not where
/// the runs of a system have none, since the program that made them recorded none.
fn is_recorded_by_all(systems: &[System], name: &str) -> bool {
    let has = |system: &System, is_it: &dyn Fn(&str) -> bool| {
        let mut conditions = system.outcomes.iter().flat_map(|outcome| of_machine(outcome));
        conditions.any(|(known, _)| is_it(known))
    };
    let is_of_machine = systems.iter().any(|system| has(system, &|known| known == name));
    !is_of_machine || systems.iter().all(|system| has(system, &|_| true))
}

/// Whether every imported file among the systems states a fact: what one does not state is unknown, not different.
fn is_stated_by_all(systems: &[System], all: &[Vec<Fact>], name: &str) -> bool {
    let is_known = |(system, facts): (&System, &Vec<Fact>)| {
        let found = facts.iter().find(|(known, _)| known == name);
        system.machine.imported_as.is_none() || found.is_some_and(|(_, value)| value != NOT_STATED)
    };
    systems.iter().zip(all).all(is_known)
}

fn rank(name: &str) -> usize {
    let place = IMPORTANT.iter().position(|known| *known == name);
    place.unwrap_or(IMPORTANT.len())
}

fn facts_of(system: &System, machine: &Machine) -> Vec<Fact> {
    let machine_facts = facts(machine).into_iter().map(|(name, value)| (name.to_owned(), value));
    let mitigated = mitigations(machine).into_iter();
    let mitigated = mitigated.map(|(name, state)| (format!("Mitigation of {name}"), state));
    let version = versions(system.outcomes.iter().copied()).join("; ");
    machine_facts
        .chain([(VERSION.to_owned(), version)])
        .chain(mitigated)
        .chain(of_runs(system))
        .chain(cores(system))
        .chain(stolen(system))
        .chain(measured(system))
        .collect()
}

/// Returns conditions and settings of all runs, each value once.
fn of_runs(system: &System) -> Vec<Fact> {
    let mut facts: Vec<(String, BTreeSet<String>)> = Vec::new();
    let mut add = |name: String, value: String| {
        let new = || (name.clone(), BTreeSet::new());
        found_or_new(&mut facts, |(known, _)| *known == name, new).1.insert(value);
    };
    for outcome in system.outcomes.iter().copied() {
        for (name, value) in asked(outcome) {
            add(format!("{name} asked"), value);
        }
        if outcome.header.spec.imported.is_none() {
            add(IDLE_STATES_FOUND.to_owned(), idle_states_found(outcome));
        }
        let found = settings(outcome).into_iter();
        for (name, value) in found.filter(|(name, _)| !OF_A_RUN.contains(name)) {
            add(name.to_owned(), value);
        }
        for (name, value) in of_machine(outcome) {
            add(name.to_owned(), value);
        }
    }
    let fact = |(name, values): (String, BTreeSet<String>)| {
        let first = Vec::from_iter(values.iter().take(MOST_VALUES).cloned()).join("; ");
        let count = values.len();
        (name, if count > MOST_VALUES { format!("{count} values: {first}; …") } else { first })
    };
    facts.into_iter().map(fact).collect()
}

fn cores(system: &System) -> Option<Fact> {
    let kinds = system.measured_kinds();
    (!kinds.is_empty()).then(|| (CORES.to_owned(), kinds.join(", ")))
}

/// Returns the share of the measured CPUs' time that the hypervisor gave to others (steal).
fn stolen(system: &System) -> Option<Fact> {
    let of_run = |run: &Outcome| survey::wall_ns(run) * run.found.cpus.len() as u64;
    let time: u64 = system.valid().map(of_run).sum();
    let share = |ns: u64| words::percent(ns as f64 / time as f64);
    let words = match survey::steal_ns(system.valid()) {
        _ if time == 0 => return None,
        Observed::Seen(ns) => format!("{} of the time measured", share(ns)),
        Observed::Absent => return None,
        Observed::Hidden(why) => why,
    };
    Some(("Stolen by the hypervisor".to_owned(), words))
}

fn measured(system: &System) -> Vec<Fact> {
    let starts = || system.outcomes.iter().filter_map(|run| run.header.known_start_unix_ns());
    let runs = system.outcomes.len();
    let counts = match system.invalid().count() {
        0 => words::grouped(runs as u64),
        invalid => format!("{runs}, {invalid} of them INVALID"),
    };
    let first = starts().min().map(|at| ("First run", words::moment(at)));
    let last = starts().max().map(|at| ("Last run", words::moment(at)));
    let known = [Some(("Runs", counts)), first, last].into_iter().flatten();
    known.map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::wakeup;
    use crate::survey::systems;
    use base::{CpuSet, Observed, Policy};
    use doctor::CONDITIONS;
    use record::CoreKind;

    fn of(change: fn(&mut Outcome)) -> Vec<Differing> {
        let one = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let mut other = one.clone();
        change(&mut other);
        let [one, other] = [[one], [other]];
        let both: Vec<System> = systems(&one).into_iter().chain(systems(&other)).collect();
        differing(&both)
    }

    #[test]
    fn only_differences_are_listed_and_the_important_first() {
        assert_eq!(of(|_| {}), []);
        let found = of(|run| {
            run.header.machine.swap_bytes = 1 << 30;
            run.header.machine.preemption = "rt".into();
            run.header.tool_version = "9".into();
        });
        let facts: Vec<(&str, bool)> =
            found.iter().map(|d| (d.what.as_str(), d.is_important)).collect();
        assert_eq!(facts[..2], [("Preemption model", true), (VERSION, true)]);
        assert!(!facts[2].1 && found[2].values[1].contains("1 GiB"), "{found:?}");
        assert_eq!(found[0].values, ["voluntary", "rt"]);
    }

    #[test]
    fn unlike_cores_are_an_important_difference() {
        let kind = |cpus: &str, name: &str| CoreKind {
            cpus: cpus.parse().unwrap(),
            name: name.to_owned(),
            capacity: None,
        };
        let board = |cpu| {
            let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
            run.header.machine.unlike_cores =
                vec![kind("1", "Cortex-A72"), kind("0", "Cortex-A53")];
            run.header.spec.asked.cpus = CpuSet::one(cpu);
            [run]
        };
        let runs = [board(0), board(1)];
        let systems: Vec<System> = runs.iter().flat_map(systems).collect();
        let first = differing(&systems).remove(0);
        assert_eq!((first.what.as_str(), first.is_important), (CORES, true));
        assert_eq!(first.values, ["Cortex-A53 (CPU 0)", "Cortex-A72 (CPU 1)"]);
    }

    #[test]
    fn each_condition_of_the_machine_that_differs_is_named_alone() {
        let pair = |name: &str| {
            ["one", "another"].map(|value| {
                let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
                for condition in CONDITIONS {
                    let value = if condition.name == name { value } else { "same" };
                    let value = Observed::Seen(value.to_owned());
                    run.found.system.machine.insert(condition.name.to_owned(), value);
                }
                [run]
            })
        };
        for condition in CONDITIONS {
            let runs = pair(condition.name);
            let both: Vec<System> = runs.iter().flat_map(systems).collect();
            let found = differing(&both);
            let named: Vec<&str> = found.iter().map(|fact| fact.what.as_str()).collect();
            assert_eq!(named, [condition.name]);
            assert_eq!(found[0].values, ["one", "another"]);
        }
        let [[recorded], _] = pair("sched_ext");
        let unrecorded = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let runs = [[recorded], [unrecorded]];
        let both: Vec<System> = runs.iter().flat_map(systems).collect();
        assert_eq!(differing(&both), []);
    }

    #[test]
    fn each_setting_that_differs_is_named_alone() {
        type Change = fn(&mut Outcome);
        let each: [(&str, Change); 12] = [
            ("Timer slack", |run| run.found.threads[0].timer_slack_ns = Some(5_000_000)),
            ("CPUs without tick", |run| run.header.machine.nohz_full_cpus = "1".into()),
            ("Isolated CPUs", |run| {
                run.header.machine.isolated_cpus = "1".into();
                run.found.system.isolated_cpus = "1".into();
            }),
            ("Frequency governor", |run| {
                run.header.machine.governors = vec!["schedutil".into()];
                run.found.system.governors = [(1, "schedutil".to_owned())].into();
            }),
            ("Clock source", |run| {
                run.header.machine.clock_source = Some("hpet".into());
                run.found.system.clock_source = Some("hpet".into());
            }),
            ("SMT", |run| {
                run.header.machine.smt = Some("forceoff".into());
                run.found.system.smt = Some("forceoff".into());
            }),
            ("Real-time throttling", |run| {
                run.header.machine.sched_rt_runtime_us = Some(-1);
                run.found.system.sched_rt_runtime_us = Some(-1);
            }),
            ("Fair server", |run| run.found.system.fair_servers.clear()),
            ("Preemption model", |run| run.header.machine.preemption = "lazy".into()),
            ("Idle states", |run| run.header.machine.idle_states = vec!["C9".into()]),
            ("Transparent huge pages", |run| {
                run.header.machine.transparent_huge_pages = Some("inherit".into());
            }),
            (IDLE_STATES_FOUND, |run| run.found.system.cpu_dma_latency_us = Some(70)),
        ];
        for (name, change) in each {
            let found = of(change);
            let named: Vec<&str> = found.iter().map(|fact| fact.what.as_str()).collect();
            assert_eq!(named, [name]);
        }
    }

    #[test]
    fn conditions_are_listed_as_asked_and_as_found() {
        let found = of(|run| {
            run.header.spec.asked.loads = vec!["cpu".parse().unwrap()];
            run.found.system.cpu_dma_latency_us = Some(2_000_000_000);
        });
        let names: Vec<&str> = found.iter().map(|differing| differing.what.as_str()).collect();
        assert_eq!(names, [IDLE_STATES_FOUND, "Load asked"]);
    }
}
