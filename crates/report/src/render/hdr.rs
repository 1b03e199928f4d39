//! Histograms as an HdrHistogram log, which its plotters and libraries read.

use std::time::Duration;

use record::{Outcome, Row};
use stats::Interval;

/// Returns a line for each row with times, tagged with the run in words and the row's label: the whole
/// histogram, in nanoseconds, from the start of its run.
pub fn hdr_log(outcomes: &[&Outcome]) -> String {
    let mut outcomes = outcomes.to_vec();
    // A log places histograms in time, which an imported file may not state.
    outcomes.retain(|outcome| outcome.header.known_start_unix_ns().is_some());
    outcomes.sort_by_key(|outcome| outcome.header.started_unix_ns);
    let intervals = outcomes
        .iter()
        .flat_map(|outcome| outcome.rows.iter().filter_map(|row| interval(outcome, row)));
    stats::interval_log(&intervals.collect::<Vec<_>>())
}

fn interval<'r>(outcome: &Outcome, row: &'r Row) -> Option<Interval<'r>> {
    let spec = &outcome.header.spec;
    Some(Interval {
        tag: tag(&[&spec.title(), &row.label]),
        start: Duration::from_nanos(outcome.header.started_unix_ns),
        length: spec.asked.duration.into(),
        values: row.latency.as_ref()?,
    })
}

/// Returns a tag of these words. Its form has no commas and no blanks.
fn tag(words: &[&str]) -> String {
    words
        .join("/")
        .replace(", ", ",")
        .replace(|sign: char| sign == ',' || sign.is_whitespace(), "_")
}
