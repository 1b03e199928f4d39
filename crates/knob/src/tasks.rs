//! Policies of the kernel's own threads.

use crate::knob::{Knob, Risk, Way};
use crate::rivals::{RTKIT, TUNED};
use crate::values::Values;

const STARVES: &str = "work that depends on them waits longer, or they delay other threads";

/// Declares knobs of kernel threads: the beginning of their names, values, summary.
macro_rules! threads {
    ($($name:literal, $begins:literal, $values:expr, $summary:literal;)*) => {
        pub(crate) const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            summary: $summary,
            way: Way::Tasks($begins, $values),
            risk: Risk::Medium,
            why: STARVES,
            written_by: &[TUNED, RTKIT],
            source: "man 7 sched; tuned's profile realtime",
            ..Knob::PLAIN
        }),*];
    };
}

threads! {
    "ksoftirqd", "ksoftirqd/", Values::Between("fifo:2", "other:0"),
        "policy of the threads that handle soft interrupts under load";
    "ktimers", "ktimers/", Values::Between("fifo:2", "fifo:1"),
        "policy of the threads that handle timers on PREEMPT_RT";
    "rcuc", "rcuc/", Values::Between("fifo:4", "other:0"),
        "policy of the threads that run RCU callbacks";
    "irq_threads", "irq/", Values::Between("fifo:85", "fifo:50"),
        "policy of the threads that handle interrupts";
}
