//! Outcomes and samples to save, each different from the others.

use rt::clock::unix_time;
use std::path::PathBuf;

use base::{CpuSet, Nanos, Policy};
use record::{CpuCounters, LoadFound, Machine, Outcome, Row, RunSpec, Track, Value, Warning, fact};
use stats::{Distribution, Sample};
use store::{Session, Store};
use tempfile::TempDir;
use testing::outcomes;

/// Returns the place of a store in a new folder, which lasts as long as the first value.
pub fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.db");
    (folder, path)
}

/// Returns a store in a new folder, and a session of it that has begun, with a plan of this length.
pub fn begun(length: usize) -> (TempDir, PathBuf, Store, Session) {
    let (folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let session = store.begin_session("t", &plan(length), &machine(), unix_time()).unwrap();
    (folder, path, store, session)
}

pub fn machine() -> Machine {
    outcomes::machine()
}

pub fn plan(length: usize) -> Vec<RunSpec> {
    (0..length).map(|ordinal| without_rows(ordinal).header.spec).collect()
}

/// An outcome whose every part depends on its place in the plan.
pub fn outcome(ordinal: usize) -> Outcome {
    let rows = vec![
        Row::of("cpu 1", Some(distribution(ordinal)))
            .with(&fact::SLOPE, 0.1 + ordinal as f64 / 3.0)
            .with(&fact::STATE_HASH, "0f3a"),
        Row { due: 1000, executed: 990, skipped: 10, ..Row::of("nothing measured", None) },
        Row::unavailable("uart", "needs a serial port in loopback"),
    ];
    Outcome { rows, ..without_rows(ordinal) }
}

fn without_rows(ordinal: usize) -> Outcome {
    let masses = ("masses", Value::Count(8 + 4 * ordinal as u64));
    let period = ("period", Value::Time(Nanos(1_000_000)));
    let mut outcome = outcomes::outcome("tire", Policy::Fifo(80), &[masses, period]);
    outcome.header.run_id = run_id(ordinal);
    outcome.header.started_unix_ns += ordinal as u64;
    outcome.header.spec.asked.loads = vec!["disk%50@0:/var/tmp".parse().unwrap()];
    outcome.found.loads = vec![LoadFound {
        name: "cpu".into(),
        cpus: CpuSet::one(2),
        work_done: ordinal as u64,
        unit: "loops".into(),
    }];
    outcome.found.cpus = vec![CpuCounters { cpu: 1, steal_ns: Some(10_000_000), interrupts: None }];
    // What was asked, found and found at the end differ, so that none is taken for another.
    let thread = &mut outcome.found.threads[0];
    (thread.policy_at_end, thread.cpus_at_end) = (Policy::OTHER, CpuSet::default());
    outcome.found.system.sched_rt_runtime_us = Some(-1);
    outcome.warnings = warnings(ordinal);
    outcome
}

pub fn run_id(ordinal: usize) -> String {
    format!("run-{ordinal}")
}

fn distribution(ordinal: usize) -> Distribution {
    let sample = |index: u64| Sample {
        value_ns: (index as i64 * 7919) % 50_000 - 20 + ordinal as i64,
        index,
        at_ns: index * 1_000_000,
    };
    Distribution::of((0..2000).map(sample)).expect("there are samples")
}

/// Two tracks; the first column of the first one has `length` values.
pub fn tracks(ordinal: usize, length: usize) -> Vec<Track> {
    let stamp = |k: usize| (k * 1_000_000 + (k * 7919 + ordinal) % 4000) as i64;
    vec![
        Track::new("cpu 1")
            .with("t0_ns", 17 + ordinal)
            .with("share", 0.1 + 0.2)
            .column("wake_ns", (0..length).map(stamp).collect())
            .column("extreme", vec![i64::MIN, 0, i64::MAX]),
        Track::new("empty").column("none", vec![]),
    ]
}

/// Every third run is invalid, every third one clean.
fn warnings(ordinal: usize) -> Vec<Warning> {
    let idle = Warning::LoadIdle { load: "cpu".into() };
    match ordinal % 3 {
        0 => vec![],
        1 => vec![Warning::NoHousekeepingCpu],
        _ => vec![Warning::NoHousekeepingCpu, idle],
    }
}
