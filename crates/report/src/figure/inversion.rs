//! The blocking time of the high thread against the run time of the medium thread, one line per
//! lock.

use super::Figure;
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use analysis::words;

/// The name of a lock, and waits of the high thread, sorted by the run time of the medium thread.
pub(crate) type Held = (String, Vec<Wait>);

/// The result of the contests with one run time of the medium thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wait {
    pub medium_ns: f64,
    pub blocked_ns: f64,
    /// Whether the high thread gave up, so that the blocking time is a lower bound.
    pub gave_up: bool,
}

const HEIGHT: usize = 320;

/// Draws a line per lock, and the line on which the high thread waits for as long as the medium
/// thread runs.
pub(crate) fn inversion(name: &str, machine: &str, locks: &[Held]) -> Option<Figure> {
    let points = || locks.iter().flat_map(|(_, waits)| waits);
    let medium = points().map(|wait| wait.medium_ns).reduce(f64::max)? * 1.05;
    let blocked = points().map(|wait| wait.blocked_ns).fold(medium, f64::max) * 1.12;
    let x = Axis::linear("the medium thread ran", Unit::Time, [0.0, medium]);
    let y = Axis::linear("the high thread waited", Unit::Time, [0.0, blocked]);
    let as_long = Guide::dashed([[0.0, 0.0], [medium, medium]], "");
    let panel = Panel::new(x, y, locks.iter().enumerate().flat_map(lines))
        .guides([as_long.named("held back for as long as medium runs")]);
    let caption = format!(
        "{machine}. A lock whose line runs beside the dashed one holds the high thread back for as \
         long as the medium one runs; a level line does not depend on it, and shows how long low \
         held the lock. A filled triangle: the high thread gave up there, and would have waited \
         longer."
    );
    Some(Figure::new(name, caption, HEIGHT, panel))
}

/// Returns a line with open symbols, because the lines of locks that work alike overlap, and the
/// marks of times that are lower bounds.
fn lines((index, (name, waits)): (usize, &Held)) -> [Series; 2] {
    let at = |wait: &Wait| {
        let [ran, waited] = [wait.medium_ns, wait.blocked_ns].map(words::time);
        let at_least = if wait.gave_up { "more than " } else { "" };
        let hover = format!("{name}: medium ran {ran}, high waited {at_least}{waited}");
        Mark::at(wait.medium_ns, wait.blocked_ns).hover(hover)
    };
    let mark = |wait: &Wait| at(wait).sized(8.0 + 3.0 * (index % 3) as f64);
    let given_up = waits.iter().filter(|wait| wait.gave_up).map(at);
    let (look, points) = (Look::points(index), waits.iter().map(mark));
    [
        Series::new(name, Kind::Line, look.open(true), points.collect()),
        Series::new("", Kind::Points, look.with(Symbol::Triangle), given_up.collect()),
    ]
}
