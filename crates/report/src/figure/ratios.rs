//! Ratios between the figures of two systems, test by test, with intervals.

use super::Figure;
use crate::document::{Axis, COLOURS, GREY, Guide, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use analysis::effect::Effect;
use analysis::words;

/// An effect with its label at the axis.
pub(crate) type Ratio = (String, Effect);

const ROW: usize = 20;
const THIN: f64 = 0.1;
/// A ratio farther from 1 than this factor becomes an arrow at the edge.
const FARTHEST: f64 = 100.0;

/// Draws each interval as a line with a dot at the ratio, the first one on top. Dashed lines mark
/// the margin around 1.
pub(crate) fn ratios(
    name: &str,
    caption: &str,
    title: &str,
    margin: f64,
    ratios: &[Ratio],
) -> Option<Figure> {
    let ends = ratios.iter().flat_map(|(_, effect)| effect.times);
    let farthest =
        ends.map(|end| end.max(1.0 / end).min(FARTHEST)).fold(1.0 + 2.0 * margin, f64::max) * 1.2;
    let rows = ratios.len() as f64;
    let edge = |at: f64| Guide::dashed([[at, rows], [at, -0.5]], "");
    let same = Look::plain(GREY).with(Symbol::Circle).open(true);
    let looks = [
        ("no difference shown", None, same),
        ("larger", Some(true), Look::plain(COLOURS[1]).with(Symbol::Triangle)),
        ("smaller", Some(false), Look::plain(COLOURS[2]).with(Symbol::Diamond)),
    ];
    let is_larger = |effect: &Effect| effect.is_shown.then_some(effect.times[1] > 1.0);
    let series = looks.into_iter().flat_map(|(name, larger, look)| {
        let same_side =
            || ratios.iter().enumerate().filter(|(_, ratio)| is_larger(&ratio.1) == larger);
        let intervals = same_side().map(interval).collect();
        [
            Series::new("", Kind::Spans(THIN), look.without_symbol(), intervals),
            Series::new(name, Kind::Points, look, same_side().map(dot).collect()),
        ]
    });
    let series = series.filter(|series| !series.marks.is_empty());
    let x = Axis::log(title, Unit::Times, [1.0 / farthest, farthest]);
    let y = Axis::rows(ratios.iter().map(|(name, _)| name.clone()).collect());
    let panel = Panel::new(x, y, series).guides([1.0 / (1.0 + margin), 1.0 + margin].map(edge));
    (!ratios.is_empty()).then(|| Figure::new(name, caption, ratios.len() * ROW, panel))
}

fn interval((row, ratio): (usize, &Ratio)) -> Mark {
    let [lower, _, upper] = ratio.1.times;
    Mark::span(lower, upper, row as f64).hover(hover(ratio))
}

fn dot((row, ratio): (usize, &Ratio)) -> Mark {
    Mark::at(ratio.1.times[1], row as f64).hover(hover(ratio))
}

fn hover((name, effect): &Ratio) -> String {
    let [lower, times, upper] = effect.times.map(words::times);
    format!("{name}\n{times} times ({lower} to {upper})")
}
