//! Requests for runs, and the specifications that they mean on a target.

mod links;
pub(crate) mod mix;
#[cfg(test)]
mod refused_lines;
pub(crate) mod run;
pub(crate) mod ssp;
pub(crate) mod subject;
pub(crate) mod values;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use measure::MIX;
use record::{NOWHERE, RunSpec};

pub(crate) use self::run::{RunRequest, STEPS, expect_few, measurement};
#[cfg(test)]
pub(crate) use self::run::{recorders, with_due_times};
use crate::options::place::Ground;

/// Returns the requested runs, each once, checked against their target, which is the same for all.
pub(crate) fn specs(requests: &[RunRequest]) -> Result<Vec<RunSpec>> {
    let Some(first) = requests.first() else {
        return Ok(Vec::new());
    };
    let ground = first.place.ground()?;
    let (mut specs, mut known) = (Vec::new(), BTreeSet::new());
    for request in requests {
        for spec in specs_on(&ground, request)? {
            if known.insert(spec.key()) {
                specs.push(spec);
            }
        }
    }
    first.place.check(&specs)?;
    Ok(specs)
}

pub(crate) fn repeated(specs: Vec<RunSpec>, times: usize) -> Result<Vec<RunSpec>> {
    expect_few(specs.len().saturating_mul(times)).context("--repeat")?;
    Ok(vec![specs; times].concat())
}

/// Returns the requested runs on a target that is already known, without checking them against it.
pub(crate) fn specs_on(ground: &Ground, request: &RunRequest) -> Result<Vec<RunSpec>> {
    run::specs_on(ground, request, |spec, ground| {
        let path = spec.parameters.plan().to_owned();
        let is_filled = spec.measurement == MIX && path != NOWHERE;
        if is_filled { mix::fill(spec, &path, request, ground) } else { Ok(()) }
    })
}

#[cfg(test)]
mod tests {
    use base::{CpuSet, Nanos, Policy};
    use rt::topology;

    use super::*;
    use crate::command::run::line::{requests_of, specs_of as read};
    use crate::options::MOST_RUNS;
    use testing::refuses;

    #[test]
    fn several_values_are_several_runs() {
        let specs = read("wakeup --period 1ms,10ms --policy fifo:70,").unwrap_err();
        assert!(specs.to_string().contains("--policy"));
        let specs = read("wakeup --period 1ms,10ms --policy fifo:70 --cpus 0").unwrap();
        let periods: Vec<Nanos> = specs.iter().map(|s| s.parameters.period()).collect();
        assert_eq!(periods, [Nanos(1_000_000), Nanos(10_000_000)]);
        assert!(specs.iter().all(|s| s.asked.policy == Policy::Fifo(70)));
    }

    #[test]
    fn locked_processes_get_a_cpu_each_and_free_ones_all() {
        let usable = topology::usable();
        let cpus = |line| read(line).unwrap()[0].asked.cpus.clone();
        assert_eq!(cpus("frame").len(), 1);
        assert_eq!(cpus("frame --processes cpus"), usable);
        assert_eq!(cpus("frame --affinity free"), usable);
    }

    #[test]
    fn a_core_is_left_to_the_program_where_two_cpus_are_left() {
        let set = |text: &str| -> CpuSet { text.parse().unwrap() };
        let cpus = |cores: &[&str], line: &str| {
            let cores: Vec<CpuSet> = cores.iter().map(|core| set(core)).collect();
            let usable = cores.iter().flat_map(CpuSet::iter).collect();
            let request = requests_of(line).unwrap().remove(0);
            let mut specs =
                specs_on(&Ground { usable, isolated: CpuSet::default(), cores }, &request).unwrap();
            specs.remove(0).asked.cpus
        };
        let [single, twice] = [["0", "1", "2"], ["0,4", "1,5", "2,6"]];
        assert_eq!(cpus(&single, "wakeup --cpus most"), set("1-2"));
        assert_eq!(cpus(&twice, "wakeup --cpus most"), set("1-2,5-6"));
        assert_eq!(cpus(&single[..2], "wakeup --cpus most"), set("0-1"));
        assert_eq!(cpus(&["0,1"], "wakeup --cpus most"), set("0-1"));
        let tire = |threads| cpus(&single, &format!("tire --cpus most --threads {threads}"));
        assert_eq!((tire("1"), tire("cpus")), (set("2"), set("1-2")));
    }

