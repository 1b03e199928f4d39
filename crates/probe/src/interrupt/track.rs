//! What the tracks of all sources share.

use plan::{Row, Track, fact};

/// The name of the track of a run that answers a second machine.
pub(super) const ANSWER: &str = "answer";
/// Where a source says why nothing came of it.
pub(super) const WHY_NOT: &[&str] = &["unavailable", "failure"];

/// One interrupt; a stamp that there is not is 0.
pub(super) struct Round {
    pub(super) period: i64,
    pub(super) at: i64,
    pub(super) raised: i64,
    pub(super) kernel: i64,
    pub(super) woke: i64,
}

/// Says why a source ended before its time.
pub(super) fn with_failure(row: Row, track: &Track) -> Row {
    match text(track, "failure") {
        Some(failure) => row.with(&fact::FAILURE, failure),
        None => row,
    }
}

/// A text of a track, where it has it.
pub(super) fn text<'a>(track: &'a Track, name: &str) -> Option<&'a str> {
    track.attributes.get(name)?.as_str()
}
