//! A CPU's timer interrupts, and how the kernel postpones the next one.

/// The longest time by which the kernel postpones the next interrupt, in nanoseconds
/// (kernel/time/hrtimer.c, `hrtimer_interrupt`).
const LONGEST_DELAY: i64 = 100_000_000;
/// The kernel takes its own time stamps inside the interrupt, and those of its trace events around
/// it: at most one part in this many of the interrupt's duration is between them.
const BETWEEN_STAMPS: i64 = 16;

#[derive(Debug, Default)]
pub(super) struct Timers {
    entered: Option<i64>,
    /// Start and end of the last one.
    last: Option<[i64; 2]>,
}

impl Timers {
    /// Records that an interrupt begins. Returns true if the kernel itself had postponed it: if
    /// more timers expire while some are served, round after round, the kernel gives up and lets
    /// the next interrupt come only after the same time has passed again, whatever expires in
    /// between.
    pub(super) fn enter(&mut self, at: i64) -> bool {
        self.entered = Some(at);
        self.last.is_some_and(|[from, to]| {
            let took = to - from;
            let put_off = at - to - took.min(LONGEST_DELAY);
            put_off.abs() <= took / BETWEEN_STAMPS
        })
    }

    pub(super) fn leave(&mut self, at: i64) {
        self.last = self.entered.take().map(|from| [from, at]).or(self.last);
    }
}
