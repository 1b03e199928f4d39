//! The real-fast curve: time for a simulated minute, by size.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::capacity::SIMULATED_NS;
use analysis::words;
use record::Size;

const HEIGHT: usize = 280;

/// Real-fast runs of one solver on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub name: String,
    /// Curves of a family share a colour.
    pub family: usize,
    /// Curves at the same place in their families share a stroke.
    pub place: usize,
    /// Sizes, with nanoseconds per simulated minute.
    pub points: Vec<(u64, f64)>,
}

pub(crate) fn real_fast(name: &str, curves: &[Curve]) -> Option<Figure> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = || points().map(|(size, _)| *size as f64);
    let [least, most] = span(sizes())?;
    let [least, most] = [least / 1.5, most * 1.5];
    let [shortest, longest] = span(points().map(|(_, ns)| *ns).chain([SIMULATED_NS]))?;
    let limit = [[most, SIMULATED_NS], [least, SIMULATED_NS]];
    let x = Axis::log(Size::MASSES.many, Unit::Number, [least, most]).ticks(sizes().collect());
    let y = Axis::log("time for 60 s simulated", Unit::Time, [shortest / 1.5, longest * 2.0]);
    let limit = Guide::dashed(limit, "as fast as time");
    let panel = Panel::new(x, y, curves.iter().map(line)).guides([limit]);
    let caption = "6000 steps of 10 ms as fast as the machine computes them. Below the dashed \
                   line the simulation runs faster than time.";
    Some(Figure::new(name, caption, HEIGHT, panel))
}

fn line(curve: &Curve) -> Series {
    let mark = |(size, ns): &(u64, f64)| {
        let [size_text, time] = [words::size(Size::MASSES, *size), words::time(*ns)];
        Mark::at(*size as f64, *ns).hover(format!("{}\n{size_text}: {time}", curve.name))
    };
    let look = Look::points(curve.family).dashed(curve.place);
    Series::new(&curve.name, Kind::Line, look, curve.points.iter().map(mark).collect())
}
