//! The roofline (Williams, Waterman and Patterson, 2009): the speed of solvers compared with the
//! ceilings of memory and arithmetic.

use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use crate::figure::{Figure, span};
use analysis::benchmark::{Benchmark, Ceiling, Entry};
use analysis::lists::groups;
use analysis::survey::median;
use analysis::words;

const HEIGHT: usize = 420;

/// A ceiling with its two limits: operations per second of the arithmetic units, and bytes per
/// second of the memory.
type Roof<'b> = (&'b Ceiling, [f64; 2]);

/// An entry with its place: operations per byte that a pass over memory moves, and per second.
type Point<'b> = (&'b Entry, [f64; 2]);

/// Draws the roofline of one machine, with the instruction set that is fastest there.
pub(crate) fn roofline(name: &str, benchmark: &Benchmark) -> Option<Figure> {
    let set = benchmark.ratios.first()?.instructions.as_ref();
    let is_shown = |solver_set: Option<&String>| solver_set.is_none() || solver_set == set;
    let ceilings = benchmark.ceilings.iter().filter(|c| is_shown(c.instructions.as_ref()));
    let roofs: Vec<Roof> = ceilings.filter_map(|ceiling| roof(ceiling, benchmark)).collect();
    let entries = benchmark.entries.iter().filter(|e| is_shown(e.instructions.as_ref()));
    let points: Vec<Point> = entries.filter_map(|entry| point(entry, benchmark)).collect();
    let usable = |value: &f64| *value > 0.0 && value.is_finite();
    let across = points.iter().map(|(_, [a_byte, _])| *a_byte);
    let across = across.chain(roofs.iter().map(|(_, limits)| ridge(*limits))).filter(usable);
    let upwards = points.iter().map(|(_, [_, per_s])| *per_s);
    let upwards = upwards.chain(roofs.iter().map(|(_, [operations_per_s, _])| *operations_per_s));
    let ([left, right], [low, high]) = (span(across)?, span(upwards.filter(usable))?);
    let ([left, right], [low, high]) = ([left / 1.8, right * 3.0], [low / 1.8, high * 2.5]);
    let solvers = groups(points, |a, b| a.0.solver == b.0.solver).into_iter();
    let series = solvers.enumerate().flat_map(|(place, solver)| markers(place, solver));
    let axis = |title, range| Axis::log(title, Unit::Number, range);
    let panel = Panel::new(
        axis("operations for each byte of state that a pass reads or writes", [left, right]),
        axis("operations per second: multiplications and fused multiply-adds", [low, high]),
        series,
    )
    .guides(roofs.iter().map(|roof| line(roof, low, right)));
    let caption = format!(
        "{}. The slopes are what memory allows, the level lines what the arithmetic units \
         allow; dashed for one thread. A point above its slope has its state in caches. Circles: \
         `f64`, diamonds: `f32`; open: one thread, filled: several; the larger the more masses.",
        benchmark.system
    );
    Some(Figure::new(name, caption, HEIGHT, panel))
}

/// Memory is equally fast in both precisions, so both share a slope.
fn roof<'b>(ceiling: &'b Ceiling, benchmark: &Benchmark) -> Option<Roof<'b>> {
    let same_threads = benchmark.ceilings.iter().filter(|c| c.threads == ceiling.threads);
    let operations_per_s = ceiling.arithmetic_per_s? * ceiling.multiplications_a_mass?;
    Some((ceiling, [operations_per_s, median(same_threads.filter_map(|c| c.bytes_per_s))?]))
}

fn point<'b>(entry: &'b Entry, benchmark: &Benchmark) -> Option<Point<'b>> {
    let ceiling = entry.ceiling(&benchmark.ceilings)?;
    let operations = ceiling.multiplications_a_mass?;
    let a_byte = operations / ceiling.bytes_a_mass? * entry.steps_a_pass;
    Some((entry, [a_byte, operations * entry.rate_per_s]))
}

/// The intensity at which both ceilings meet, in operations per byte.
fn ridge([operations_per_s, bytes_per_s]: [f64; 2]) -> f64 {
    operations_per_s / bytes_per_s
}

/// Returns the line that rises from `low` to the ridge and continues level to `right`.
fn line((ceiling, limits): &Roof, low: f64, right: f64) -> Guide {
    let [top, bytes_per_s] = *limits;
    let threads = words::counted(ceiling.threads as usize, "thread");
    let name = format!("{}, {threads}", ceiling.precision);
    let slope = [low / bytes_per_s, low];
    let line = Guide::solid([slope, [ridge(*limits), top], [right, top]], &name);
    Guide { dashed: ceiling.threads == 1, ..line }
}

/// Returns the points of one solver, a series per symbol; only the first one is in the legend.
fn markers(place: usize, mut points: Vec<Point>) -> Vec<Series> {
    let kind = |(entry, _): &Point| (entry.precision == "f32", entry.threads == 1);
    points.sort_by_key(kind);
    let of_kind = |alike: &[Point]| {
        let mark = |(entry, [across, up]): &Point| {
            Mark::at(*across, *up).hover(hover(entry)).sized(size(entry.masses))
        };
        let (is_single, is_alone) = kind(&alike[0]);
        let symbol = if is_single { Symbol::Diamond } else { Symbol::Circle };
        let look = Look::line(place).with(symbol).open(is_alone);
        let marks = alike.iter().map(mark).collect();
        Series::new(&alike[0].0.solver, Kind::Points, look, marks)
    };
    let kinds = points.chunk_by(|a, b| kind(a) == kind(b));
    kinds.map(of_kind).collect()
}

/// Diameter in CSS pixels: three more for each factor of ten in masses.
fn size(masses: u64) -> f64 {
    let tenfolds = (masses.max(1) as f64).log10();
    (3.0 * tenfolds - 4.0).max(4.0)
}

fn hover(entry: &Entry) -> String {
    let rate = words::quantity(entry.rate_per_s);
    let mut text = format!("{}:\n{rate} mass updates per second", entry.title());
    if let Some(share) = entry.of_arithmetic {
        text += &format!("\n{} of the arithmetic ceiling", words::percent(share));
    }
    if let Some(times) = entry.times_semaphore {
        text += &format!("\n{} times semaphore", words::quantity(times));
    }
    text
}
