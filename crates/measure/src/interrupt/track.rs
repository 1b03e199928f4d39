//! Items that the tracks of all sources share.

use record::{Row, Track, fact};

pub(super) const ANSWER: &str = "answer";
/// Attributes in which a source says why it has no result.
pub(super) const WHY_NOT: &[&str] = &["unavailable", "failure"];

/// One interrupt; a missing stamp is 0.
pub(super) struct Round {
    pub(super) period: i64,
    pub(super) at: i64,
    pub(super) raised: i64,
    pub(super) kernel: i64,
    pub(super) woke: i64,
}

pub(super) fn with_failure(row: Row, track: &Track) -> Row {
    match text(track, "failure") {
        Some(failure) => row.with(&fact::FAILURE, failure),
        None => row,
    }
}

pub(super) fn text<'a>(track: &'a Track, name: &str) -> Option<&'a str> {
    track.attributes.get(name)?.as_str()
}
