//! High's blocking time against medium's run time, one line a lock.

use super::Figure;
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use analysis::words;

/// One lock.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Held {
    /// What the legend says.
    pub name: String,
    /// Where high waited, rising with medium's run time.
    pub points: Vec<Wait>,
}

/// What contests with one length of medium's run came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wait {
    /// Medium's run time in nanoseconds.
    pub medium_ns: f64,
    /// High's blocking time in nanoseconds.
    pub blocked_ns: f64,
    /// Whether high gave up, so that it would have waited longer.
    pub gave_up: bool,
}

const HEIGHT: usize = 320;

/// One line a lock, beside the line on which high waits for as long as medium
/// runs. `None` without a point.
pub(crate) fn inversion(name: &str, machine: &str, locks: &[Held]) -> Option<Figure> {
    let points = || locks.iter().flat_map(|lock| &lock.points);
    let medium = points().map(|wait| wait.medium_ns).reduce(f64::max)? * 1.05;
    let blocked = points().map(|wait| wait.blocked_ns).fold(medium, f64::max) * 1.12;
    let panel = Panel {
        x: Axis::linear("the medium thread ran", Unit::Time, [0.0, medium]),
        y: Axis::linear("the high thread waited", Unit::Time, [0.0, blocked]),
        series: locks.iter().enumerate().flat_map(lines).collect(),
        guides: vec![
            Guide::dashed([[0.0, 0.0], [medium, medium]], "")
                .named("held back for as long as medium runs"),
        ],
    };
    let caption = format!(
        "{machine}. A lock whose line runs beside the dashed one holds the high thread back for as \
         long as the medium one runs; a level line does not depend on it, and shows how long low \
         held the lock. A filled triangle: the high thread gave up there, and would have waited \
         longer."
    );
    Some(Figure::new(name, caption, HEIGHT, panel))
}

/// A line with open symbols, since lines of locks that work alike lie upon one another, and
/// marks of times that are lower bounds.
fn lines((index, lock): (usize, &Held)) -> [Series; 2] {
    let at = |wait: &Wait| Mark::at(wait.medium_ns, wait.blocked_ns);
    let mark = |wait: &Wait| {
        let at_least = if wait.gave_up { "more than " } else { "" };
        let hover = format!(
            "{}: medium ran {}, high waited {at_least}{}",
            lock.name,
            words::time(wait.medium_ns),
            words::time(wait.blocked_ns)
        );
        Mark { size: Some(8.0 + 3.0 * (index % 3) as f64), ..at(wait).hover(hover) }
    };
    let given_up = lock.points.iter().filter(|wait| wait.gave_up).map(at);
    let look = Look { open: true, ..Look::points(index) };
    let bound = Look { open: false, ..look.with(Symbol::Triangle) };
    [
        Series::new(&lock.name, Kind::Line, look, lock.points.iter().map(mark).collect()),
        Series::new("", Kind::Points, bound, given_up.collect()),
    ]
}
