//! Marks of sizes on a map: a letter in the terminal, a colour on a page.

use stats::frontier::Criterion;
use units::Nanos;

use crate::capacity::{Line, Size};
use crate::standards::{Standards, Strictness};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is shown to miss no deadline.
    Shown,
    /// No deadline was missed so far.
    Clean,
    /// The misses are rare enough for soft real time.
    Soft,
    /// More deadlines were missed, but not many.
    Missed,
    Many,
}

impl Mark {
    /// Judges a size of a line whose deadlines have this period.
    #[must_use]
    pub fn of(line: &Line, size: &Size, period: Nanos, standards: &Standards) -> Self {
        let held = |strictness| {
            let demand = standards.limits.demand(strictness, period);
            line.held(size, Criterion::InDeadlines, demand)
        };
        match held(Strictness::Hard) {
            hard if hard.is_shown() => Self::Shown,
            hard if hard.tries.missed == 0 => Self::Clean,
            hard if standards.many.is_in(hard.tries) => Self::Many,
            _ if held(Strictness::Soft).standing.is_good() => Self::Soft,
            _ => Self::Missed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::grids;
    use crate::fixture::tire;
    use crate::survey::systems;

    #[test]
    fn a_mark_tells_what_is_shown_from_what_seems_so() {
        let of = |steps: u64, missed: u64, runs: usize| {
            let runs = vec![tire("real-time", 100, 1, steps, missed); runs];
            let systems = systems(&runs);
            let grid = &grids(&systems[0])[0];
            let line = &grid.lines[0];
            Mark::of(line, &line.sizes[&100], grid.period(100), &Standards::default())
        };
        // 10 s at 100 Hz, in 29 runs or more.
        assert_eq!(of(35, 0, 29), Mark::Shown);
        assert_eq!(of(35, 0, 28), Mark::Clean);
        assert_eq!(of(1000, 0, 1), Mark::Clean);
        assert_eq!(of(1000, 10, 1), Mark::Soft);
        assert_eq!(of(1000, 11, 1), Mark::Missed);
        assert_eq!(of(1000, 101, 1), Mark::Many);
    }
}
