//! Maps of sizes over numbers of threads.

use std::rc::Rc;

use plan::Axis;
use serde::{Serialize, Serializer};
use serde_json::{Map as Fields, Value, json as value};
use stats::frontier::{Criterion, Demands};

use super::edges::{Edges, PROPERTIES, Property, edges};
use crate::capacity::{Grid, Line, Size};
use crate::place;
use crate::standards::{Standards, Strictness};

/// Sizes over numbers of threads, with their results.
#[derive(Debug, Serialize)]
pub struct Map<'a> {
    #[serde(flatten, serialize_with = "in_short")]
    pub grid: Rc<Grid<'a>>,
    soft_share: f64,
    many_share: f64,
    /// Sizes at which rows change their colour.
    #[serde(skip)]
    pub edges: Vec<Edges>,
    thresholds: Vec<Fields<String, Value>>,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    threads: u64,
    /// Its size, under the name of its axis.
    #[serde(flatten)]
    size: Fields<String, Value>,
    runs: u64,
    due: u64,
    missed: u64,
    shown_to_hold: bool,
}

fn in_short<S: Serializer>(grid: &Rc<Grid>, serializer: S) -> Result<S::Ok, S::Error> {
    grid.as_ref().serialize(serializer)
}

impl<'a> Map<'a> {
    #[must_use]
    pub fn of(grid: &Rc<Grid<'a>>, standards: &Standards) -> Self {
        let edges = edges(grid, standards);
        Self {
            grid: Rc::clone(grid),
            soft_share: standards.limits.soft.share(),
            many_share: standards.many.share(),
            thresholds: edges.iter().map(|row| threshold(&grid.axis, row)).collect(),
            edges,
            cells: cells(grid, standards),
        }
    }
}

fn threshold(axis: &Axis, row: &Edges) -> Fields<String, Value> {
    let counts = [("threads", value!(row.threads)), ("sizes", value!(row.sizes))];
    let of = |property: Property| {
        let size = (property.of)(row).map(|(size, _)| place::number(axis, size));
        (property.name, value!(size))
    };
    let all = counts.into_iter().chain(PROPERTIES.map(of));
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn cells(grid: &Grid, standards: &Standards) -> Vec<Cell> {
    let demands = standards.limits.demands(Strictness::Hard, grid.periods());
    let of_line = |line: &Line| -> Vec<Cell> {
        let cell = |(count, size): (&u64, &Size)| {
            let held = line.held(size, Criterion::InDeadlines, demands.of(*count));
            Cell {
                threads: line.threads,
                size: place::told(&grid.axis, *count),
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