    #[test]
    fn late_is_what_misses_its_deadline_unless_a_threshold_is_set() {
        let limit = |line| read(line).unwrap()[0].blame_beyond;
        assert_eq!(limit("wakeup"), None);
        assert_eq!(limit("wakeup --blame"), Some(Nanos(100_000)));
        assert_eq!(limit("frame --blame --rate 1kHz"), Some(Nanos(1_000_000)));
        let typed = "tire --mode real-time --blame --threshold 200us";
        assert_eq!(limit(typed), Some(Nanos(200_000)));
    }

    #[test]
    fn what_ends_a_run_is_late_unless_a_threshold_is_set() {
        let spec = |line: &str| read(line).unwrap().remove(0);
        let us = |us: u64| Some(Nanos(us * 1_000));
        assert!(!spec("wakeup").hands_over());
        let stopped = spec("wakeup --stop-at 200us");
        assert_eq!((stopped.stop_at, stopped.live, stopped.blame_beyond), (us(200), false, None));
        assert_eq!(spec("wakeup --stop-at 200us --blame").blame_beyond, us(200));
        assert_eq!(spec("wakeup --stop-at 200us --blame --threshold 50us").blame_beyond, us(50));
        assert!(spec("wakeup --live").live);
    }

    #[test]
    fn what_cannot_be_followed_is_refused_in_one_line_that_says_why() {
        for (line, named) in [
            ("task_switch --live", "--live: task_switch cannot be followed"),
            ("tire --mode real-time --stop-at 1ms", "--stop-at: tire cannot"),
            ("frame --live --stop-at 1ms", "--live and --stop-at: frame cannot"),
        ] {
            let why = read(line).unwrap_err().to_string();
            assert!(why.starts_with(named) && !why.contains('\n'), "{why}");
        }
        let mut request = requests_of("wakeup --live").unwrap().remove(0);
        request.place = "vm:debian".parse().unwrap();
        let ground = Ground {
            usable: CpuSet::one(0),
            isolated: CpuSet::default(),
            cores: vec![CpuSet::one(0)],
        };
        let why = specs_on(&ground, &request).unwrap_err().to_string();
        assert!(why.starts_with("--live: a machine of the lab sends nothing"), "{why}");
    }

    #[test]
    fn more_runs_than_a_plan_may_have_are_refused_before_they_fill_the_memory() {
        let list = |count: usize| (1..=count).map(|n| format!("{n}ms,")).collect::<String>();
        let many = list(400);
        let why = read(&format!("frame --seconds 1 --rate {many} --overrun skip"));
        assert!(why.is_err(), "a time is not a rate");
        let line =
            format!("interrupt --period {}1ms --source {}timer", list(400), "timer,".repeat(400));
        refuses(read(&line), "160801 runs requested");
        let runs = read("wakeup --period 1ms,2ms").unwrap();
        assert_eq!(repeated(runs.clone(), 50_000).unwrap().len(), MOST_RUNS);
        let why = format!("{:#}", repeated(runs, 50_001).unwrap_err());
        assert!(why.starts_with("--repeat: 100002 runs"), "{why}");
    }

    #[test]
    fn equal_runs_are_made_once() {
        assert_eq!(read("wakeup wakeup --period 1ms,1ms").unwrap().len(), 1);
    }

    #[test]
    fn real_time_is_requested_where_deadlines_matter() {
        let wakeup = &read("wakeup").unwrap()[0].asked;
        assert!(wakeup.policy.is_real_time() && wakeup.memory_lock);
        let spin = &read("frame --start spin").unwrap()[0].asked;
        assert!(!spin.policy.is_real_time() && spin.memory_lock);
        let fast = &read("tire --mode real-fast").unwrap()[0].asked;
        assert!(!fast.policy.is_real_time() && !fast.memory_lock);
    }
}
