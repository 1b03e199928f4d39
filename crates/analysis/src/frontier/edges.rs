//! Missed-deadline maps: where misses begin, where they are many, and up to where a size
//! is usable, for each number of threads and over all (SAE, tables 3 to 5; MPE 4.4).

use base::Policy;
use stats::Tries;
use stats::frontier::Criterion;

use super::Frontier;
use crate::capacity::{self, Line};
use crate::standards::Strictness;

/// A size with what was counted of it.
pub type EdgeSize = Option<(u64, Tries)>;

/// Sizes at which a row of a map changes its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edges {
    pub threads: Option<u64>,
    pub policy: Policy,
    pub sizes: usize,
    pub missed: usize,
    /// Number of sizes that missed a smaller share than a smaller size did.
    pub recovered: usize,
    /// Largest size shown to miss nothing, nor any smaller one; over all, on all threads.
    pub shown: EdgeSize,
    /// Largest size without a miss at it or any smaller size; over all, on all threads.
    pub clean: EdgeSize,
    /// Smallest size with a miss: the first dot.
    pub first_miss: EdgeSize,
    /// Smallest size with many misses: the first red dot.
    pub first_many: EdgeSize,
    /// Largest size that is soft real time (in the row over all, on any number of threads); the map
    /// is of no use above it. `None` if the largest size measured still is.
    pub usable: EdgeSize,
}

pub struct Property {
    /// Its name in the table of published sizes.
    pub name: &'static str,
    pub of: fn(&Edges) -> EdgeSize,
}

pub const PROPERTIES: [Property; 5] = [
    Property { name: "hard_real_time_up_to", of: |edges| edges.shown },
    Property { name: "no_miss_up_to", of: |edges| edges.clean },
    Property { name: "first_missed_deadline", of: |edges| edges.first_miss },
    Property { name: "first_red_dot", of: |edges| edges.first_many },
    Property { name: "no_soft_real_time_above", of: |edges| edges.usable },
];

impl<'a> Frontier<'a> {
    /// Returns the edges of each number of threads, then those over all if there are several.
    pub fn edges(&self) -> Vec<Edges> {
        let lines = &self.grid.lines;
        let mut rows: Vec<Edges> = lines.iter().map(|line| self.edges_of(line)).collect();
        if rows.len() > 1 {
            let all = over_all(&rows);
            let is_open = |line: &Line| self.usable(line) == line.largest();
            let usable = all.usable.filter(|_| !lines.iter().any(is_open));
            rows.push(Edges { usable, ..all });
        }
        rows
    }

    /// Returns the smallest size with a miss, with its number of threads.
    pub fn first_miss(&self) -> Option<(&Line<'a>, u64)> {
        let missed = |line| Some((line, self.edges_of(line).first_miss?.0));
        self.grid.lines.iter().filter_map(missed).min_by_key(|(_, size)| *size)
    }

    fn edges_of(&self, line: &Line) -> Edges {
        let hard = self.limits.demands(Strictness::Hard, self.grid.periods());
        let hard = line.ends(Criterion::InDeadlines, &hard);
        let shares = || line.sizes.values().map(|size| size.deadlines.share());
        let mut worst = 0.0_f64;
        let is_better = |share: &f64| {
            worst = worst.max(*share);
            *share < worst
        };
        let many = |(_, size): &(&u64, &capacity::Size)| self.many.is_in(size.deadlines);
        let counted = |size: u64| (size, line.sizes[&size].deadlines);
        Edges {
            threads: Some(line.threads),
            policy: self.grid.spec.asked.policy,
            sizes: line.sizes.len(),
            missed: shares().filter(|share| *share > 0.0).count(),
            recovered: shares().filter(is_better).count(),
            shown: hard.shown.held.map(counted),
            clean: hard.so_far.held.map(counted),
            first_miss: hard.so_far.missed.map(counted),
            first_many: line.sizes.iter().find(many).map(|(size, _)| counted(*size)),
            usable: self.usable(line).filter(|size| Some(*size) != line.largest()).map(counted),
        }
    }

    fn usable(&self, line: &Line) -> Option<u64> {
        let soft = self.limits.demands(Strictness::Soft, self.grid.periods());
        line.ends(Criterion::InDeadlines, &soft).so_far.last()
    }
}

impl Edges {
    /// The first size with many misses, divided by the first with any; 1 if that one has many.
    pub fn band_width(&self) -> Option<f64> {
        Some(self.first_many?.0 as f64 / self.first_miss?.0 as f64)
    }
}

/// The smallest number of threads on which this edge is at the largest size.
pub fn best_threads(edges: &[Edges], of: fn(&Edges) -> EdgeSize) -> Option<u64> {
    let sizes = edges.iter().rev().filter_map(|row| Some((row.threads?, of(row)?.0)));
    sizes.max_by_key(|(_, size)| *size).map(|(threads, _)| threads)
}

