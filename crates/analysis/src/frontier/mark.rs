//! Marks of sizes on a map: a letter in the terminal, a colour on a page.

use stats::frontier::Criterion;

use super::Frontier;
use crate::capacity::Line;
use crate::standards::Strictness;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Shown,
    Clean,
    /// The misses are rare enough for soft real time.
    Soft,
    /// More deadlines were missed, but not many.
    Missed,
    Many,
}

impl Frontier<'_> {
    pub fn mark(&self, line: &Line, size: u64) -> Mark {
        let held = |strictness| {
            let demand = self.limits.demand(strictness, self.grid.period(size));
            line.held(&line.sizes[&size], Criterion::InDeadlines, demand)
        };
        match held(Strictness::Hard) {
            hard if hard.is_shown() => Mark::Shown,
            hard if hard.tries.missed == 0 => Mark::Clean,
            hard if self.many.is_in(hard.tries) => Mark::Many,
            _ if held(Strictness::Soft).standing.is_good() => Mark::Soft,
            _ => Mark::Missed,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::capacity::grids;
    use crate::fixture::tire;
    use crate::frontier;
    use crate::standards::DEFAULT_STANDARDS;
    use crate::survey::systems;

    #[test]
    fn a_mark_tells_what_is_shown_from_what_seems_so() {
        let of = |steps: u64, missed: u64, runs: usize| {
            let runs = vec![tire("real-time", 100, 1, steps, missed); runs];
            let systems = systems(&runs);
            let grid = grids(&systems[0]).remove(0);
            let frontier = frontier::grid_frontiers([Rc::new(grid)], &DEFAULT_STANDARDS).remove(0);
            frontier.mark(&frontier.grid.lines[0], 100)
        };
        // 30 s at 100 Hz (fewer than 1 in 1000), in 29 runs or more.
        assert_eq!(of(104, 0, 29), Mark::Shown);
        assert_eq!(of(200, 0, 28), Mark::Clean);
        assert_eq!(of(103, 0, 29), Mark::Clean);
        assert_eq!(of(1000, 10, 1), Mark::Soft);
        assert_eq!(of(1000, 11, 1), Mark::Missed);
        assert_eq!(of(1000, 101, 1), Mark::Many);
    }
}
