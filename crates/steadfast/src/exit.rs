//! What an exit code means to a script.

/// A verdict failed, or a run was INVALID.
pub(crate) const EXIT_FAILED: u8 = 1;
/// What was asked could not be run.
pub(crate) const EXIT_COULD_NOT_RUN: u8 = 2;
/// A self-test could neither certify the machine nor say that something is wrong.
pub(crate) const EXIT_TOO_BUSY: u8 = 3;
/// A check that nothing speaks against, and too little for.
pub(crate) const EXIT_NOT_SHOWN: u8 = 3;
/// Ctrl-C, by the shells' convention.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;
/// Standard output was closed, by the same convention.
pub(crate) const EXIT_NOBODY_READS: u8 = 141;
