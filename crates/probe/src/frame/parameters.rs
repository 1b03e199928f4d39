//! What can be asked of frames, and what follows from it for each process.

use plan::{RunSpec, parameters};
use units::CpuSet;

use crate::pace::Overrun;

pub(super) const TIMER: &str = "timer";
pub(super) const SPIN: &str = "spin";
pub(super) const HYBRID: &str = "hybrid";
pub(super) const LOCKED: &str = "locked";
pub(super) const MOVED: &str = "moved";
pub(super) const LOCAL: &str = "local";
pub(super) const NO_PEER: &str = "none";

parameters! {
    pub(super) PARAMETERS;
    "processes" Threads(64), "1", "processes that run frames side by side";
    "rate" Rate, "100Hz", "frames a second";
    "fill" Percent(1, 99), "85%", "share of the period that a frame's work is to fill";
    "start" Choice(&[TIMER, SPIN, HYBRID]), TIMER,
        "what a process waits by: interval timer, spin on the clock, or timer and then spin";
    "affinity" Choice(&[LOCKED, "free"]), LOCKED,
        "each process on a CPU of its own, or free on all of them";
    "others" Choice(&["stay", MOVED]), "stay",
        "whether everything else is moved off the measured CPUs, and back afterwards";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what follows a step or frame that ended too late";
    "peer" Peer(&[LOCAL, NO_PEER]), LOCAL,
        "who sends each frame's datagram back: this machine, nobody, or a `steadfast echo`";
}

/// How many frames are due in a process.
pub(super) fn frames(spec: &RunSpec) -> u64 {
    spec.asked.duration.0 / spec.parameters.time("rate").0.max(1)
}

/// What process number `number`, from 1, is called.
pub(super) fn name(spec: &RunSpec, number: usize) -> String {
    format!("{number} of {}", spec.parameters.count("processes"))
}

/// The CPUs of process number `number`, from 1.
pub(super) fn place(spec: &RunSpec, number: usize) -> CpuSet {
    let cpus = &spec.asked.cpus;
    match spec.parameters.word("affinity") {
        LOCKED => cpus.iter().nth(number - 1).map_or_else(CpuSet::default, CpuSet::one),
        _ => cpus.clone(),
    }
}
