//! Simulated outcomes of every measurement, identical at each call.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use base::{CpuSet, Nanos, Policy};
use record::{
    Asked, Counters, CpuCounters, Disturbed, Found, Header, LabFound, LatencyHold, LoadFound,
    LoadSpec, Machine, Outcome, Parameters, Row, RunSpec, SelfTest, SystemFound, ThreadFound,
    Value, VirtualMachine, Warning, fact,
};
use serde_json::json;
use stats::{Distribution, Sample};

const FIRST_START: u64 = 1_767_225_600_000_000_000;
pub(crate) const PERIOD: (&str, Value) = ("period", Value::Time(Nanos(1_000_000)));

/// Returns a run without rows, warnings or special conditions.
pub fn outcome(measurement: &str, policy: Policy, parameters: &[(&str, Value)]) -> Outcome {
    let mut all = Parameters::default();
    parameters.iter().for_each(|(name, value)| all.set(name, value.clone()));
    let cpus = CpuSet::one(1);
    let asked = Asked::plain(cpus.clone(), policy, Nanos(10_000_000_000));
    let asked = Asked { memory_lock: true, cpu_dma_latency: LatencyHold::Hold, ..asked };
    Outcome {
        header: Header {
            run_id: format!("01890000-0000-7000-8000-{:012x}", measurement.len()),
            tool_version: "0.1.0".into(),
            spec: RunSpec::new(measurement, all, asked),
            machine: machine().into(),
            started_unix_ns: FIRST_START,
        },
        found: found(measurement, policy, &cpus),
        warnings: vec![],
        rows: vec![],
    }
}

fn measured(measurement: &str, rows: Vec<Row>) -> Outcome {
    Outcome { rows, ..outcome(measurement, Policy::Fifo(80), &[]) }
}

/// Gives a run its place in the order: a run starts every three seconds.
pub(crate) fn number_as(number: u64, run: &mut Outcome) {
    run.header.started_unix_ns += number * 3_000_000_000;
    run.header.run_id = format!("01890000-0000-7000-8000-{number:012x}");
}

/// Returns loads that are separated by `+`.
fn loads(typed: Option<&str>) -> Vec<LoadSpec> {
    typed.into_iter().flat_map(|loads| loads.split('+')).map(|name| name.parse().unwrap()).collect()
}

/// Returns conditions that were found as requested, of one thread.
pub fn found(thread: &str, policy: Policy, cpus: &CpuSet) -> Found {
    Found {
        threads: vec![ThreadFound {
            name: thread.to_owned(),
            asked_policy: policy,
            asked_cpus: cpus.clone(),
            policy,
            cpus: cpus.clone(),
            policy_at_end: policy,
            cpus_at_end: cpus.clone(),
            timer_slack_ns: None,
            counters: Counters {
                voluntary_switches: 10_000,
                involuntary_switches: 3,
                migrations: Some(0),
                cpu_time_ns: 212_000_000,
                ..Counters::default()
            },
        }],
        system: SystemFound {
            stamp_cost_ns: 24.1,
            memory_locked_bytes: 48 << 20,
            cpu_dma_latency_us: Some(0),
            governors: [(0, "powersave".to_owned()), (1, "powersave".to_owned())].into(),
            sched_rt_runtime_us: Some(950_000),
            sched_rt_period_us: Some(1_000_000),
            fair_servers: [(1, "50000000/1000000000".to_owned())].into(),
            clock_source: Some("tsc".into()),
            smt: Some("on".into()),
            housekeeping_cpus: CpuSet::one(0),
            start_temperatures_c: [("coretemp Package id 0".to_owned(), 41.5)].into(),
            start_frequencies_khz: [(1, 3_400_000)].into(),
            ..SystemFound::default()
        },
        cpus: vec![CpuCounters { cpu: 1, steal_ns: Some(0), interrupts: Some(25_031) }],
        ..Found::default()
    }
}

/// Returns a virtual machine with a stock kernel.
pub fn machine() -> Machine {
    Machine {
        architecture: "x86_64".into(),
        cpu_model: "AMD EPYC 9B45 128-Core Processor".into(),
        cpus: "0-1".parse().unwrap(),
        cores: 1,
        sockets: 1,
        smt_siblings: vec!["0-1".parse().unwrap()],
        smt: Some("on".into()),
        caches: ["L1d 48 KiB", "L1i 32 KiB", "L2 1 MiB", "L3 32 MiB"].map(String::from).into(),
        instruction_sets: ["avx2", "fma", "avx512f"].map(String::from).into(),
        kernel_release: "6.12.57+deb13-cloud-amd64".into(),
        kernel_version: "#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2026-01-05)".into(),
        command_line: "BOOT_IMAGE=/boot/vmlinuz-6.12.57 root=/dev/vda1 ro console=ttyS0".into(),
        preemption: "voluntary".into(),
        clock_source: Some("tsc".into()),
        governors: vec!["powersave".into()],
        idle_driver: Some("acpi_idle".into()),
        idle_states: ["POLL", "C1", "C2"].map(String::from).into(),
        mitigations: [
            ("spectre_v2", "Mitigation: Enhanced / Automatic IBRS; IBPB: conditional; STIBP"),
            ("meltdown", "Not affected"),
            ("retbleed", "Not affected"),
        ]
        .map(|(name, state)| (name.to_owned(), state.to_owned()))
        .into(),
        hypervisor: Some("KVM".into()),
        memory_bytes: 8 << 30,
        transparent_huge_pages: Some("madvise".into()),
        sched_rt_runtime_us: Some(950_000),
        ..Machine::default()
    }
}

