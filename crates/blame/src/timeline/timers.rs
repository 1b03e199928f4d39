//! A CPU's timer interrupts, and what the kernel makes of one that does not get done.

/// The longest that the kernel puts the next one off, in nanoseconds
/// (kernel/time/hrtimer.c, `hrtimer_interrupt`).
const LONGEST_DELAY: i64 = 100_000_000;
/// The kernel's own stamps are taken within the interrupt, and those of its events around it: of what
/// one took, this part at most lies between them.
const BETWEEN_STAMPS: i64 = 16;

/// The timer interrupts of a CPU, as they come and go.
#[derive(Debug, Default)]
pub(super) struct Timers {
    entered: Option<i64>,
    /// The last one, from when to when.
    last: Option<[i64; 2]>,
}

impl Timers {
    /// An interrupt begins. Tells whether the kernel itself had put it off: where more timers
    /// expire while some are served, round after round, it gives up, and does not let the
    /// next interrupt come before as long again has passed, whatever expires meanwhile.
    pub(super) fn enter(&mut self, at: i64) -> bool {
        self.entered = Some(at);
        self.last.is_some_and(|[from, to]| {
            let took = to - from;
            let put_off = at - to - took.min(LONGEST_DELAY);
            put_off.abs() <= took / BETWEEN_STAMPS
        })
    }

    /// It ends.
    pub(super) fn leave(&mut self, at: i64) {
        self.last = self.entered.take().map(|from| [from, at]).or(self.last);
    }
}
