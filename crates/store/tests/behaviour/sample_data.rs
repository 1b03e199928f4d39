//! Outcomes and samples to save, each different from the others.

use plan::{
    Asked, CpuCounters, Found, Header, LatencyHold, LoadFound, Machine, Outcome, Parameters, Row,
    RunSpec, ThreadFound, Track, Value, Warning, fact,
};
use stats::{Distribution, Sample};
use units::{CpuSet, Nanos, Policy};

pub fn machine() -> Machine {
    Machine {
        architecture: "x86_64".into(),
        cpu_model: "Some CPU".into(),
        cpus: CpuSet::from_iter(0..4),
        cores: 2,
        mitigations: [("meltdown".into(), "Mitigation: PTI".into())].into(),
        memory_bytes: 1 << 34,
        sched_rt_runtime_us: Some(-1),
        ..Machine::default()
    }
}

/// A specification that depends on its place in the plan.
pub fn spec(ordinal: usize) -> RunSpec {
    let mut parameters = Parameters::default();
    parameters.set("masses", Value::Count(8 + 4 * ordinal as u64));
    parameters.set("period", Value::Time(Nanos(1_000_000)));
    let asked = Asked {
        cpus: CpuSet::one(1),
        policy: Policy::Fifo(80),
        duration: Nanos::SECOND,
        memory_lock: true,
        cpu_dma_latency: LatencyHold::Hold,
        loads: vec!["disk%50@0:/var/tmp".parse().unwrap()],
        beside: false,
        tried: Vec::new(),
    };
    RunSpec::new("tire", parameters, asked)
}

pub fn plan(length: usize) -> Vec<RunSpec> {
    (0..length).map(spec).collect()
}

/// An outcome whose every part depends on its place in the plan.
pub fn outcome(ordinal: usize) -> Outcome {
    Outcome {
        header: Header {
            run_id: run_id(ordinal),
            tool_version: "0.1.0".into(),
            spec: spec(ordinal),
            machine: machine().into(),
            started_unix_ns: 1_790_000_000_000_000_000 + ordinal as u64,
        },
        found: found(ordinal),
        warnings: warnings(ordinal),
        rows: vec![
            Row::of("cpu 1", Some(distribution(ordinal)))
                .with(&fact::SLOPE, 0.1 + ordinal as f64 / 3.0)
                .with(&fact::STATE_HASH, "0f3a"),
            Row { due: 1000, executed: 990, skipped: 10, ..Row::of("nothing measured", None) },
            Row::unavailable("uart", "needs a serial port in loopback"),
        ],
    }
}

pub fn run_id(ordinal: usize) -> String {
    format!("run-{ordinal}")
}

pub fn distribution(ordinal: usize) -> Distribution {
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

fn found(ordinal: usize) -> Found {
    let thread = ThreadFound {
        name: "high".into(),
        asked_policy: Policy::Fifo(80),
        asked_cpus: CpuSet::one(1),
        policy: Policy::Fifo(80),
        cpus: CpuSet::one(1),
        policy_at_end: Policy::OTHER,
        cpus_at_end: CpuSet::default(),
        counters: Default::default(),
    };
    let load = LoadFound {
        name: "cpu".into(),
        cpus: CpuSet::one(2),
        work_done: ordinal as u64,
        unit: "loops".into(),
    };
    let cpu = CpuCounters { cpu: 1, steal_ns: 10_000_000, interrupts: None };
    Found { threads: vec![thread], loads: vec![load], cpus: vec![cpu], ..Found::default() }
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
