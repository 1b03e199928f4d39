//! Throughput against misses for each way to schedule best-effort work.

use super::{Figure, span};
use crate::document::{Axis, Kind, Look, Mark, Panel, Series, Unit};
use crate::english;
use analysis::words;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bought {
    pub name: String,
    /// Share of missed deadlines: lower end, estimate, upper end.
    pub missed: [f64; 3],
    /// Work per second: lower end, estimate, upper end.
    pub work_per_s: [f64; 3],
}

const HEIGHT: usize = 320;
const SIZE: f64 = 11.0;
/// Thickness of a horizontal line, as a fraction of the height.
const THIN: f64 = 0.004;
/// Room beyond the farthest end, as a ratio.
const ROOM: f64 = 1.15;

/// Draws a point per way, with a line for each of its two intervals. `None` for fewer than two
/// ways.
pub(crate) fn bought(name: &str, caption: &str, title: &str, ways: &[Bought]) -> Option<Figure> {
    let [_, worst] = span(ways.iter().flat_map(|way| way.missed))?;
    let [_, most] = span(ways.iter().flat_map(|way| way.work_per_s))?;
    let (right, top) = (worst * ROOM, most.max(1.0) * ROOM);
    let series = |(index, way): (usize, &Bought)| {
        let ([fewest, missed, most], [least, work, highest]) = (way.missed, way.work_per_s);
        let look = Look::points(index);
        let told = format!(
            "{}: {} per second ({} to {}), {}",
            way.name,
            words::quantity(work),
            words::quantity(least),
            words::quantity(highest),
            english::share_missed(way.missed),
        );
        let across = Mark::span(fewest, most, work).hover(&told);
        let upright = Mark { to: Some(highest), ..Mark::at(missed, least) };
        let point = Mark::at(missed, work).hover(&told).sized(SIZE);
        [
            Series::new("", Kind::Spans(THIN * top), look.without_symbol(), vec![across]),
            Series::new("", Kind::Needles, look.without_symbol(), vec![upright]),
            Series::new(told, Kind::Points, look, vec![point]),
        ]
    };
    let x = Axis::linear("deadlines of all rates that were missed", Unit::Share, [0.0, right]);
    let y = Axis::linear(title, Unit::Number, [0.0, top]);
    let panel = Panel::new(x, y, ways.iter().enumerate().flat_map(series));
    (ways.len() > 1).then(|| Figure::new(name, caption, HEIGHT, panel))
}

#[cfg(test)]
mod tests {
    use super::*;

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
