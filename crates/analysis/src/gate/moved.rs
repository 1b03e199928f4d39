//! Typical times that moved between the draws of two kernels.

use record::Outcome;
use serde::Serialize;
use stats::Distribution;

use crate::clock::instruction_ns;
use crate::finding::RowMoved;

/// The rows whose typical time is shown to have moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moved {
    /// The rows that became longer, the largest ratio first.
    pub longer: Vec<RowMoved>,
    /// The rows that became shorter, the largest ratio first.
    pub shorter: Vec<RowMoved>,
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