/// Returns a distribution of these times in nanoseconds, one per millisecond.
pub fn distribution(values_ns: &[i64]) -> Option<Distribution> {
    let sample = |(value_ns, index)| Sample { value_ns, index, at_ns: index * 1_000_000 };
    Distribution::of(values_ns.iter().copied().zip(0..).map(sample))
}

/// Returns values of a skewed distribution: most near `usual`, one in `rare` far above. Each is made once in a process:
/// what its largest samples say of larger ones takes long to compute.
pub fn latencies(count: u64, usual: f64, rare: u64, worst: f64) -> Option<Distribution> {
    static MADE: Mutex<BTreeMap<[u64; 4], Option<Distribution>>> = Mutex::new(BTreeMap::new());
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = [count, usual.to_bits(), rare, worst.to_bits()];
    if let Some(found) = made().get(&key).cloned() {
        return found;
    }
    let latencies = skewed(count, usual, rare, worst);
    made().insert(key, latencies.clone());
    latencies
}

fn skewed(count: u64, usual: f64, rare: u64, worst: f64) -> Option<Distribution> {
    const FACTOR: u64 = 6_364_136_223_846_793_005;
    let mut state = count ^ usual.to_bits();
    let mut random = move || {
        state = state.wrapping_mul(FACTOR).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let samples = (0..count).map(|index| {
        let near = usual * (0.8 + 0.6 * random() * random() + 0.1 * random());
        let is_rare = index % rare == rare - 1;
        let value = if is_rare { near + (worst - near) * random().powi(4) } else { near };
        Sample { value_ns: value as i64, index, at_ns: index * 1_000_000 }
    });
    Distribution::of(samples)
}

fn count(number: u64) -> Value {
    Value::Count(number)
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

/// Returns a periodic wake-up: a row for all CPUs, then one for each.
pub fn wakeup(policy: Policy, load: Option<&str>, usual: f64, worst: f64) -> Outcome {
    let mut run = outcome("wakeup", policy, &[PERIOD]);
    run.header.spec.asked.loads = loads(load);
    let found = |load: &LoadSpec| LoadFound {
        name: load.to_string(),
        cpus: CpuSet::one(1),
        work_done: 812_345,
        unit: "rounds".into(),
    };
    run.found.loads = run.header.spec.asked.loads.iter().map(found).collect();
    let of = |cpu: u64| latencies(10_000, usual * (1.0 + 0.1 * cpu as f64), 400, worst);
    let mut all = of(0).unwrap();
    all.merge(&of(1).unwrap());
    let strip = over_time(usual, &all);
    run.rows = vec![
        Row::of("all CPUs", Some(all)).with(&fact::STRIP, strip),
        Row::of("CPU 0", of(0)).with(&fact::CPUS, "0"),
        Row::of("CPU 1", of(1)).with(&fact::CPUS, "1"),
    ];
    run
}

/// Returns longest times of 250 intervals of 40 ms, with the worst of all at its own time.
fn over_time(usual: f64, all: &Distribution) -> serde_json::Value {
    const LENGTH_NS: u64 = 40_000_000;
    let bin = |bin: u64| {
        let from = bin * LENGTH_NS;
        let is_worst = all.max.at_ns / LENGTH_NS == bin;
        let usual = usual as i64 * (20 + (bin * 37 % 11) as i64) / 20;
        let most = if is_worst { all.max.value_ns } else { usual };
        json!({ "at_ns": from, "min_ns": all.min.value_ns, "max_ns": most })
    };
    (0..250).map(bin).collect()
}

pub fn tire(mode: &str, masses: u64, threads: u64, steps: u64, missed: u64) -> Outcome {
    let parameters = [
        ("mode", word(mode)),
        ("model", word("balanced")),
        ("masses", count(masses)),
        ("threads", count(threads)),
        ("solver", word("semaphore")),
        ("rate", Value::Rate("100Hz".parse().unwrap())),
        ("steps", count(steps)),
    ];
    let mut run = outcome("tire", Policy::Fifo(80), &parameters);
    let speed = 32e6 * (threads as f64).powf(0.6);
    let step_ns = masses as f64 / speed * 1e9;
    let wall_ns = (step_ns * steps as f64) as u64;
    let label = format!("{masses} masses, {threads} thread{}", if threads == 1 { "" } else { "s" });
    let mut row = Row::of(label, latencies(steps, step_ns, 50, step_ns * 3.0))
        .with(&fact::MASSES, masses)
        .with(&fact::THREADS, threads)
        .with(&fact::MODE, mode)
        .with(&fact::WALL_NS, wall_ns)
        .with(&fact::CPU_TIME_NS, wall_ns * threads)
        .with(&fact::MASS_UPDATES_PER_S, speed)
        .with(&fact::STATE_HASH, "9f86d081884c7d65");
    if mode == "real-time" {
        let miss = |k: u64| {
            let (at_ns, late_ns) = (k * 70_000_000, 120_000 + k);
            json!({ "step": k * 7, "at_ns": at_ns, "late_ns": late_ns, "skipped": 0 })
        };
        let misses: Vec<serde_json::Value> = (0..missed).map(miss).collect();
        row = row
            .with(&fact::OVERRUNS, missed)
            .with(&fact::MISSED, missed)
            .with(&fact::MISSES, misses)
            .with(&fact::STEP_RUN_NS, step_ns);
    }
    run.rows = vec![row];
    run
}

/// Returns one run of a user's own model with 2000 steps at 1 kHz, with its phases.
pub fn own_model(mode: &str, missed: u64) -> Outcome {
    const STEPS: u64 = 2_000;
    let parameters = [
        ("mode", word(mode)),
        ("fmu", word("/home/me/plant.fmu")),
        ("rate", Value::Rate("1kHz".parse().unwrap())),
        ("instances", count(1)),
        ("threads", count(1)),
    ];
    let mut run = outcome("model", Policy::Fifo(80), &parameters);
    run.header.spec.asked.duration = Nanos(2_000_000_000);
    let row = Row::of("plant", latencies(STEPS, 36e3, 400, 71e3))
        .with(&fact::INSTANCES, 1)
        .with(&fact::THREADS, 1)
        .with(&fact::MODE, mode)
        .with(&fact::MODEL_NAME, "plant")
        .with(&fact::INTERFACE, "Co-Simulation")
        .with(&fact::CPU_TIME_NS, 30_000 * STEPS)
        .with(&fact::INSTANTIATE_NS, 280_000)
        .with(&fact::INITIALISE_NS, 36_000)
        .with(&fact::FIRST_STEP_NS, 410_000)
        .with(&fact::NOT_MADE, 0)
        .with(&fact::DISCARDED, 0)
        .with(&fact::EARLY_RETURNS, 0)
        .with(&fact::OTHER_TIMES, 0)
        .with(&fact::EVENTS, 0)
        .with(&fact::LOG_LINES, 0)
        .with(&fact::MODEL_THREADS, 0)
        .with(&fact::MODEL_THREADS_AT, json!([]))
        .with(&fact::OUTPUT_HASH, "511c48e7c212fbc8");
    let block = |(step, phase, from_ns, to_ns): (u64, &str, i64, i64)| {
        json!({
            "thread": "model 0", "step": step, "phase": phase, "from_ns": from_ns, "to_ns": to_ns,
        })
    };
    let worst =
        [(7, "inputs", 6_000, 7_200), (7, "call", 7_200, 68_800), (7, "outputs", 68_800, 71_000)];
    let timeline: Vec<serde_json::Value> = worst.into_iter().map(block).collect();
    run.rows = vec![match mode {
        "real-time" => row
            .with(&fact::OVERRUNS, missed)
            .with(&fact::MISSED, missed)
            .with(&fact::INPUTS_NS, 1_200.0)
            .with(&fact::CALL_NS, 27_000.0)
            .with(&fact::OUTPUTS_NS, 1_800.0)
            .with(&fact::IDLE_NS, 970_000.0)
            .with(&fact::STEP_RUN_NS, 30_000.0)
            .with(&fact::TIMELINE, timeline),
        _ => row.with(&fact::WALL_NS, 36_000 * STEPS).with(&fact::STEPS_AT_ONCE, 1),
    }];
    run
}

/// Returns one run of 2 s of a user's own model whose clocks tick every 1 ms and 20 ms.
pub fn scheduled(missed: [u64; 2]) -> Outcome {
    let mut run = own_model("real-time", missed[0]);
    run.header.spec.parameters.set("clocks", word("1ms+20ms"));
    run.rows[0].label = "clock fast every 1ms".to_owned();
    let slow = Row::of("clock slow every 20ms", latencies(100, 5e6, 20, 9e6));
    run.rows.push(slow.with(&fact::OVERRUNS, missed[1]).with(&fact::MISSED, missed[1]));
    run
}

/// Returns the machine's limits on this many threads: mass updates per second, bytes per second.
pub fn ceiling(precision: &str, threads: u64, arithmetic: f64, bytes: f64) -> Outcome {
    let parameters = [("precision", word(precision)), ("threads", count(threads))];
    let mut run = outcome("ceiling", Policy::OTHER, &parameters);
    let (multiplications, bytes_a_mass) = match precision {
        "f64" => (25.0, 64.0),
        _ => (20.5, 32.0),
    };
    let row = |kind: &str, rate: f64| {
        let blocks = latencies(100, 3_010_000.0, 20, 3_900_000.0);
        Row::of(format!("{kind}, {threads} threads"), blocks)
            .with(&fact::KIND, kind)
            .with(&fact::MASS_UPDATES_PER_S, rate)
    };
    run.rows = vec![
        row("arithmetic", arithmetic).with(&fact::MULTIPLICATIONS_A_MASS, multiplications),
        row("memory", bytes / bytes_a_mass)
            .with(&fact::BYTES_A_MASS, bytes_a_mass)
            .with(&fact::BYTES_PER_S, bytes),
    ];
    run
}

/// Returns a real-fast tire of a benchmark, with its rate.
pub fn raced(solver: &str, precision: &str, threads: u64, masses: u64, rate: f64) -> Outcome {
    let steps_a_pass = if solver == "fused" { 32 } else { 1 };
    let mut run = tire("real-fast", masses, threads, 600, 0);
    set(&mut run, &[("solver", word(solver)), ("precision", word(precision))]);
    run.header.spec.asked.policy = Policy::OTHER;
    let wall_ns = (masses as f64 * 600.0 / rate * 1e9) as u64;
    run.rows[0] = run.rows[0]
        .clone()
        .with(&fact::MASS_UPDATES_PER_S, rate)
        .with(&fact::WALL_NS, wall_ns)
        .with(&fact::CPU_TIME_NS, wall_ns * threads)
        .with(&fact::STEPS_AT_ONCE, steps_a_pass);
    run
}

/// Returns a real-time tire of a benchmark whose two threads warm up for this share of their time.
pub fn paced(warm_up: &str, step_ns: f64, ready_share: f64) -> Outcome {
    // 50 steps of two threads at 100 Hz.
    let mut run = tire("real-time", 57_000, 2, 50, 0);
    set(
        &mut run,
        &[("solver", word("simd")), ("precision", word("f64")), ("warm-up", word(warm_up))],
    );
    let row = run.rows.remove(0);
    let share = (50 * 2 * 10_000_000) as f64 * ready_share;
    let ready_ns = (warm_up != "none").then_some(share as u64);
    run.rows = vec![Row {
        latency: latencies(50, step_ns, 50, step_ns * 3.0),
        ..row.with(&fact::WARM_UP_NS, ready_ns)
    }];
    run
}

/// Returns three rounds of a benchmark; the second is slow and the third fast.
pub fn benchmark() -> Vec<Outcome> {
    let rates = [
        ("semaphore", [33e6, 32e6, 55e6, 50e6, 30e6]),
        ("semaphore-exact", [31e6, 30e6, 50e6, 47e6, 28e6]),
        ("barrier", [61e6, 60e6, 119e6, 120e6, 117e6]),
        ("simd", [1.7e9, 1.6e9, 3.1e9, 1.4e9, 0.75e9]),
        ("fused", [1.4e9, 1.5e9, 3.2e9, 3.1e9, 3.0e9]),
    ];
    let sizes = [(1, 5_900), (1, 57_000), (2, 57_000), (2, 1_000_000), (2, 10_000_000)];
    let mut runs = Vec::new();
    for round in [1.0, 0.8, 1.1] {
        for (precision, times) in [("f64", 1.0), ("f32", 2.2)] {
            let scale = round * times;
            runs.push(ceiling(precision, 1, 2.1e9 * scale, 48e9 * round));
            runs.push(ceiling(precision, 2, 4.2e9 * scale, 56e9 * round));
            for (index, (threads, masses)) in sizes.into_iter().enumerate() {
                for (solver, rates) in rates {
                    let gains = matches!(solver, "simd" | "fused");
                    let rate = rates[index] * if gains { scale } else { round };
                    runs.push(raced(solver, precision, threads, masses, rate));
                }
            }
        }
    }
    runs.push(paced("none", 80_000.0, 0.0));
    runs.push(paced("touch:1ms", 40_000.0, 0.1));
    runs
}

/// Returns frames of two processes, the second with an overrun.
pub fn frames(start: &str, jitter_ns: i64) -> Outcome {
    const PERIOD_NS: i64 = 10_000_000;
    let parameters = [
        ("processes", count(2)),
        ("rate", Value::Rate("100Hz".parse().unwrap())),
        ("fill", Value::Percent(85)),
        ("start", word(start)),
    ];
    let mut run = outcome("frame", Policy::Fifo(80), &parameters);
    for (number, longest) in [(1, 9_100_000), (2, 10_400_000)] {
        let figures = stats::FrameFigures {
            period: PERIOD_NS,
            overruns: u64::from(longest > PERIOD_NS),
            start_jitter: jitter_ns,
            longest_run: longest,
        };
        let bin = |bin: i64| {
            let most = if bin == 77 { longest } else { 8_650_000 + bin % 7 * 9_000 };
            json!({ "at_ns": bin * 50_000_000, "min_ns": 8_500_000, "max_ns": most })
        };
        let strip: Vec<serde_json::Value> = (0..200).map(bin).collect();
        let label = format!("{number} of 2");
        let delays = latencies(1_000, 15_000.0, 200, jitter_ns as f64);
        run.rows.extend([
            Row::of(&label, latencies(1_000, 8_600_000.0, 1000, longest as f64))
                .with(&fact::OVERRUNS, figures.overruns)
                .with(&fact::MISSED, figures.overruns)
                .with(&fact::START_JITTER_NS, figures.start_jitter)
                .with(&fact::RUN_JITTER_NS, longest - 8_500_000)
                .with(&fact::START_PLUS_MAX_RUN_NS, figures.jitter_plus_run())
                .with(&fact::IDLE_AVERAGE_NS, 1_380_000.0)
                .with(&fact::REPLIES_LOST, 0)
                .with(&fact::INTEGER_ITERATIONS, 2_345_678)
                .with(&fact::FLOATING_ITERATIONS, 1_234_567)
                .with(&fact::MARKS, figures.marks())
                .with(&fact::STRIP, strip),
            Row::of(format!("{label}, start delay"), delays),
        ]);
    }
    run
}

fn locks() -> Vec<Outcome> {
    let [mut inversion, mut deadlock] =
        ["priority_inversion", "deadlock_break"].map(|name| measured(name, Vec::new()));
    for (lock, slope, gave_up) in
        [("semaphore", 1.0, 0), ("mutex", 1.02, 0), ("mutex_inherit", 0.01, 0), ("spin", 2.0, 3)]
    {
        let waits = |medium_ns: f64| 1_050_000.0 + slope * medium_ns;
        let step = |medium_ns: f64| {
            json!({
                "medium_run_ns": medium_ns, "blocked_ns": waits(medium_ns), "contests": 3,
                "gave_up": gave_up,
            })
        };
        let steps: Vec<serde_json::Value> = (1..=5).map(|k| step(f64::from(k) * 2e6)).collect();
        let blocked = waits(6e6);
        inversion.rows.push(
            Row::of(lock, latencies(15, blocked, 10, blocked * 1.2))
                .with(&fact::LOCK, lock)
                .with(&fact::VULNERABLE, slope > 0.5)
                .with(&fact::SLOPE, slope)
                .with(&fact::BLOCKED_NS, blocked)
                .with(&fact::MEDIUM_RUN_NS, 6e6)
                .with(&fact::BY_MEDIUM_RUN, steps),
        );
        deadlock.rows.push(
            Row::of(lock, latencies(100, blocked, 10, blocked * 1.2))
                .with(&fact::LOCK, lock)
                .with(&fact::BREAK_NS, blocked - 300.0)
                .with(&fact::UNCONTENDED_MEAN_NS, 300.0),
        );
    }
    let unavailable = Row::unavailable("mutex_ceiling", "needs the GNU C library");
    inversion.rows.push(unavailable.clone().with(&fact::LOCK, "mutex_ceiling"));
    deadlock.rows.push(unavailable.with(&fact::LOCK, "mutex_ceiling"));
    vec![inversion, deadlock]
}

/// Returns micro-benchmarks, whose results are shown next to published ones.
pub fn micro() -> Vec<Outcome> {
    let latency =
        |label, count, usual, rare, worst| Row::of(label, latencies(count, usual, rare, worst));
    let needs_two = |label| Row::unavailable(label, "needs two CPUs: `--cpus 0,1`");
    let clock = latency("one stamp", 100_000, 24.0, 5000, 41_000.0)
        .with(&fact::STAMP_COST_NS, 21.7)
        .with(&fact::RESOLUTION_NS, 1);
    let switch = latency("yield to the other thread", 50_000, 820.0, 900, 38_000.0)
        .with(&fact::YIELDS, 50_000)
        .with(&fact::YIELDS_WITHOUT_SWITCH, 2);
    let preemption = [
        latency("by timer", 5_000, 9_400.0, 300, 91_000.0),
        latency("by semaphore", 5_000, 2_100.0, 300, 64_000.0),
    ];
    let shuffle = [
        latency("contended, one CPU", 20_000, 1_900.0, 700, 45_000.0),
        latency("uncontended, one CPU", 20_000, 31.0, 700, 12_000.0),
        needs_two("contended, two CPUs"),
        needs_two("uncontended, two CPUs"),
        latency("literal, one CPU", 200_000, 38.0, 700, 9_000.0).with(&fact::WAITED, 0),
    ];
    vec![
        measured("clock_overhead", vec![clock]),
        measured("task_switch", vec![switch]),
        measured("preemption", preemption.into()),
        measured("semaphore_shuffle", shuffle.into()),
    ]
}

/// Returns message passing, within one task and between two.
pub fn messages() -> Vec<Outcome> {
    let row = |place, bytes: u64, usual, worst| {
        Row::of(place, latencies(20_000, usual, 900, worst)).with(&fact::BYTES, bytes)
    };
    let alone =
        |name, bytes, usual: f64| measured(name, vec![row("one task", bytes, usual, usual * 40.0)]);
    let transfer = |name, one_cpu: f64| {
        let places = [("one CPU", one_cpu), ("two CPUs", one_cpu * 5.0)];
        let rows = places.map(|(place, usual)| row(place, 16, usual, usual * 20.0));
        measured(name, rows.into())
    };
    let needs = "needs two CPUs: name them with --cpus";
    let ring = measured("ring_transfer", vec![Row::unavailable("two CPUs", needs)]);
    let derived = [
        Row { due: 20_000, executed: 20_000, ..Row::of("derived", None) }
            .with(&fact::CONTEXT_SWITCH_NS, 1_400.0)
            .with(&fact::SHARE_OF_TRANSFER_PERCENT, 62.5),
        Row::of("fifo_transfer", latencies(20_000, 2_200.0, 900, 44_000.0)),
        Row::of("fifo_roundtrip", latencies(20_000, 830.0, 900, 33_000.0)),
    ];
    let switch = measured("context_switch", derived.into());
    vec![
        alone("fifo_write", 4, 430.0),
        alone("fifo_roundtrip", 4, 810.0),
        transfer("fifo_transfer", 2_100.0),
        alone("mailbox_post", 16, 510.0),
        transfer("mailbox_transfer", 2_300.0),
        transfer("futex_transfer", 1_900.0),
        ring,
        switch,
    ]
}

/// Returns interrupts of the timer and of a GPIO line; no other source is available.
pub fn interrupts() -> Vec<Outcome> {
    let parameters = |source: &str| [("source", word(source)), PERIOD];
    let mut all = outcome("interrupt", Policy::Fifo(80), &parameters("all"));
    all.rows = vec![
        Row::of("timer", latencies(9_998, 6_300.0, 400, 71_000.0))
            .with(&fact::UNANSWERED, 0)
            .with(&fact::NOT_IN_TIME, 0)
            .with(&fact::SPURIOUS, 0),
        Row::unavailable(
            "uart",
            "needs a serial port with a 16550 that nobody uses: `--source uart:DEVICE` with PORT such \
             as /dev/ttyS1",
        ),
        Row::unavailable("uio", "needs a UIO device; /dev/ttyS1: it is no UIO device"),
    ];
    let source = "gpio:/dev/gpiochip0:17:27";
    let mut gpio = outcome("interrupt", Policy::Fifo(80), &parameters(source));
    gpio.rows = vec![
        Row::of("gpio", latencies(10_000, 9_100.0, 400, 64_000.0))
            .with(&fact::UNANSWERED, 0)
            .with(&fact::NOT_IN_TIME, 0)
            .with(&fact::SPURIOUS, 1),
        Row::of("gpio: raise to kernel stamp", latencies(10_000, 2_800.0, 400, 21_000.0)),
        Row::of("gpio: kernel stamp to user", latencies(10_000, 6_200.0, 400, 52_000.0)),
    ];
    vec![all, gpio]
}

/// Returns a scan of 6 s that found platform gaps of these lengths, half of them as steal time.
pub fn platform_gaps(gaps_ns: &[i64]) -> Outcome {
    let shortest = [("shortest-gap", Value::Time(Nanos(10_000)))];
    let mut run = outcome("platform_gap", Policy::Fifo(80), &shortest);
    let (platform, steal) = gaps_ns.split_at(gaps_ns.len() / 2);
    for (label, gaps) in [("platform and steal", gaps_ns), ("platform", platform), ("steal", steal)]
    {
        let total: i64 = gaps.iter().sum();
        let row = Row::of(label, distribution(gaps))
            .with(&fact::OBSERVED_NS, 6_000_000_000_u64)
            .with(&fact::OBSERVED_PERCENT, 72.0)
            .with(&fact::TOTAL_NS, total)
            .with(&fact::SHARE_PERCENT, total as f64 / 6e7)
            .with(&fact::GAPS_PER_MINUTE, gaps.len() * 10);
        run.rows.push(row);
    }
    let gap = |(place, gap): (usize, &i64)| json!({ "at_ns": 100_000_000 + place * 130_000_000, "min_ns": gap, "max_ns": gap });
    let strip: Vec<serde_json::Value> = gaps_ns.iter().enumerate().map(gap).collect();
    run.rows[0].tell(&fact::STRIP, strip);
    run
}

pub fn refused() -> Outcome {
    let mut run = outcome("wakeup", Policy::Rr(50), &[period(100_000)]);
    run.warnings.push(Warning::PolicyRefused {
        thread: Some("cpu 1".into()),
        asked: Policy::Rr(50),
        reason: "Operation not permitted".into(),
        privileged: false,
        granted: 0,
        barrier: None,
    });
    run
}

/// Returns wake-ups that were delayed by a task with this name, and by the platform.
pub fn blamed(hog: &str) -> Outcome {
    let gap = json!({ "kind": "platform_gap" });
    let hog = json!({ "kind": "task", "name": hog, "pid": 4711, "policy": "fifo:90" });
    let words = format!("task `{}` (fifo:90, number 4711)", hog["name"].as_str().unwrap());
    let late = |index: i64, busy: i64, still: i64| {
        let took = still + busy + 30_000;
        json!({
            "thread": "CPU 1",
            "index": index,
            "due_ns": index * 1_000_000,
            "took_ns": took,
            "shares": [[hog, busy], [gap, still]],
            "segments": [
                [0, still, "platform_gap", "platform gaps (hypervisor or firmware)"],
                [still, still + 20_000, "interrupt", "interrupt `local_timer`"],
                [still + 20_000, still + 20_000 + busy, "task", words],
                [still + 20_000 + busy, took, "own_work", "the thread itself"],
            ],
        })
    };
    let worst = [late(17, 910_000, 5_000), late(404, 480_000, 2_000), late(31, 3_000, 450_000)];
    let total = |cause: &serde_json::Value, words: &str, main_of: u64, time_ns: i64| {
        json!({
            "cause": cause,
            "words": words,
            "main_of": main_of,
            "part_of": 12,
            "time_ns": time_ns,
            "longest_ns": time_ns / 5,
        })
    };
    let mut run = wakeup(Policy::Fifo(80), Some("cpu"), 8_300.0, 1_000_000.0);
    run.header.spec.blame_beyond = Some(Nanos(200_000));
    run.rows[0].tell(
        &fact::BLAME,
        json!({
            "threshold_ns": 200_000,
            "late": 12,
            "traced": 12,
            "causes": [
                total(&hog, &words, 10, 4_800_000),
                total(&gap, "platform gaps (hypervisor or firmware)", 2, 912_000),
            ],
            "not_traced": null,
            "lost_events": 3,
            "windows_not_kept": 0,
            "cost": { "off_ns": 5100.0, "on_ns": 6200.0, "more_ns": 1100.0, "ratio": 1.2157 },
            "late_samples": worst,
            "worst": worst,
        }),
    );
    run
}

/// Returns the runs of a self-test: a stretch without disturbance, a hog of which some events are
/// blamed on the host, and a priority whose run is INVALID, as intended.
pub fn self_tested() -> Vec<Outcome> {
    let elsewhere = |count| record::Elsewhere {
        cause: "platform gaps (hypervisor or firmware)".into(),
        of_host: true,
        count,
        longest_ns: 1_900_000,
    };
    let quiet = Disturbed {
        name: "quiet".into(),
        what: "nothing is injected".into(),
        elsewhere: vec![elsewhere(3)],
        ..Disturbed::default()
    };
    let hog = Disturbed {
        name: "hog".into(),
        what: "a task of higher priority takes the measured CPU".into(),
        cause: "that task, by name".into(),
        injected: 58,
        spoilt: 2,
        seen: 58,
        blamed: 57,
        injected_ns: 162_000_000,
        measured_ns: 161_000_000,
        length_ratio: Some(0.99),
        mistaken: vec![elsewhere(1)],
        ..Disturbed::default()
    };
    let priority = Disturbed {
        name: "priority".into(),
        what: "the loop has a lower priority than asked for".into(),
        cause: "a priority that was not applied".into(),
        read_back: Some(false),
        ..hog.clone()
    };
    let run = |found: Disturbed| {
        let row = Row::of("loop", latencies(600, 8_000.0, 10, 3e6));
        measured(record::SELF_TEST, vec![row.with(&fact::DISTURBED, json!(found))])
    };
    let mut runs: Vec<Outcome> = [quiet, hog, priority].map(run).into();
    runs[2].warnings.push(Warning::PolicyDiffers {
        thread: "loop".into(),
        asked: Policy::Fifo(80),
        found: Policy::Fifo(10),
        when: "after".into(),
    });
    runs
}

/// Returns every measurement, under several conditions, with one run INVALID.
pub fn everything() -> Vec<Outcome> {
    let mut all = micro();
    all.push(wakeup(Policy::Fifo(80), None, 8_300.0, 62_000.0));
    all.push(wakeup(Policy::Fifo(80), Some("cpu"), 11_500.0, 359_000.0));
    all.push(wakeup(Policy::OTHER, None, 58_000.0, 410_000.0));
    all.push(wakeup(Policy::OTHER, Some("cpu"), 940_000.0, 8_200_000.0));
    all.push(refused());
    for (threads, of_400_000) in [(1, 11), (2, 0)] {
        for (masses, missed) in
            [(5_900, 0), (57_000, 0), (200_000, 0), (400_000, of_400_000), (800_000, 200)]
        {
            all.push(tire("real-time", masses, threads, 200, missed));
        }
        all.extend(
            [590, 5_900, 57_000, 200_000].map(|masses| tire("real-fast", masses, threads, 600, 0)),
        );
    }
    all.extend(benchmark());
    all.push(frames("timer", 170_000));
    all.push(frames("hybrid", 1_200_000));
    all.extend(locks());
    all.extend(messages());
    all.extend(interrupts());
    all.push(platform_gaps(&[12_000, 14_000, 40_000, 305_000]));
    let unknown = Row::of("4 bytes", latencies(10_000, 2_600.0, 900, 70_000.0));
    all.push(measured("unheard_of", vec![unknown.with(&fact::BYTES, 4)]));
    for (index, run) in all.iter_mut().enumerate() {
        run.header.started_unix_ns += index as u64 * 4_000_000_000;
        run.header.run_id.push_str(&format!("-{index}"));
    }
    all[5].found.cpus[0].steal_ns = Some(30_000_000);
    all[5].warnings.push(Warning::Stolen { cpu: 1, steal_ns: 30_000_000 });
    all
}

fn set(run: &mut Outcome, parameters: &[(&str, Value)]) {
    let all = &mut run.header.spec.parameters;
    parameters.iter().for_each(|(name, value)| all.set(name, value.clone()));
}

fn period(ns: u64) -> (&'static str, Value) {
    ("period", Value::Time(Nanos(ns)))
}

/// Returns wake-ups at three periods, each in this many rounds. Runs differ by a few percent, and
/// alternate with those of another side, which has another first place.
pub fn side(load: Option<&str>, times: f64, rounds: u64, first: u64) -> Vec<Outcome> {
    let mut runs = Vec::new();
    for round in 0..rounds {
        for (index, period_ns) in [100_000, 1_000_000, 10_000_000].into_iter().enumerate() {
            let jitter = 1.0 + 0.01 * ((7 * round + 3 * index as u64 + 5 * first) % 5) as f64;
            let mut run = wakeup(Policy::Fifo(80), load, 8e3 * times * jitter, 6e4 * times);
            set(&mut run, &[period(period_ns)]);
            let place = 100 * round + 10 * index as u64 + first;
            run.header.run_id = format!("{place}-{first}");
            run.header.started_unix_ns += place * 1_000_000_000;
            runs.push(run);
        }
    }
    runs
}

/// Returns the same measurements on this machine and on one with a real-time kernel.
pub fn two_machines() -> Vec<Outcome> {
    let mut other: Vec<Outcome> = micro();
    other.push(wakeup(Policy::Fifo(80), None, 3_300.0, 12_000.0));
    other.push(wakeup(Policy::Fifo(80), Some("cpu"), 4_500.0, 29_000.0));
    other.extend(locks());
    other.push(tire("real-time", 57_000, 2, 200, 0));
    other.push(tire("real-fast", 57_000, 2, 600, 0));
    for run in &mut other {
        run.header.machine.kernel_release = "6.12.57+deb13-rt-amd64".into();
        run.header.machine.preemption = "rt".into();
        run.header.machine.hypervisor = None;
    }
    everything().into_iter().chain(other).collect()
}

/// Returns three kernels under many loads, each steadier than the previous one.
pub fn many_loads() -> Vec<Outcome> {
    let kernels =
        [("6.12-cloud", "voluntary", 1.0), ("6.12-rt", "rt", 0.35), ("7.0-rt", "rt", 0.2)];
    let names = ["cpu", "memory", "disk", "network", "user", "kernel"].map(Some);
    let mut all = Vec::new();
    for (kernel, preemption, noise) in kernels {
        for (index, load) in [None].into_iter().chain(names).enumerate() {
            let worst = |usual: f64| usual * (1.0 + noise * 20.0 * (1.0 + index as f64));
            let of_load = |mut run: Outcome| {
                run.header.spec.asked.loads = loads(load);
                run.header.machine.kernel_release = kernel.into();
                run.header.machine.preemption = preemption.into();
                run
            };
            for mut run in micro().into_iter().skip(1) {
                for row in run.rows.iter_mut().filter(|row| row.unavailable.is_none()) {
                    let usual = row.latency.as_ref().unwrap().mean_ns() * (0.8 + noise * 0.2);
                    row.latency = latencies(4_000, usual, 60, worst(usual));
                }
                all.push(of_load(run));
            }
            let usual = 9_000.0 * (0.5 + noise);
            all.push(of_load(wakeup(Policy::Fifo(80), None, usual, worst(usual))));
        }
    }
    all
}

/// Changes a run to one in a virtual machine of the lab.
pub fn in_lab(kernel: &str, preemption: &str, mut run: Outcome) -> Outcome {
    let machine = &mut run.header.machine;
    machine.cpu_model = "QEMU Virtual CPU version 2.5+".into();
    machine.cpus = CpuSet::one(0);
    machine.preemption = preemption.into();
    machine.hypervisor = Some("QEMU".into());
    machine.governors.clear();
    machine.smt_siblings.clear();
    machine.lab = Some(VirtualMachine {
        kernel: kernel.into(),
        kernel_source: format!("linux-image-{kernel} 6.1.192-2"),
        kernel_sha256: format!("{:016x}", kernel.len()).repeat(4),
        append: kernel.split_once('+').map_or("", |(_, append)| append).into(),
        qemu_version: "7.2.22".into(),
        qemu_firmware_sha256: "5d".repeat(32),
        qemu_arguments: "-accel tcg -icount shift=2,sleep=off -smp 1".into(),
    });
    let load = run.header.spec.asked.loads.first();
    let load = load.map_or("none".to_owned(), ToString::to_string);
    run.found.lab = Some(LabFound {
        setup_sha256: format!("{kernel} under {load}"),
        place: 0,
        samples_sha256: format!("{:016x}", run.rows.first().and_then(Row::max_ns).unwrap_or(0)),
    });
    run.warnings.push(Warning::NoHousekeepingCpu);
    run
}

/// Number of draws of the wake-ups and interrupts of [`lab`]; all else has one.
pub const LAB_DRAWS: u32 = 5;

/// Returns three kernels in the lab under three loads. The last is the steadiest but slower, and
/// one of its runs is INVALID.
pub fn lab() -> Vec<Outcome> {
    (0..LAB_DRAWS).flat_map(lab_draw).collect()
}

fn lab_draw(draw: u32) -> Vec<Outcome> {
    let kernels = [
        ("stock+preempt=none", "none", 1.1, 1.0),
        ("stock+preempt=voluntary", "voluntary", 1.0, 1.0),
        ("stock-rt", "rt", 0.01, 1.25),
    ];
    let mut all = Vec::new();
    for (kernel, preemption, noise, price) in kernels {
        for (load, worst) in [(None, 0.0), (Some("files"), 7e6), (Some("paging"), 2.9e6)] {
            let mut runs: Vec<Outcome> = Vec::new();
            for period_ns in [10_000_000, 1_000_000, 100_000] {
                for (policy, usual) in [(Policy::Fifo(80), 15e3), (Policy::OTHER, 66e3 * price)] {
                    let worst = f64::max(worst * noise, usual * 1.4);
                    let worst = worst * (1.0 - 0.04 * f64::from(draw));
                    let mut run = wakeup(policy, load, usual, worst);
                    set(&mut run, &[period(period_ns)]);
                    run.rows = vec![Row::of("CPU 0", latencies(2_000, usual, 50, worst))];
                    runs.push(run);
                }
            }
            // Threaded interrupts wait for the load.
            let late = load.is_some() && preemption == "rt";
            let worst = if late { 2.9e6 } else { 71e3 };
            let mut interrupt = interrupts().remove(0);
            interrupt.rows = vec![Row::of("timer", latencies(2_000, 15e3 * price, 50, worst))];
            runs.push(interrupt);
            if draw == 0 {
                runs.extend(micro().into_iter().skip(1));
                runs.extend(locks().into_iter().skip(1));
                runs.extend(messages());
                runs.push(tire("real-time", 400, 1, 100, 0));
                runs.push(tire("real-fast", 1_200, 1, 100, 0));
            }
            for (place, mut run) in runs.into_iter().enumerate() {
                run.header.spec.asked.cpus = CpuSet::one(0);
                run.header.spec.asked.loads = loads(load);
                let mut run = in_lab(kernel, preemption, run);
                let found = run.found.lab.as_mut().unwrap();
                found.place = place as u32;
                if draw > 0 {
                    found.setup_sha256 += &format!(", draw {draw}");
                }
                all.push(run);
            }
        }
    }
    let lazy = all.iter_mut().rfind(|run| run.header.spec.measurement == "mailbox_transfer");
    if let Some(lazy) = lazy {
        lazy.warnings.push(Warning::LoadIdle { load: "paging".into() });
    }
    all
}

pub fn lab_and_machine() -> Vec<Outcome> {
    let local = wakeup(Policy::Fifo(80), None, 8_000.0, 60_000.0);
    vec![in_lab("debian-rt", "rt", local.clone()), local]
}

/// Returns a self-test that blamed 30 of 40 hogs correctly, and is therefore not certified.
pub fn mistaken_self_test() -> SelfTest {
    let hog = Disturbed {
        name: "hog".into(),
        cause: "the hog".into(),
        injected: 40,
        seen: 40,
        blamed: 30,
        length_ratio: Some(1.0),
        ..Disturbed::default()
    };
    SelfTest::of("machine".into(), "9", 0, vec![hog])
}
