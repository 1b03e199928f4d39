//! Average and worst case of several systems beside one another.

use super::{Figure, span};
use crate::document::{Axis, COLOURS, GREY, Kind, Look, Mark, Panel, Series, Side, Symbol, Unit};
use analysis::words;

/// One system in one test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    /// What stands at the axis.
    pub name: String,
    /// Average in nanoseconds, where it is known.
    pub average_ns: Option<f64>,
    /// Worst case in nanoseconds.
    pub worst_ns: f64,
    /// Whether the worst case is only known to be longer.
    pub worst_is_lower_bound: bool,
    /// Whether it comes from a publication.
    pub published: bool,
}

const ROW: usize = 23;
const THIN: f64 = 0.09;
/// Room for labels on both sides, as parts of the decades that the times take.
const ROOM: f64 = 0.3;

/// A line from average to worst case for each test of each system; the first stands
/// on top. `None` without any.
pub(crate) fn ranges(name: &str, caption: &str, ranges: &[Range]) -> Option<Figure> {
    let ends = ranges.iter().flat_map(|r| [r.average_ns, Some(r.worst_ns)]);
    let [shortest, longest] = span(ends.flatten().map(|ns| ns.max(1.0)))?;
    let room = (longest / shortest).powf(ROOM).max(1.5);
    let names = ranges.iter().map(|range| range.name.clone()).collect();
    let panel = Panel {
        x: Axis::log(
            "average (dot) to worst case (diamond)",
            Unit::Time,
            [shortest / room, longest * room],
        ),
        y: Axis::rows(names),
        series: [false, true].into_iter().flat_map(|published| series(ranges, published)).collect(),
        guides: Vec::new(),
    };
    Some(Figure::new(name, caption, ranges.len() * ROW, panel))
}

/// Lines, averages, worst cases and lower bounds, measured or published.
fn series(ranges: &[Range], published: bool) -> [Series; 4] {
    let look = Look::plain(if published { GREY } else { COLOURS[0] });
    let of = |kind, look, mark: &dyn Fn(&Range, f64) -> Option<Mark>| {
        let rows = ranges.iter().enumerate();
        let own = rows.filter(|(_, range)| range.published == published);
        let marks = own.filter_map(|(row, range)| mark(range, row as f64));
        Series::new("", kind, look, marks.collect())
    };
    let at = |ns: f64, row, side| Mark::at(ns.max(1.0), row).label(words::time(ns), side);
    let worst = |is_bound: bool| {
        move |range: &Range, row| {
            let mut worst = at(range.worst_ns, row, Side::Right);
            if is_bound {
                worst.label.insert_str(0, "> ");
            }
            (range.worst_is_lower_bound == is_bound).then_some(worst)
        }
    };
    [
        of(Kind::Spans(THIN), look, &|range, row| {
            let from = range.average_ns.unwrap_or(range.worst_ns);
            Some(Mark::span(from.max(1.0), range.worst_ns.max(1.0), row))
        }),
        of(Kind::Points, look.with(Symbol::Circle), &|range, row| {
            Some(at(range.average_ns?, row, Side::Left))
        }),
        of(Kind::Points, look.with(Symbol::Diamond), &worst(false)),
        of(Kind::Points, look.with(Symbol::Beyond), &worst(true)),
    ]
}
