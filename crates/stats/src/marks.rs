//! Marks of frame tables: Murray, Real Time with a Red Hat, 2003.

/// Start jitter above this is bad, in nanoseconds.
const BAD_START_JITTER: i64 = 1_000_000;
/// Start jitter below this is good, in nanoseconds.
const GOOD_START_JITTER: i64 = 200_000;

/// Figures of the frames of one process; times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameFigures {
    /// Time from one due time to the next.
    pub period: i64,
    /// Frames whose end was past the next due time.
    pub overruns: u64,
    /// Largest minus smallest start delay.
    pub start_jitter: i64,
    /// Longest run time, from the actual start.
    pub longest_run: i64,
}

impl FrameFigures {
    /// Returns the worst case of start jitter and run time together.
    pub fn jitter_plus_run(&self) -> i64 {
        self.start_jitter + self.longest_run
    }

    /// Returns the names of the marks that apply to these figures, in the order of [`FRAME_MARKS`].
    pub fn marks(&self) -> Vec<&'static str> {
        let set = FRAME_MARKS.iter().filter(|mark| (mark.is_set)(self));
        set.map(|mark| mark.name).collect()
    }
}

/// A mark: its name, its meaning, and the figures to which it applies.
#[derive(Debug, Clone, Copy)]
pub struct FrameMark {
    /// Name in results.
    pub name: &'static str,
    /// Meaning, in words.
    pub words: &'static str,
    is_set: fn(&FrameFigures) -> bool,
}

/// The mark that is good news.
pub const GOOD_MARK: &str = "good_start_jitter";
/// The mark of a start jitter that is bad news.
pub const BAD_START_MARK: &str = "bad_start_jitter";

/// All marks; all but the last are bad news.
pub const FRAME_MARKS: &[FrameMark] = &[
    FrameMark { name: "overrun", words: "a frame overran", is_set: |frames| frames.overruns > 0 },
    FrameMark {
        name: "run_beyond_period",
        words: "max run > T",
        is_set: |frames| frames.longest_run > frames.period,
    },
    FrameMark {
        name: "jitter_plus_run_beyond_period",
        words: "start jitter + max run > T",
        is_set: |frames| frames.jitter_plus_run() > frames.period,
    },
    FrameMark {
        name: BAD_START_MARK,
        words: "start jitter > 1 ms",
        is_set: |frames| frames.start_jitter > BAD_START_JITTER,
    },
    FrameMark {
        name: GOOD_MARK,
        words: "start jitter < 0.2 ms",
        is_set: |frames| frames.start_jitter < GOOD_START_JITTER,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_the_publication() {
        for (overruns, start_jitter, longest_run, marks) in [
            (0, 200_000, 8_000_000, &[][..]),
            (0, 199_999, 8_000_000, &[GOOD_MARK]),
            (0, 1_000_000, 8_000_000, &[]),
            (0, 1_000_001, 8_000_000, &["bad_start_jitter"]),
            (0, 300_000, 9_700_000, &[]),
            (0, 300_001, 9_700_000, &["jitter_plus_run_beyond_period"]),
            (
                1,
                300_000,
                10_000_001,
                &["overrun", "run_beyond_period", "jitter_plus_run_beyond_period"],
            ),
        ] {
            let figures = FrameFigures { period: 10_000_000, overruns, start_jitter, longest_run };
            assert_eq!(figures.marks(), marks);
        }
    }
}
