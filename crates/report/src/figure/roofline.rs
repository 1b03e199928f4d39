//! The roofline (Williams, Waterman and Patterson, 2009): the speed of solvers compared with the
//! ceilings of memory and arithmetic.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use analysis::lists::groups;

const HEIGHT: usize = 420;

/// Ceilings of one precision on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Roof {
    pub name: String,
    /// Ceiling of the arithmetic units, in operations per second.
    pub operations_per_s: f64,
    /// Ceiling of the memory, in bytes per second.
    pub bytes_per_s: f64,
    pub is_alone: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub solver: String,
    /// Operations per byte that a pass over memory moves.
    pub operations_a_byte: f64,
    pub operations_per_s: f64,
    /// Number of masses, which sets the size of the point.
    pub masses: u64,
    pub is_single: bool,
    pub is_alone: bool,
    pub hover: String,
}

pub(crate) fn roofline(
    name: &str,
    machine: &str,
    roofs: &[Roof],
    points: &[Point],
) -> Option<Figure> {
    let usable = |value: &f64| *value > 0.0 && value.is_finite();
    let across = points.iter().map(|point| point.operations_a_byte);
    let across = across.chain(roofs.iter().map(Roof::ridge)).filter(usable);
    let upwards = points.iter().map(|point| point.operations_per_s);
    let upwards = upwards.chain(roofs.iter().map(|roof| roof.operations_per_s));
    let ([left, right], [low, high]) = (span(across)?, span(upwards.filter(usable))?);
    let ([left, right], [low, high]) = ([left / 1.8, right * 3.0], [low / 1.8, high * 2.5]);
    let solvers = groups(points, |one, other| one.solver == other.solver).into_iter();
    let series = solvers.enumerate().flat_map(|(place, own)| markers(place, own));
    let axis = |title, range| Axis::log(title, Unit::Number, range);
    let panel = Panel::new(
        axis("operations for each byte of state that a pass reads or writes", [left, right]),
        axis("operations a second: multiplications and fused multiply-adds", [low, high]),
        series,
    )
    .guides(roofs.iter().map(|roof| roof.line(low, right)));
    let caption = format!(
        "{machine}. The slopes are what memory allows, the level lines what the arithmetic units \
         allow; dashed for one thread. A point above its slope has its state in caches. Circles: \
         `f64`, diamonds: `f32`; open: one thread, filled: several; the larger the more masses."
    );
    Some(Figure::new(name, caption, HEIGHT, panel))
}

impl Roof {
    /// The intensity at which both ceilings meet, in operations per byte.
    fn ridge(&self) -> f64 {
        self.operations_per_s / self.bytes_per_s
    }

    /// Returns the line that rises from `low` to the ridge and continues level to `right`.
    fn line(&self, low: f64, right: f64) -> Guide {
        let top = self.operations_per_s;
        let slope = [low / self.bytes_per_s, low];
        let line = Guide::solid([slope, [self.ridge(), top], [right, top]], &self.name);
        Guide { dashed: self.is_alone, ..line }
    }
}

/// Returns the points of one solver, a series per symbol; only the first one is in the legend.
fn markers(place: usize, mut points: Vec<&Point>) -> Vec<Series> {
    points.sort_by_key(|point| point.kind());
    let of_kind = |alike: &[&Point]| {
        let mark = |point: &&Point| {
            let mark = Mark::at(point.operations_a_byte, point.operations_per_s);
            mark.hover(&point.hover).sized(point.size())
        };
        let marks = alike.iter().map(mark).collect();
        Series::new(&alike[0].solver, Kind::Points, alike[0].look(place), marks)
    };
    let kinds = points.chunk_by(|one, other| one.kind() == other.kind());
    kinds.map(of_kind).collect()
}

impl Point {
    fn kind(&self) -> (bool, bool) {
        (self.is_single, self.is_alone)
    }

    fn look(&self, place: usize) -> Look {
        let symbol = if self.is_single { Symbol::Diamond } else { Symbol::Circle };
        Look::line(place).with(symbol).open(self.is_alone)
    }

    /// Diameter in CSS pixels: three more for each factor of ten in masses.
    fn size(&self) -> f64 {
        let tenfolds = (self.masses.max(1) as f64).log10();
        (3.0 * tenfolds - 4.0).max(4.0)
    }
}
