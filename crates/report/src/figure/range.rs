//! Average and worst case of several systems side by side.

use super::{Figure, span};
use crate::document::{Axis, COLOURS, GREY, Kind, Look, Mark, Panel, Series, Side, Symbol, Unit};
use analysis::words;
use stats::Distribution;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    pub name: String,
    pub average_ns: Option<f64>,
    pub worst_ns: f64,
    pub worst_is_lower_bound: bool,
    pub published: bool,
}

const ROW: usize = 23;
const THIN: f64 = 0.09;
/// Room for labels on both sides, as a fraction of the decades that the times span.
const ROOM: f64 = 0.3;

/// Draws a line from average to worst case for each test of each system, the first one on top.
pub(crate) fn ranges(name: &str, caption: &str, ranges: &[Range]) -> Option<Figure> {
    let ends = ranges.iter().flat_map(|r| [r.average_ns, Some(r.worst_ns)]);
    let [shortest, longest] = span(ends.flatten().map(|ns| ns.max(1.0)))?;
    let room = (longest / shortest).powf(ROOM).max(1.5);
    let title = "average (dot) to worst case (diamond)";
    let x = Axis::log(title, Unit::Time, [shortest / room, longest * room]);
    let y = Axis::rows(ranges.iter().map(|range| range.name.clone()).collect());
    let series = [false, true].into_iter().flat_map(|published| series(ranges, published));
    let panel = Panel::new(x, y, series);
    Some(Figure::new(name, caption, ranges.len() * ROW, panel))
}

/// Returns the lines, averages, worst cases and lower bounds that were measured, or those that were
/// published.
fn series(ranges: &[Range], published: bool) -> [Series; 4] {
    let look = Look::plain(if published { GREY } else { COLOURS[0] });
    let of = |kind, look, mark: &dyn Fn(&Range, f64) -> Option<Mark>| {
        let rows = ranges.iter().enumerate();
        let same_origin = rows.filter(|(_, range)| range.published == published);
        let marks = same_origin.filter_map(|(row, range)| mark(range, row as f64));
        Series::new("", kind, look, marks.collect())
    };
    let at = |range: &Range, ns: f64, row| Mark::at(ns.max(1.0), row).hover(range.hover());
    let worst = |is_bound: bool| {
        move |range: &Range, row| {
            let worst = at(range, range.worst_ns, row).label(range.worst(), Side::Right);
            (range.worst_is_lower_bound == is_bound).then_some(worst)
        }
    };
    [
        of(Kind::Spans(THIN), look, &|range, row| {
            let from = range.average_ns.unwrap_or(range.worst_ns);
            let line = Mark::span(from.max(1.0), range.worst_ns.max(1.0), row);
            Some(line.hover(range.hover()))
        }),
        of(Kind::Points, look.with(Symbol::Circle), &|range, row| {
            let average = range.average_ns?;
            Some(at(range, average, row).label(words::time(average), Side::Left))
        }),
        of(Kind::Points, look.with(Symbol::Diamond), &worst(false)),
        of(Kind::Points, look.with(Symbol::Beyond), &worst(true)),
    ]
}

impl Range {
    pub fn measured(name: String, latency: &Distribution) -> Self {
        Self {
            name,
            average_ns: Some(latency.mean_ns()),
            worst_ns: latency.max.value_ns as f64,
            worst_is_lower_bound: false,
            published: false,
        }
    }

    fn worst(&self) -> String {
        let more_than = if self.worst_is_lower_bound { "> " } else { "" };
        format!("{more_than}{}", words::time(self.worst_ns))
    }

    fn hover(&self) -> String {
        let average = self.average_ns.map(|ns| format!("average {}, ", words::time(ns)));
        format!("{}worst {}", average.unwrap_or_default(), self.worst())
    }
}
