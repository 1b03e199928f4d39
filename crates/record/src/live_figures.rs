//! What is shown of a run while it measures.

use serde::{Deserialize, Serialize};

/// The figures of one measured thread so far. The process that measures prints them as a line, which
/// every process between it and the user passes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveFigures {
    /// Name of the thread, such as `CPU 1`.
    pub thread: String,
    /// Number of periods that were due.
    pub due: u64,
    /// Number of these that had no wake-up.
    pub missed: u64,
    /// Latency of the last wake-up, in nanoseconds.
    pub last_ns: i64,
    /// Median of the wake-ups since the figures before, in nanoseconds.
    pub typical_ns: i64,
    /// Longest latency since the start, in nanoseconds.
    pub worst_ns: i64,
}

impl LiveFigures {
    /// The beginning of the line.
    pub const MARK: &str = "live: ";

    /// Returns the line, without its end.
    ///
    /// # Panics
    /// Never: the figures always serialise.
    pub fn line(&self) -> String {
        Self::MARK.to_owned() + &serde_json::to_string(self).expect("the figures are plain data")
    }

    /// Reads a line; `None` if the line is of another kind.
    pub fn of_line(line: &str) -> Option<Self> {
        serde_json::from_str(line.strip_prefix(Self::MARK)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_pass_through_a_line_and_other_lines_have_none() {
        let figures = LiveFigures {
            thread: "CPU 1".to_owned(),
            due: 10_000,
            missed: 3,
            last_ns: 5_100,
            typical_ns: 4_900,
            worst_ns: 3_100_000,
        };
        assert_eq!(LiveFigures::of_line(&figures.line()), Some(figures));
        for other in ["live: ", "live: {}", "error: it failed", "waiting: for CPU 1"] {
            assert_eq!(LiveFigures::of_line(other), None, "{other}");
        }
    }
}
