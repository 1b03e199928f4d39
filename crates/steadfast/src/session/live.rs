//! The figures of a run that is shown while it measures: on a terminal the progress has a line for each thread, elsewhere
//! each second a line is printed for each thread.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};

use analysis::words::{grouped, time};
use record::LiveFigures;

use crate::session::progress::{is_silent, say};

/// The newest figures of each thread.
static NEWEST: Mutex<Vec<LiveFigures>> = Mutex::new(Vec::new());

/// Shows figures, unless the user wants no progress.
pub(crate) fn show(figures: LiveFigures) {
    if is_silent() {
        return;
    }
    if !stderr().is_terminal() {
        say(&line(&figures));
        return;
    }
    let mut newest = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
    match newest.iter_mut().find(|known| known.thread == figures.thread) {
        Some(known) => *known = figures,
        None => newest.push(figures),
    }
}

/// Forgets the figures of the run before.
pub(crate) fn begin() {
    NEWEST.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Returns the newest figures, a line for each thread, each after the end of a line.
pub(crate) fn lines() -> String {
    let newest = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
    newest.iter().map(|figures| format!("\n{}", line(figures))).collect()
}

/// `CPU 1: due 10 000, missed 0, last 5.1 µs, typical 4.9 µs, worst 31 µs`.
fn line(figures: &LiveFigures) -> String {
    let LiveFigures { thread, due, missed, .. } = figures;
    let [last, typical, worst] =
        [figures.last_ns, figures.typical_ns, figures.worst_ns].map(|ns| time(ns as f64));
    let (due, missed) = (grouped(*due), grouped(*missed));
    format!("{thread}: due {due}, missed {missed}, last {last}, typical {typical}, worst {worst}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_figures_with_their_units_and_fits_a_terminal() {
        let figures = LiveFigures {
            thread: "CPU 127".to_owned(),
            due: 3_600_000_000,
            missed: 120_000,
            last_ns: 5_120,
            typical_ns: 4_930,
            worst_ns: 12_345_678,
        };
        let line = line(&figures);
        assert!(line.chars().count() <= 90 && line.ends_with("worst 12.3 ms"), "{line}");
    }
}
