//! Policies of the kernel's own threads.

use crate::knob::{Knob, Risk, Way};
use crate::rivals::{RTKIT, TUNED};
use crate::values::Values;

const STARVES: &str = "what waits for them waits longer, or they keep others from their turn";

/// Declares knobs of kernel threads: how their names begin, values, summary.
macro_rules! threads {
    ($($knob:ident $name:literal, $begins:literal, $values:expr, $summary:literal;)*) => {
        $(pub(crate) const $knob: Knob = Knob {
            name: $name,
            summary: $summary,
            way: Way::Tasks($begins, $values),
            risk: Risk::Medium,
            why: STARVES,
            written_by: &[TUNED, RTKIT],
            source: "man 7 sched; tuned's profile realtime",
            ..Knob::PLAIN
        };)*
    };
}

threads! {
    KSOFTIRQD "ksoftirqd", "ksoftirqd/", Values::Between("fifo:2", "other:0"),
        "policy of the threads that do soft interrupts under load";
    KTIMERS "ktimers", "ktimers/", Values::Between("fifo:2", "fifo:1"),
        "policy of the threads that do timers on PREEMPT_RT";
    RCUC "rcuc", "rcuc/", Values::Between("fifo:4", "other:0"),
        "policy of the threads that free what RCU has kept";
    IRQ_THREADS "irq_threads", "irq/", Values::Between("fifo:85", "fifo:50"),
        "policy of the threads that serve interrupts";
}
