//! Writes a store of many simulated runs, the same at each call, to see how a report grows: `cargo
//! run --release -p steadfast --example large -- 50000 large.db`.
//!
//! Nine of ten runs are real-time tires over a grid of masses, threads and loads, each point
//! several times; the others are wakeups. Their rows are computed from simulated samples, like
//! those of real runs.

use std::env;
use std::path::Path;

use anyhow::{Context, Result};
use base::{CpuSet, Nanos, Policy};
use record::{
    Asked, Counters, CpuCounters, Found, Header, LatencyHold, LoadSpec, Machine, Parameters,
    Recording, RunSpec, SystemFound, ThreadFound, Track, Value,
};
use store::Store;

/// A tenth of a published study's, so that a small store contains many points.
const STEPS: u64 = 200;
const PERIOD: i64 = 10_000_000;
const SIZES: u64 = 60;
const THREADS: u64 = 4;
const LOADS: [Option<&str>; 3] = [None, Some("cpu"), Some("memory")];

fn main() -> Result<()> {
    let usage = "usage: large RUNS FILE";
    let [count, path] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        anyhow::bail!(usage);
    };
    let count: u64 = count.parse().context(usage)?;
    let machine = machine();
    let plan: Vec<RunSpec> = (0..count).map(spec).collect::<Result<_>>()?;
    let mut store = Store::open(Path::new(path))?;
    let session = store.begin_session("large", &plan, &machine, 0)?;
    for (number, spec) in plan.into_iter().enumerate() {
        let outcome = measure::outcome(&recording(number as u64, spec, &machine));
        store.save(&session, number, &outcome, &[])?;
    }
    store.finish_session(&session)?;
    Ok(())
}

/// Pseudorandom numbers, the same for the same seed.
fn noise(seed: u64) -> impl FnMut(u64) -> i64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below) as i64
    }
}

fn spec(number: u64) -> Result<RunSpec> {
    let (measurement, point) = match number % 10 {
        9 => ("wakeup", number / 10),
        _ => ("tire", number - number / 10),
    };
    let declared = measure::find(measurement).context("unknown measurement")?;
    let mut parameters = Parameters::defaults(declared.parameters());
    let threads = 1 + point % THREADS;
    if measurement == "tire" {
        parameters.set("mode", Value::Word("real-time".to_owned()));
        let size = 1 + point / THREADS % SIZES;
        parameters.set_masses(4000 * size);
        parameters.set_threads(threads);
        parameters.set_steps(STEPS);
    }
    let load = LOADS[(point / THREADS / SIZES) as usize % LOADS.len()];
    let load = load.map(str::parse::<LoadSpec>);
    let (cpus, duration) = (CpuSet::from_iter(1..=threads as usize), Nanos(STEPS * PERIOD as u64));
    let asked = Asked {
        memory_lock: true,
        cpu_dma_latency: LatencyHold::Hold,
        loads: load.transpose().map_err(anyhow::Error::msg)?.into_iter().collect(),
        ..Asked::plain(cpus, Policy::Fifo(80), duration)
    };
    Ok(RunSpec::new(measurement, parameters, asked))
}

fn recording(number: u64, spec: RunSpec, machine: &Machine) -> Recording {
    let mut noise = noise(number + 1);
    let tracks = match spec.measurement.as_str() {
        "tire" => tire(&spec, &mut noise),
        _ => wakeup(&spec, &mut noise),
    };
    Recording {
        found: found(&spec),
        header: Header {
            run_id: format!("01890000-0000-7000-8000-{number:012x}"),
            tool_version: "0.1.0".to_owned(),
            spec,
            machine: machine.clone().into(),
            started_unix_ns: 1_767_225_600_000_000_000 + number * 3_000_000_000,
        },
        warnings: vec![],
        tracks,
        evidence: vec![],
    }
}

