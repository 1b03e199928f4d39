//! Paths whose typical time moved between the draws of two kernels.

use std::cmp::Ordering;

use serde::Serialize;

use crate::phrases::{joined, some};
use crate::words::counted;

/// Typical times of one kernel differ by up to this many instructions between draws (0.1 us), also where some draws
/// are equal.
const LEAST: i64 = 25;

/// Paths that a sentence names.
const MOST_MOVED: usize = 5;

/// A typical time of a row that is shown to have moved: the draws of both sides are apart by more than those of
/// either side differ among themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowMoved {
    /// What the row is about.
    pub label: String,
    /// `median`, or `shortest` if the median is not shown to have moved.
    pub figure: &'static str,
    /// Its least and its greatest value over the draws of the baseline, in instructions.
    pub was: [i64; 2],
    /// The same now.
    pub now: [i64; 2],
}

/// A row that moved, of a run on a kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathMoved {
    pub run: String,
    pub kernel: String,
    pub row: RowMoved,
}

impl RowMoved {
    /// By how many instructions the draws of both sides are apart; 0 if that is not more than those of one side
    /// differ, which chance hardly does: in 3 of 100 000 figures of five draws.
    pub fn by(&self) -> i64 {
        let (was, now) = (self.was, self.now);
        let apart = (now[0] - was[1]).max(0) + (now[1] - was[0]).min(0);
        let within = (was[1] - was[0]).max(now[1] - now[0]).max(LEAST);
        if apart.abs() > within { apart } else { 0 }
    }

    /// The largest ratio of both sides first.
    pub(crate) fn by_ratio(&self, other: &Self) -> Ordering {
        let middle = |[least, greatest]: [i64; 2]| ((least + greatest) as f64).max(1.0);
        let ratio = |row: &Self| (middle(row.now) / middle(row.was)).ln().abs();
        ratio(other).total_cmp(&ratio(self))
    }
}

/// `1 path is longer: median of fifo_write fifo:80, one task, on debian-6.12 +35 instructions (1160 before, 1195 now)`.
pub(super) fn paths_moved(paths: &[PathMoved], how: &str) -> String {
    let range = |[least, greatest]: [i64; 2]| match least == greatest {
        true => least.to_string(),
        false => format!("{least} to {greatest}"),
    };
    let path = |PathMoved { run, kernel, row }: &PathMoved| {
        let (was, now, by) = (range(row.was), range(row.now), row.by());
        let RowMoved { label, figure, .. } = row;
        format!(
            "{figure} of {run}, {label}, on {kernel} {by:+} instructions ({was} before, {now} now)"
        )
    };
    let more = some(paths.len().saturating_sub(MOST_MOVED)).map(|more| format!("and {more} more"));
    let named = joined(paths.iter().take(MOST_MOVED).map(path).chain(more), "; ");
    let are = if paths.len() == 1 { "is" } else { "are" };
    format!("{} {are} {how}: {named}", counted(paths.len(), "path"))
}
