//! Plans in TOML: those that ship with the program, and the reader for all plans.

mod cross;
mod file;

use anyhow::{Context, Result};
use record::RunSpec;

pub(crate) use self::cross::{Reading, Written};
pub(crate) use self::file::PlanFile;
use crate::options::request::RunRequest;
use crate::startup::output::entry;

pub(crate) struct Ready {
    /// The name, which is also the title of the command's sessions.
    pub(crate) name: &'static str,
    /// The plan in TOML. Its first line is a comment with a summary.
    pub(crate) text: &'static str,
}

macro_rules! ready {
    ($name:literal) => {
        Ready { name: $name, text: include_str!(concat!("../../../plans/", $name, ".toml")) }
    };
}

pub(crate) const QUICK: Ready = ready!("quick");
pub(crate) const FULL: Ready = ready!("full");
pub(crate) const FRAMES: Ready = ready!("frames");
pub(crate) const BENCH_TIRE: Ready = ready!("bench-tire");
pub(crate) const LAB_COMPARE: Ready = ready!("lab-compare");
pub(crate) const LAB_COMPARE_QUICK: Ready = ready!("lab-compare-quick");
pub(crate) const LAB_VERIFY: Ready = ready!("lab-verify");

/// Every plan that ships with the program: the published studies first, then those of commands.
pub(crate) const READY: &[Ready] = &[
    ready!("sae-micro"),
    ready!("sae-policies"),
    ready!("sae-grid"),
    ready!("sae-grid-thin"),
    ready!("mpe-2khz"),
    ready!("mpe-policies"),
    ready!("mpe-real-fast"),
    ready!("mur-frames"),
    ready!("fra-latencies"),
    ready!("tel-messages"),
    QUICK,
    FULL,
    FRAMES,
    BENCH_TIRE,
    LAB_COMPARE,
    LAB_COMPARE_QUICK,
    LAB_VERIFY,
];

impl Ready {
    pub(crate) fn summary(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// Returns the runs of one round, each once, with `begin` applied to them, and the number of
    /// rounds. Does not check whether a machine can execute them.
    pub(crate) fn round(&self, begin: &dyn Fn(&mut RunRequest)) -> Result<(Vec<RunSpec>, usize)> {
        let plan = Reading { begin, is_checked: false, ..Reading::default() }
            .read(self.name, self.text)?;
        Ok((plan.runs.into_iter().map(|run| run.spec).collect(), plan.repeat.get()))
    }
}

pub(crate) fn find(name: &str) -> Result<&'static Ready> {
    READY.iter().find(|ready| ready.name == name).with_context(|| {
        let known = READY.iter().map(|ready| ready.name);
        let expected = base::expected_of(name, known, "steadfast campaign --list");
        format!(
            "there is no ready plan `{name}`; {expected}; the name of a plan file ends in .toml"
        )
    })
}

/// Returns the help of a ready plan; `None` if there is no plan with that name.
pub(crate) fn explained(name: &str) -> Option<String> {
    let ready = READY.iter().find(|ready| ready.name == name)?;
    let summary = entry(0, "", ready.summary());
    Some(format!(
        "{name}, a ready plan\n\n{summary}\n  steadfast campaign {name}\n  \
         steadfast campaign --show {name}\n"
    ))
}

/// Returns the published studies with their summaries; those of commands begin with the command.
pub(crate) fn studies() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = READY.iter().map(|ready| (ready.name, ready.summary()));
    all.filter(|(_, summary)| !summary.starts_with("steadfast "))
}

const NAMES: usize = 18;