fn over_all(rows: &[Edges]) -> Edges {
    let smallest =
        |of: fn(&Edges) -> EdgeSize| rows.iter().filter_map(of).min_by_key(|size| size.0);
    let largest = |of: fn(&Edges) -> EdgeSize| rows.iter().filter_map(of).max_by_key(|size| size.0);
    let on_all = |of: fn(&Edges) -> EdgeSize| {
        smallest(of).filter(|_| rows.iter().all(|row| of(row).is_some()))
    };
    Edges {
        threads: None,
        policy: rows[0].policy,
        sizes: rows.iter().map(|row| row.sizes).sum(),
        missed: rows.iter().map(|row| row.missed).sum(),
        recovered: rows.iter().map(|row| row.recovered).sum(),
        shown: on_all(|row| row.shown),
        clean: on_all(|row| row.clean),
        first_miss: smallest(|row| row.first_miss),
        first_many: smallest(|row| row.first_many),
        usable: largest(|row| row.usable),
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
    use crate::survey::{System, systems};

    /// Edges of runs with size, threads and how many of 1000 steps missed.
    fn edges_of(cells: &[(u64, u64, u64)]) -> Vec<Edges> {
        let run = |&(size, threads, missed)| tire("real-time", size, threads, 1000, missed);
        of(&systems(&Vec::from_iter(cells.iter().map(run))))
    }

    fn of(systems: &[System]) -> Vec<Edges> {
        let grid = grids(&systems[0]).remove(0);
        frontier::grid_frontiers([Rc::new(grid)], &DEFAULT_STANDARDS)[0].edges()
    }

    fn sizes(edges: &Edges) -> [Option<u64>; 5] {
        PROPERTIES.map(|property| (property.of)(edges).map(|(size, _)| size))
    }

    #[test]
    fn each_row_tells_its_first_dots_and_where_it_ends() {
        let cells = [(100, 0), (200, 3), (300, 0), (400, 10), (500, 60), (600, 101), (700, 90)];
        let rows = edges_of(&cells.map(|(size, missed)| (size, 1, missed)));
        assert_eq!(rows.len(), 1, "one number of threads has no line over all");
        // 10 of 1000 is soft, 60 is neither soft nor many, 101 is many.
        assert_eq!(sizes(&rows[0]), [None, Some(100), Some(200), Some(600), Some(400)]);
        // 300 misses less than 200, and 700 less than 600.
        assert_eq!((rows[0].missed, rows[0].recovered), (5, 2));
        assert_eq!(rows[0].band_width(), Some(3.0));
    }

    #[test]
    fn the_best_number_of_threads_is_the_smallest_that_holds_most() {
        let line = |threads, missed| [(100, threads, 0), (missed, threads, 500)];
        let rows = edges_of(&[line(1, 200), line(2, 400), line(4, 400)].concat());
        assert_eq!(best_threads(&rows, |row| row.first_many), Some(2));
        assert_eq!(best_threads(&rows, |row| row.shown), None);
    }

    #[test]
    fn over_all_dots_are_the_first_and_use_ends_with_the_last() {
        let two = [(100, 2, 0), (200, 2, 0), (400, 2, 5), (800, 2, 900)];
        let rows = edges_of(&[&[(100, 1, 0), (200, 1, 500)], &two[..]].concat());
        let all = rows.last().unwrap();
        assert_eq!((all.threads, all.sizes), (None, 6));
        assert_eq!(sizes(all), [None, Some(100), Some(200), Some(200), Some(400)]);
        let rows = edges_of(&[(100, 1, 2), (100, 2, 0)]);
        let why = "a row that always misses leaves no size without a miss";
        assert_eq!(sizes(&rows[2]), [None, None, Some(100), None, None], "{why}");
    }

    #[test]
    fn use_ends_only_where_a_larger_size_was_measured() {
        let open = [(100, 1, 0), (200, 1, 10)];
        let ended = [(100, 2, 0), (200, 2, 500)];
        let ends = |cells: &[(u64, u64, u64)]| -> Vec<Option<u64>> {
            edges_of(cells).iter().map(|row| sizes(row)[4]).collect()
        };
        assert_eq!(ends(&open), [None]);
        assert_eq!(ends(&ended), [Some(100)]);
        assert_eq!(ends(&[open, ended].concat()), [None, Some(100), None]);
    }

    #[test]
    fn hard_is_what_is_shown_in_several_runs() {
        let mut runs = vec![tire("real-time", 200, 1, 600, 0), tire("real-time", 300, 1, 600, 1)];
        for number in 0..70 {
            let mut run = tire("real-time", 100, 1, 110, 0);
            run.header.run_id.push_str(&format!("-{number}"));
            runs.push(run);
        }
        let systems = systems(&runs);
        let row = of(&systems)[0];
        // 200 masses were tried for 6 s in one run alone.
        assert_eq!(sizes(&row)[..3], [Some(100), Some(200), Some(300)]);
    }
}
