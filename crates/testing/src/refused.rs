//! What is refused, and with which reason.

use std::fmt::Display;

/// Asserts that something is refused in one line that contains this reason.
#[track_caller]
pub fn refuses<T>(answer: Result<T, impl Display>, reason: &str) {
    let Err(why) = answer else { panic!("not refused: {reason}") };
    // An error with causes has them in its text.
    let why = format!("{why:#}");
    assert!(why.contains(reason) && why.lines().count() == 1, "not `{reason}`: {why}");
}