pub(crate) fn list() -> String {
    let head = "Ready plans (steadfast campaign NAME; --show NAME prints one)\n\n";
    let lines = READY.iter().map(|ready| entry(NAMES, ready.name, ready.summary()));
    head.to_owned() + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::ready::ReadyArgs;
    use crate::options::place::Place;
    use crate::session::plan_length;
    use base::{Nanos, Policy};
    use load::LOADS;
    use measure::MEASUREMENTS;
    use record::{Kind, Mode};
    use std::collections::BTreeSet;
    use std::fs;
    use testing::manual::{assert_file, project};

    fn specs(name: &str) -> Vec<RunSpec> {
        find(name).unwrap().round(&|_| {}).unwrap().0
    }

    /// Drops the runs with vector instructions that this machine lacks.
    fn with_own_vectors(mut specs: Vec<RunSpec>) -> Vec<RunSpec> {
        let own = rt::simd::InstructionSet::available().map(|set| set.to_string());
        let own: Vec<String> = own.chain(["", "best"].map(String::from)).collect();
        specs.retain(|spec| own.iter().any(|set| set == spec.parameters.instructions()));
        specs
    }

    #[test]
    fn every_ready_plan_can_be_run_on_this_machine() {
        for ready in READY {
            if ready.name != "sae-grid" && !ready.name.starts_with("lab-") {
                let specs = with_own_vectors(specs(ready.name));
                assert_eq!(Place::Local.possible(specs.clone()), specs, "{}", ready.name);
            }
        }
    }

    fn cells(name: &str) -> Vec<(u64, u64)> {
        let ready = find(name).unwrap();
        let plan = Reading::default().read(ready.name, ready.text).unwrap();
        let cell = |run: Written| (run.spec.parameters.masses(), run.spec.parameters.threads());
        plan.runs.into_iter().map(cell).collect()
    }

    #[test]
    fn the_grid_is_as_large_as_published() {
        let grid = cells("sae-grid");
        assert_eq!(grid.len(), 52_470);
        // A thread owns at least one mass of each quadrant.
        assert!(grid.iter().all(|(masses, threads)| masses / 4 >= *threads));
        let distinct: BTreeSet<(u64, u64)> = grid.into_iter().collect();
        assert_eq!(distinct.len(), 52_470);
        let thin = cells("sae-grid-thin");
        assert!(thin.iter().all(|cell| distinct.contains(cell)));
    }

    #[test]
    fn plans_take_about_as_long_as_they_say() {
        for (ready, seconds) in [(&QUICK, 90..150), (&FRAMES, 600..1200), (&BENCH_TIRE, 60..300)] {
            let planned = plan_length::planned(&ReadyArgs::default().specs(ready, |_| {}).unwrap());
            let whole_seconds = planned.0 / Nanos::SECOND.0;
            assert!(seconds.contains(&whole_seconds), "{planned}");
        }
    }

    #[test]
    fn quick_makes_every_time_of_rhealstone_under_equal_conditions() {
        let plan = specs("quick");
        let rhealstone = analysis::views::view("rhealstone").unwrap();
        let policies = |name: &str| {
            let of_name = plan.iter().filter(|spec| spec.measurement == name);
            of_name.map(|spec| spec.asked.policy).collect::<Vec<_>>()
        };
        for name in (rhealstone.measurements)() {
            assert_eq!(policies(name), [Policy::Fifo(80)], "{name}");
        }
    }

    fn choices(name: &str) -> BTreeSet<&'static str> {
        let declared = measure::find("tire").unwrap().parameters();
        let parameter = declared.iter().find(|p| p.name == name).unwrap();
        match parameter.kind {
            Kind::Choice(all) => all.iter().copied().collect(),
            _ => panic!("{name} has words"),
        }
    }

    fn tires(specs: &[RunSpec]) -> impl Iterator<Item = &RunSpec> {
        specs.iter().filter(|spec| spec.measurement == "tire")
    }

    #[test]
    fn every_solver_takes_its_turn_in_every_round_of_bench() {
        let (round, rounds) = BENCH_TIRE.round(&|_| {}).unwrap();
        let all = ReadyArgs::default().specs(&BENCH_TIRE, |_| {}).unwrap();
        let round = with_own_vectors(round);
        assert_eq!((rounds, all.len()), (3, 3 * round.len()));
        assert!(all.chunks(round.len()).all(|other| other == round));
        let solvers: BTreeSet<&str> = tires(&round).map(|spec| spec.parameters.solver()).collect();
        assert_eq!(solvers, choices("solver"));
        for set in rt::simd::InstructionSet::available() {
            let set = set.to_string();
            let own = || round.iter().filter(|s| s.parameters.instructions() == set);
            let measured: BTreeSet<&str> = own().map(|spec| &*spec.measurement).collect();
            assert_eq!(measured, BTreeSet::from(["ceiling", "tire"]), "{set}");
        }
        let sleeps = |spec: &RunSpec| spec.parameters.mode() == Some(Mode::RealTime);
        let is_alike = |spec: &RunSpec| spec.asked.policy.is_real_time() == sleeps(spec);
        assert!(round.iter().all(is_alike));
    }

    /// The plan that has every measurement, and the mark before those that no other line names.
    const FULL_FILE: &str = "crates/steadfast/plans/full.toml";
    const OTHERS: &str = "    # What no other line names\n";
    const PLAN_COLUMNS: usize = 80;

    /// Returns the measurements that need no model of the user.
    fn without_own_models() -> impl Iterator<Item = &'static str> {
        let all = MEASUREMENTS.iter().map(|measurement| measurement.name());
        all.filter(|name| !["model", measure::MIX].contains(name))
    }

    /// `GOLDEN=write` adds what is missing.
    #[test]
    fn the_full_plan_lists_every_measurement() {
        let plan = fs::read_to_string(project().join(FULL_FILE)).unwrap();
        let (before, rest) = plan.split_once(OTHERS).unwrap();
        let (_, after) = rest.split_once(" },\n").unwrap();
        let is_named = |name: &str| [before, after].iter().any(|text| text.contains(name));
        let others = without_own_models().map(|name| format!("\"{name}\""));
        let others: Vec<String> = others.filter(|name| !is_named(name)).collect();
        let line = format!("{{ measurement = [{}], seconds = 3 }},", others.join(", "));
        let wrapped = base::wrapped(&line, PLAN_COLUMNS - 6).join("\n      ");
        assert_file(FULL_FILE, &format!("{before}{OTHERS}    {wrapped}\n{after}"));
    }

    #[test]
    fn every_measurement_every_solver_and_every_load_is_in_full() {
        let plan = specs("full");
        let made: BTreeSet<&str> = plan.iter().map(|s| &*s.measurement).collect();
        assert_eq!(made, without_own_models().collect());
        let tires: BTreeSet<(Option<&str>, &str)> = tires(&plan)
            .map(|spec| (spec.parameters.mode().map(Mode::name), spec.parameters.solver()))
            .collect();
        assert_eq!(tires.len(), 2 * choices("solver").len(), "{tires:?}");
        let loads = LOADS.iter().filter(|load| !load.is_aggressor).map(|load| load.name);
        for load in loads.filter(|name| !["none", "stress-ng"].contains(name)) {
            for transfer in ["fifo_transfer", "context_switch"] {
                assert_eq!(under(&plan, load, transfer).count(), 1, "{load}");
            }
            for name in (analysis::views::view("rhealstone").unwrap().measurements)() {
                assert_eq!(under(&plan, load, name).count(), 1, "{name}, {load}");
            }
            let wakeups: BTreeSet<(u64, bool)> = under(&plan, load, "wakeup")
                .map(|s| (s.parameters.period().0, s.asked.policy == Policy::OTHER))
                .collect();
            assert_eq!(wakeups.len(), 3 * 2, "{load}");
        }
    }

    fn under<'a>(
        plan: &'a [RunSpec],
        load: &'a str,
        measurement: &'a str,
    ) -> impl Iterator<Item = &'a RunSpec> {
        plan.iter().filter(move |spec| {
            spec.measurement == measurement && spec.asked.loads.iter().any(|l| l.name == load)
        })
    }
}
