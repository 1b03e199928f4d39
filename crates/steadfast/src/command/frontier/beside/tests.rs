//! Tests of the choices, and a plan of them for the tests of the driver.

use std::fs;

use anyhow::Result;
use base::{CpuSet, Nanos};
use record::RunSpec;
use tempfile::tempdir;

use super::super::tests::parse;
use super::on;
use crate::options::place::Ground;
use crate::session::driver::Plan;
use crate::session::rounds::Rounds;

/// The plan and its path; a session is found by the path too.
const PLAN: &str = include_str!("mix.toml");
const PATH: &str = "src/command/frontier/beside/mix.toml";

/// Returns the runs to try with the plan at that path, on a machine with `cpus` CPUs.
fn rounds_of(path: &str, cpus: usize, more: &str) -> Result<Rounds> {
    let ground = Ground {
        usable: (0..cpus).collect(),
        isolated: CpuSet::default(),
        cores: (0..cpus).map(CpuSet::one).collect(),
    };
    on(&ground, &parse(&format!("mix {path} {more}"))?, path)
}

/// Does the same for a plan with that text.
fn rounds(text: &str, cpus: usize, more: &str) -> Result<Rounds> {
    let folder = tempdir().unwrap();
    let path = folder.path().join("mix.toml");
    fs::write(&path, text).unwrap();
    rounds_of(path.to_str().unwrap(), cpus, more)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(more: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let rounds = rounds_of(PATH, 2, more).unwrap();
    let specs = rounds.specs();
    (Box::new(rounds.plan()), specs)
}

#[test]
fn every_way_alternates_with_no_best_effort_work() {
    let tried = rounds(PLAN, 2, "--budget 5min").unwrap().specs();
    let way_of = |spec: &RunSpec| {
        let rest = spec.members.iter().find(|member| member.best_effort)?;
        let asked = &rest.run.asked;
        let limit = rest.limit_percent;
        Some((asked.policy.to_string(), asked.cpus.to_string(), limit))
    };
    let all: Vec<Option<(String, String, Option<u64>)>> = tried.iter().map(way_of).collect();
    let way = |policy: &str, cpu: &str, limit| Some((policy.to_owned(), cpu.to_owned(), limit));
    let expected = [
        None,
        way("idle", "1", None),
        way("other:19", "1", None),
        way("other", "1", None),
        way("other", "1", Some(25)),
        way("other", "0", None),
    ];
    assert_eq!(all, expected);
    for spec in &tried {
        assert_eq!(spec.asked.duration, tried[0].asked.duration);
        assert_eq!(spec.asked.policy, tried[0].asked.policy);
    }
    assert_eq!(tried[5].asked.cpus, "0-1".parse().unwrap());
    // Without a second CPU there is no other one.
    assert_eq!(rounds(PLAN, 1, "").unwrap().specs().len(), 5);
}

#[test]
fn members_last_as_long_as_runs_that_fit_into_the_budget() {
    let length = |more: &str| {
        let specs = rounds(PLAN, 2, more).unwrap().specs();
        assert!(
            specs[0].members.iter().all(|one| one.run.asked.duration == specs[0].asked.duration)
        );
        specs[0].asked.duration
    };
    assert_eq!(length("--budget 10min"), Nanos(10_000_000_000));
    assert_eq!(length("--budget 1min"), Nanos(2_000_000_000));
    assert_eq!(length("--budget 1min --seconds 1"), Nanos(1_000_000_000));
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let without = PLAN.replace("best_effort = true", "rate = \"10Hz\"");
    let strange = PLAN.replace("1kHz", "soon");
    for (text, more, reason) in [
        (&*without, "", "expected one member with best_effort = true"),
        (&*strange, "", "mix.toml:4:8: rate: "),
        (PLAN, "--masses 400", "--masses: the members are"),
        (PLAN, "--budget 9s", "--budget: 9s is too short"),
        (PLAN, "--over rate", "--over"),
        (PLAN, "--soft", "--soft"),
        (PLAN, "--size 400", "--size"),
    ] {
        let why = format!("{:#}", rounds(text, 2, more).err().unwrap());
        assert!(why.contains(reason), "{more}: {why}");
    }
}