/// Returns every thread's stamps of each step and of its four phases, then what all threads have in
/// common.
fn tire(spec: &RunSpec, noise: &mut impl FnMut(u64) -> i64) -> Vec<Track> {
    let (masses, threads) = (spec.parameters.masses(), spec.parameters.threads());
    let busy = (masses * 40 / threads) as i64;
    let dues: Vec<i64> = (0..STEPS as i64).map(|step| step * PERIOD).collect();
    let mut thread = |thread: u64| {
        let (mut starts, mut ends, mut phases, mut phase_ends) = (vec![], vec![], vec![], vec![]);
        for due in &dues {
            let start = due + 3_000 + noise(4_000);
            let spike = if noise(500) == 0 { PERIOD / 2 } else { 0 };
            let run = busy + noise(busy as u64 / 4 + 2_000) + spike;
            starts.push(start);
            for (phase, share) in [(0, 5), (1, 60), (2, 80), (0, 100)] {
                phases.push(phase);
                phase_ends.push(start + run * share / 100);
            }
            ends.push(start + run);
        }
        Track::new(format!("model {thread}"))
            .with("cpu_time_ns", busy * STEPS as i64)
            .column("due_ns", dues.clone())
            .column("start_ns", starts)
            .column("end_ns", ends)
            .column("phase", phases)
            .column("phase_end_ns", phase_ends)
    };
    let mut tracks: Vec<Track> = (0..threads).map(&mut thread).collect();
    let state = Track::new("state").with("hash", format!("{masses:016x}"));
    tracks.push(state.with("energy_share", 0.128).with("is_exact", threads == 1));
    let schedule = Track::new("schedule").with("t0_ns", 0);
    tracks.push(schedule.with("period_ns", PERIOD).with("periods", STEPS));
    tracks
}

fn wakeup(spec: &RunSpec, noise: &mut impl FnMut(u64) -> i64) -> Vec<Track> {
    let period = spec.parameters.period().0 as i64;
    let mut thread = |cpu: usize| {
        let woke =
            |k: i64| k * period + 2_000 + noise(3_000) * (1 + 9 * i64::from(noise(200) == 0));
        Track::new(format!("CPU {cpu}"))
            .with("cpus", cpu.to_string())
            .with("t0_ns", 0)
            .with("period_ns", period)
            .with("periods", 2_000)
            .with("skipped", 0)
            .with("lost", 0)
            .column("period_index", (0..2_000).collect())
            .column("woke_ns", (0..2_000).map(woke).collect())
    };
    spec.asked.cpus.iter().map(&mut thread).collect()
}

fn found(spec: &RunSpec) -> Found {
    let thread = |cpu: usize| ThreadFound {
        name: format!("model {}", cpu - 1),
        asked_policy: spec.asked.policy,
        asked_cpus: CpuSet::one(cpu),
        policy: spec.asked.policy,
        cpus: CpuSet::one(cpu),
        policy_at_end: spec.asked.policy,
        cpus_at_end: CpuSet::one(cpu),
        timer_slack_ns: None,
        counters: Counters {
            voluntary_switches: STEPS,
            migrations: Some(0),
            cpu_time_ns: 200_000_000,
            wall_time_ns: 2_000_000_000,
            ..Counters::default()
        },
    };
    let counters = |cpu| CpuCounters { cpu, steal_ns: Some(0), interrupts: Some(2_503) };
    let governor = |cpu| (cpu, "performance".to_owned());
    Found {
        threads: spec.asked.cpus.iter().map(thread).collect(),
        system: SystemFound {
            stamp_cost_ns: 24.1,
            memory_locked_bytes: 48 << 20,
            cpu_dma_latency_us: Some(0),
            governors: (0..16).map(governor).collect(),
            sched_rt_runtime_us: Some(950_000),
            sched_rt_period_us: Some(1_000_000),
            clock_source: Some("tsc".into()),
            smt: Some("on".into()),
            housekeeping_cpus: CpuSet::one(0),
            ..SystemFound::default()
        },
        cpus: spec.asked.cpus.iter().map(counters).collect(),
        ..Found::default()
    }
}

fn machine() -> Machine {
    let mitigation = |name: &str| (name.to_owned(), "Mitigation: of some kind".to_owned());
    Machine {
        architecture: "x86_64".into(),
        cpu_model: "A made-up processor".into(),
        cpus: CpuSet::from_iter(0..16),
        cores: 16,
        sockets: 1,
        smt_siblings: (0..16).map(CpuSet::one).collect(),
        kernel_release: "6.12.0-rt".into(),
        kernel_version: "#1 SMP PREEMPT_RT".into(),
        command_line: "root=/dev/vda1 ro".into(),
        preemption: "rt".into(),
        clock_source: Some("tsc".into()),
        governors: vec!["performance".into()],
        mitigations: ["spectre_v2", "meltdown", "retbleed"].map(mitigation).into(),
        memory_bytes: 64 << 30,
        sched_rt_runtime_us: Some(950_000),
        ..Machine::default()
    }
}
