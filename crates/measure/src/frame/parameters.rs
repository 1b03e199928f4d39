//! The parameters of frames, and what follows from them for each process.

use base::CpuSet;
use bench::pace::{Overrun, Pace};
use record::{RunSpec, parameters};

pub(super) const TIMER: &str = "timer";
pub(super) const SPIN: &str = "spin";
pub(super) const HYBRID: &str = "hybrid";
pub(super) const LOCKED: &str = "locked";
pub(super) const MOVED: &str = "moved";
pub(super) const LOCAL: &str = "local";
pub(super) const EACH: &str = "each";
pub(super) const NO_PEER: &str = "none";

parameters! {
    pub(super) PARAMETERS;
    "processes" Threads(64), "1", "processes that run frames concurrently";
    "rate" Rate, "100Hz", "frames per second";
    "fill" Percent(1, 99), "85%", "share of the period that a frame's work fills";
    "calibration" Choice(&[EACH, "first"]), EACH,
        "whether each process fits its work to `fill`, or the first alone, and all do the same";
    "start" Choice(&[TIMER, SPIN, HYBRID]), TIMER,
        "how a process waits: interval timer, spin on the clock, or timer and then spin";
    "affinity" Choice(&[LOCKED, "free"]), LOCKED,
        "each process on a separate CPU, or free to run on all of them";
    "others" Choice(&["stay", MOVED]), "stay",
        "whether to move everything else off the measured CPUs during the run";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what to do after a step or frame that ended too late";
    "peer" Peer(&[LOCAL, NO_PEER]), LOCAL,
        "peer that returns each frame's datagram: this machine, none, or a `steadfast echo`";
}

/// Returns the pace of the frames; an interval timer of the kernel has whole nanoseconds.
pub(super) fn pace(spec: &RunSpec) -> Pace {
    let period = spec.parameters.rate_period();
    let overrun = Overrun::of(&spec.parameters);
    Pace { period: period.into(), periods: spec.asked.duration.0 / period.0.max(1), overrun }
}

/// Returns the name of process number `number`, which counts from 1.
pub(super) fn name(spec: &RunSpec, number: usize) -> String {
    format!("{number} of {}", spec.parameters.processes())
}

/// Returns the CPUs of process number `number`, which counts from 1.
pub(super) fn place(spec: &RunSpec, number: usize) -> CpuSet {
    let cpus = &spec.asked.cpus;
    match spec.parameters.affinity() {
        LOCKED => cpus.iter().nth(number - 1).map_or_else(CpuSet::default, CpuSet::one),
        _ => cpus.clone(),
    }
}
