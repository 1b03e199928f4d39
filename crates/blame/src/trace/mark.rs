//! The line that a late thread writes into the trace.

use std::io::Write;

/// What a thread reports about itself when it was late, as a line among the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The thread's number, as the thread itself sees it.
    pub thread: i64,
    /// When it was due (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    /// When it was done (`CLOCK_MONOTONIC`, ns).
    pub end: i64,
}

const MARK_WORD: &str = "steadfast-late";

impl Mark {
    /// Formats the line without allocating.
    pub fn line(self) -> ([u8; 96], usize) {
        let mut line = [0; 96];
        let mut room = &mut line[..];
        let Self { thread, due, end } = self;
        // The buffer is large enough for these four words.
        let _ = write!(room, "{MARK_WORD} {thread} {due} {end}");
        let left = room.len();
        (line, 96 - left)
    }

    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let mut words = str::from_utf8(line).ok()?.split_whitespace();
        (words.next()? == MARK_WORD).then_some(())?;
        let mut number = || words.next()?.parse().ok();
        Some(Self { thread: number()?, due: number()?, end: number()? })
    }
}
