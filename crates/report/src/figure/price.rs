//! Throughput against determinism: the price of steadiness in speed, and misses for each way to
//! schedule best-effort work.

use analysis::words;

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 300;
const SIZE: f64 = 13.0;
const BOUGHT_HEIGHT: usize = 320;
const BOUGHT_SIZE: f64 = 11.0;
/// Thickness of a horizontal line, as a fraction of the height.
const THIN: f64 = 0.004;
/// Room beyond the farthest end, as a ratio.
const ROOM: f64 = 1.15;

/// What a system does, and how late it is at worst.
pub(crate) struct Traded {
    pub name: String,
    /// The shortest and the longest worst wake-up of a draw, in nanoseconds.
    pub worst_ns: [f64; 2],
    pub mass_updates_per_s: f64,
}

/// Draws a point per system at its longest worst wake-up, a line from there to the shortest one, and the line of the
/// limit; the speed axis starts at 0.
pub(crate) fn price(name: &str, caption: &str, limit_ns: f64, traded: &[Traded]) -> Option<Figure> {
    let worst = traded.iter().flat_map(|traded| traded.worst_ns);
    let [shortest, longest] = span(worst.chain([limit_ns]))?;
    let top = traded.iter().map(|traded| traded.mass_updates_per_s).reduce(f64::max)? * 1.25;
    let worst = "worst wake-up of a real-time thread over all loads";
    let x = Axis::log(worst, Unit::Time, [shortest / 2.0, longest * 2.0]);
    let y = Axis::linear("the tire, real-fast: mass updates per second", Unit::Number, [0.0, top]);
    let series = traded.iter().enumerate().flat_map(|traded| point(traded, THIN * top));
    let panel = Panel::new(x, y, series)
        .guides([Guide::dashed([[limit_ns, 0.0], [limit_ns, top]], words::time(limit_ns))]);
    Some(Figure::new(name, caption, HEIGHT, panel))
}

/// Returns the line over draws, if it has a length, and the point.
fn point((index, traded): (usize, &Traded), thickness: f64) -> impl Iterator<Item = Series> {
    let Traded { name, worst_ns: [shortest, longest], mass_updates_per_s: rate } = traded;
    let [worst, updates] =
        [words::time_range(traded.worst_ns), words::grouped(rate.round() as u64)];
    let hover = format!("{name}: worst wake-up {worst}, {updates} mass updates per second");
    let look = Look { opacity: 0.8, ..Look::points(index) };
    let line = (shortest < longest).then(|| {
        let across = Mark::span(*shortest, *longest, *rate).hover(&hover);
        Series::new("", Kind::Spans(thickness), look.without_symbol(), vec![across])
    });
    let mark = Mark::at(*longest, *rate).hover(&hover).sized(SIZE);
    line.into_iter().chain([Series::new(hover, Kind::Points, look, vec![mark])])
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bought {
    pub name: String,
    /// Share of missed deadlines: lower end, estimate, upper end.
    pub missed: [f64; 3],
    /// Work per second: lower end, estimate, upper end.
    pub work_per_s: [f64; 3],
}

/// Draws a point per way, with a line for each of its two intervals. `None` for fewer than two
/// ways.
pub(crate) fn bought(name: &str, caption: &str, title: &str, ways: &[Bought]) -> Option<Figure> {
    let [_, worst] = span(ways.iter().flat_map(|way| way.missed))?;
    let [_, most] = span(ways.iter().flat_map(|way| way.work_per_s))?;
    let (right, top) = (worst * ROOM, most.max(1.0) * ROOM);
    let series = |(index, way): (usize, &Bought)| {
        let ([fewest, missed, most], [least, work, highest]) = (way.missed, way.work_per_s);
        let look = Look::points(index);
        let [low, rate, high] = way.work_per_s.map(words::quantity);
        let share = analysis::phrases::share_missed(way.missed);
        let hover = format!("{}: {rate} per second ({low} to {high}), {share}", way.name);
        let across = Mark::span(fewest, most, work).hover(&hover);
        let upright = Mark { to: Some(highest), ..Mark::at(missed, least) };
        let point = Mark::at(missed, work).hover(&hover).sized(BOUGHT_SIZE);
        [
            Series::new("", Kind::Spans(THIN * top), look.without_symbol(), vec![across]),
            Series::new("", Kind::Needles, look.without_symbol(), vec![upright]),
            Series::new(hover, Kind::Points, look, vec![point]),
        ]
    };
    let x = Axis::linear("deadlines of all rates that were missed", Unit::Share, [0.0, right]);
    let y = Axis::linear(title, Unit::Number, [0.0, top]);
    let panel = Panel::new(x, y, ways.iter().enumerate().flat_map(series));
    (ways.len() > 1).then(|| Figure::new(name, caption, BOUGHT_HEIGHT, panel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_has_a_point_at_its_longest_draw_and_a_line_from_its_shortest() {
        let traded = |name: &str, worst_ns| Traded {
            name: name.to_owned(),
            worst_ns,
            mass_updates_per_s: 3e6,
        };
        let both = [traded("draws", [2e4, 4e4]), traded("alone", [5e4, 5e4])];
        let drawn = price("price", "", 1e6, &both).unwrap();
        let [line, point, alone] = &drawn.panels[0].series[..] else {
            panic!("a line and two points")
        };
        assert_eq!((line.marks[0].x, line.marks[0].to), (2e4, Some(4e4)));
        assert_eq!((point.marks[0].x, alone.marks[0].x), (4e4, 5e4));
        assert!(point.name.starts_with("draws: worst wake-up 20 µs to 40 µs"), "{}", point.name);
        assert_eq!(drawn.legend().len(), 2);
    }

    #[test]
    fn a_way_has_a_point_and_two_intervals_and_compares_with_another() {
        let way = |name: &str, work: f64| Bought {
            name: name.to_owned(),
            missed: [0.0, 0.0, 0.001],
            work_per_s: [0.9 * work, work, 1.1 * work],
        };
        assert_eq!(bought("none", "", "", &[]), None);
        assert_eq!(bought("one", "", "", &[way("idle", 1e6)]), None);
        let both = bought("two", "", "", &[way("none", 0.0), way("idle", 1e6)]).unwrap();
        assert_eq!(both.panels[0].series.len(), 6);
        assert_eq!(both.legend().len(), 2);
    }
}
