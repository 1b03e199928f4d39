//! What can be asked of frames, and what follows from it for each process.

use plan::{Kind, Parameter, RunSpec};
use units::CpuSet;

use crate::pace::Overrun;

pub(super) const TIMER: &str = "timer";
pub(super) const SPIN: &str = "spin";
pub(super) const HYBRID: &str = "hybrid";
pub(super) const LOCKED: &str = "locked";
pub(super) const MOVED: &str = "moved";
pub(super) const LOCAL: &str = "local";
pub(super) const NO_PEER: &str = "none";

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "processes",
        kind: Kind::Threads(64),
        default: "1",
        help: "processes that run frames side by side",
    },
    Parameter {
        name: "rate",
        kind: Kind::Rate,
        default: "100Hz",
        help: "frames a second",
    },
    Parameter {
        name: "fill",
        kind: Kind::Percent(1, 99),
        default: "85%",
        help: "share of the period that a frame's work is to fill",
    },
    Parameter {
        name: "start",
        kind: Kind::Choice(&[TIMER, SPIN, HYBRID]),
        default: TIMER,
        help: "what a process waits by: interval timer, spin on the clock, or timer and then spin",
    },
    Parameter {
        name: "affinity",
        kind: Kind::Choice(&[LOCKED, "free"]),
        default: LOCKED,
        help: "each process on a CPU of its own, or free on all of them",
    },
    Parameter {
        name: "others",
        kind: Kind::Choice(&["stay", MOVED]),
        default: "stay",
        help: "whether everything else is moved off the measured CPUs, and back afterwards",
    },
    Parameter {
        name: "overrun",
        kind: Kind::Choice(Overrun::NAMES),
        default: Overrun::NAMES[0],
        help: "what follows a step or frame that ended too late",
    },
    Parameter {
        name: "peer",
        kind: Kind::Peer(&[LOCAL, NO_PEER]),
        default: LOCAL,
        help: "who sends each frame's datagram back: this machine, nobody, or a `steadfast echo`",
    },
];

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
        LOCKED => cpus
            .iter()
            .nth(number - 1)
            .map_or_else(CpuSet::default, CpuSet::one),
        _ => cpus.clone(),
    }
}
