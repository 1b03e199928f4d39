//! Throughput against determinism: the price of steadiness in speed.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

/// The name of a system, its worst wake-up in nanoseconds, and its mass updates per second.
type Traded = (String, f64, f64);

const HEIGHT: usize = 300;
const SIZE: f64 = 13.0;

/// Draws a point per system and the line of the limit; the speed axis starts at 0.
pub(crate) fn price(
    name: &str,
    caption: &str,
    limit_ns: f64,
    systems: &[Traded],
) -> Option<Figure> {
    let worst = systems.iter().map(|(_, worst_ns, _)| *worst_ns);
    let [shortest, longest] = span(worst.chain([limit_ns]))?;
    let top = systems.iter().map(|(.., rate)| *rate).reduce(f64::max)? * 1.25;
    let worst = "worst wake-up of a real-time thread over all loads";
    let x = Axis::log(worst, Unit::Time, [shortest / 2.0, longest * 2.0]);
    let y = Axis::linear("the tire, real-fast: mass updates a second", Unit::Number, [0.0, top]);
    let panel = Panel::new(x, y, systems.iter().enumerate().map(point))
        .guides([Guide::dashed([[limit_ns, 0.0], [limit_ns, top]], words::time(limit_ns))]);
    Some(Figure::new(name, caption, HEIGHT, panel))
}

fn point((index, (name, worst_ns, rate)): (usize, &Traded)) -> Series {
    let [worst, updates] = [words::time(*worst_ns), words::grouped(rate.round() as u64)];
    let told = format!("{name}: worst wake-up {worst}, {updates} mass updates a second");
    let mark = Mark::at(*worst_ns, *rate).hover(&told).sized(SIZE);
    let look = Look { opacity: 0.8, ..Look::points(index) };
    Series::new(told, Kind::Points, look, vec![mark])
}
