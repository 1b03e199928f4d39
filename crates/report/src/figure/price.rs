//! Throughput against determinism: the price of steadiness in speed.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Traded {
    pub name: String,
    pub worst_ns: f64,
    /// Mass updates per second.
    pub rate_per_s: f64,
}

const HEIGHT: usize = 300;
const SIZE: f64 = 13.0;

/// Draws a point per system and the line of the limit; the speed axis starts at 0. `None` without a
/// system.
pub(crate) fn price(
    name: &str,
    caption: &str,
    limit_ns: f64,
    systems: &[Traded],
) -> Option<Figure> {
    let worst = systems.iter().map(|system| system.worst_ns);
    let [shortest, longest] = span(worst.chain([limit_ns]))?;
    let fastest = systems.iter().map(|system| system.rate_per_s);
    let top = fastest.reduce(f64::max)? * 1.25;
    let worst = "worst wake-up of a real-time thread over all loads";
    let x = Axis::log(worst, Unit::Time, [shortest / 2.0, longest * 2.0]);
    let y = Axis::linear("the tire, real-fast: mass updates a second", Unit::Number, [0.0, top]);
    let panel = Panel::new(x, y, systems.iter().enumerate().map(point))
        .guides([Guide::dashed([[limit_ns, 0.0], [limit_ns, top]], words::time(limit_ns))]);
    Some(Figure::new(name, caption, HEIGHT, panel))
}

fn point((index, system): (usize, &Traded)) -> Series {
    let told = format!(
        "{}: worst wake-up {}, {} mass updates a second",
        system.name,
        words::time(system.worst_ns),
        words::grouped(system.rate_per_s.round() as u64),
    );
    let mark = Mark::at(system.worst_ns, system.rate_per_s).hover(&told).sized(SIZE);
    let look = Look { opacity: 0.8, ..Look::points(index) };
    Series::new(told, Kind::Points, look, vec![mark])
}
