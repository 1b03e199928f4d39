//! Frontiers at first glance.

use stats::frontier::Criterion;

use super::Frontier;
use super::words::{caption, interval, notes, overall, room};
use crate::answer::{Answer, Line, Remark, Standing, effort, subject};
use crate::capacity;
use crate::survey::System;
use crate::words;

/// The best of them in a sentence, and where each lies; with `size`, how much longer a step of
/// it can take; `search` says how the search ended.
#[must_use]
pub fn glance(
    systems: &[System],
    frontiers: &[Frontier],
    size: Option<u64>,
    search: &[String],
) -> Answer {
    let best = frontiers.iter().find(|frontier| frontier.best().is_some());
    let Some(told) = best.or(frontiers.first()) else {
        return Answer { verdict: "No size could be tried.".to_owned(), ..Answer::default() };
    };
    let standing = match told.best() {
        Some((_, ends)) if ends.shown.held.is_some() => Standing::Good,
        Some(_) => Standing::Open,
        None => Standing::Bad,
    };
    let of = Remark::new("Of", caption(told));
    let notes = notes(told).into_iter().take(1);
    let search = search.iter().map(|sentence| Remark::new("Search", sentence));
    let rooms = told.grid.lines.iter().filter_map(|line| room(told, line, size?));
    let rooms = rooms.map(|sentence| match sentence.split_once(" of ") {
        Some(("Headroom", words)) => Remark::new("Headroom", words),
        _ => Remark::new("Headroom", sentence),
    });
    let remarks = rooms.chain([of]).chain(notes.map(|note| Remark::new("Sure?", note)));
    Answer {
        standing,
        verdict: overall(told),
        lines: frontiers.iter().flat_map(lines).collect(),
        remarks: remarks.chain(search).collect(),
        subject: subject(systems),
        effort: effort(systems.iter().flat_map(|s| &s.outcomes).copied()),
    }
}

/// One for each number of threads: where the frontier lies, and where a step usually fits.
fn lines<'f>(frontier: &'f Frontier) -> impl Iterator<Item = Line> + 'f {
    let line = |line: &capacity::Line| {
        let at = |criterion| interval(&frontier.grid.axis, &frontier.ends(line, criterion));
        let held = at(Criterion::InDeadlines);
        let fits = at(Criterion::InSteps);
        Line {
            what: words::counted(line.threads as usize, "thread"),
            figures: vec![format!("holds .. misses {held}"), format!("usually fits {fits}")],
        }
    };
    frontier.grid.lines.iter().map(line)
}
