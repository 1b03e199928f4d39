//! Typical times that moved between the draws of two kernels.

use std::cmp::Ordering;

use record::Outcome;
use serde::Serialize;
use stats::Distribution;

use crate::clock::instruction_ns;

/// Typical times of one kernel differ by up to this many instructions between draws (0.1 us), also where some draws
/// are equal.
const LEAST: i64 = 25;

/// The rows whose typical time is shown to have moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moved {
    /// The rows that became longer, the largest ratio first.
    pub longer: Vec<RowMoved>,
    /// The rows that became shorter, the largest ratio first.
    pub shorter: Vec<RowMoved>,
}

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

type Figure = (&'static str, fn(&Distribution) -> i64);
const FIGURES: [Figure; 2] =
    [("median", |times| times.quantile_ns(0.5)), ("shortest", |times| times.min.value_ns)];

/// Returns the rows that moved; an error if a row has no times on one side.
pub(super) fn moved(was: &[&Outcome], now: &[&Outcome]) -> Result<Moved, String> {
    let mut rows = Vec::new();
    for row in was[0].rows.iter().filter(|row| row.latency.is_some()) {
        let range = |runs: &[&Outcome], (_, figure): Figure| {
            let value = |run: &&Outcome| {
                let same = run.rows.iter().find(|other| other.label == row.label)?;
                let ns = instruction_ns(&run.header.machine).unwrap_or(1) as i64;
                Some(figure(same.latency.as_ref()?) / ns)
            };
            let values: Option<Vec<i64>> = runs.iter().map(value).collect();
            values.and_then(|values| Some([*values.iter().min()?, *values.iter().max()?]))
        };
        let figure = |figure: Figure| {
            let no_times = || format!("{} has no times in some draw", row.label);
            let was = range(was, figure).ok_or_else(no_times)?;
            let now = range(now, figure).ok_or_else(no_times)?;
            Ok(RowMoved { label: row.label.clone(), figure: figure.0, was, now })
        };
        let figures = FIGURES.into_iter().map(figure).collect::<Result<Vec<_>, String>>()?;
        rows.extend(figures.into_iter().find(|figure| figure.by() != 0));
    }
    let (mut longer, mut shorter): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row.by() > 0);
    longer.sort_by(RowMoved::by_ratio);
    shorter.sort_by(RowMoved::by_ratio);
    Ok(Moved { longer, shorter })
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
    pub(super) fn by_ratio(&self, other: &Self) -> Ordering {
        let middle = |[least, greatest]: [i64; 2]| ((least + greatest) as f64).max(1.0);
        let ratio = |row: &Self| (middle(row.now) / middle(row.was)).ln().abs();
        ratio(other).total_cmp(&ratio(self))
    }
}
