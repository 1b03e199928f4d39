//! Maps of sizes over numbers of threads.

use std::rc::Rc;

use serde::{Serialize, Serializer};
use stats::frontier::Criterion;

use super::edges::{Edges, edges};
use crate::capacity::{Grid, Line, Size};
use crate::standards::{Standards, Strictness};

/// Sizes over numbers of threads, with what came of each.
#[derive(Debug, Serialize)]
pub struct Map<'a> {
    /// The sizes that were tried.
    #[serde(flatten, serialize_with = "in_short")]
    pub grid: Rc<Grid<'a>>,
    soft_share: f64,
    many_share: f64,
    /// Where rows change their colour.
    #[serde(rename = "thresholds")]
    pub edges: Vec<Edges>,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    threads: u64,
    #[serde(rename = "masses")]
    size: u64,
    runs: u64,
    due: u64,
    missed: u64,
    shown_to_hold: bool,
}

fn in_short<S: Serializer>(grid: &Rc<Grid>, serializer: S) -> Result<S::Ok, S::Error> {
    grid.as_ref().serialize(serializer)
}

impl<'a> Map<'a> {
    /// The map of a grid.
    #[must_use]
    pub fn of(grid: &Rc<Grid<'a>>, standards: &Standards) -> Self {
        Self {
            grid: Rc::clone(grid),
            soft_share: standards.limits.soft.share(),
            many_share: standards.many.share(),
            edges: edges(grid, standards),
            cells: cells(grid, standards),
        }
    }
}

fn cells(grid: &Grid, standards: &Standards) -> Vec<Cell> {
    let demand = standards.limits.demand(Strictness::Hard, grid.period());
    let of_line = |line: &Line| -> Vec<Cell> {
        let cell = |(count, size): (&u64, &Size)| {
            let held = line.held(size, Criterion::InDeadlines, demand);
            Cell {
                threads: line.threads,
                size: *count,
                runs: held.tries.runs,
                due: held.tries.due,
                missed: held.tries.missed,
                shown_to_hold: held.is_shown(),
            }
        };
        line.sizes.iter().map(cell).collect()
    };
    grid.lines.iter().flat_map(of_line).collect()
}
