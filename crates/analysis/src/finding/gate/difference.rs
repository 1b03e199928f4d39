//! How a run in the lab, and its setup, differ from the baseline.

use serde::Serialize;

use crate::phrases::{joined, maybe, some};
use crate::words::counted;

/// Rows and figures of a run that a sentence names.
const MOST_ROWS: usize = 2;
const MOST_FIGURES: usize = 3;

/// The name of a row's worst case.
pub(crate) const LONGEST: &str = "longest";

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunDifference {
    /// Rows that differ, empty if only samples do.
    pub rows: Vec<RowDiffers>,
    /// First sample that differs; null if none does.
    pub first: Option<FirstDiffering>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowDiffers {
    /// Label of the row.
    pub label: String,
    /// Figures of the row that differ.
    pub figures: Vec<FigureDiffers>,
}

/// A figure of a row: a count, or a time in instructions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FigureDiffers {
    /// Name of the figure.
    pub figure: &'static str,
    /// Value in the baseline.
    pub was: i64,
    /// Value now.
    pub now: i64,
    /// Whether the figure is a time in instructions; if not, it is a count.
    pub is_in_instructions: bool,
}

/// The first sample that differs, in the first track with one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstDiffering {
    /// Name of the sample's track.
    pub track: String,
    /// Name of the sample's column.
    pub column: String,
    /// Index of the sample in the column, from 0.
    pub index: usize,
    /// Value in the baseline; null if the column ends before it.
    pub was: Option<i64>,
    /// Value now; null if the column ends before it.
    pub now: Option<i64>,
    /// Difference (`now` minus `was`) in instructions; null if the column has no times or either
    /// value is null.
    pub instructions: Option<i64>,
}

/// A fact about the setup, in the baseline and now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupDiffers {
    /// Name of the fact that differs.
    pub what: String,
    /// Value in the baseline.
    pub was: String,
    /// Value now.
    pub now: String,
}

pub(super) fn differs(RunDifference { rows, first }: &RunDifference) -> String {
    let row = |row: &RowDiffers| {
        let figures = row.figures.iter().take(MOST_FIGURES).map(figure);
        format!("{}: {}", row.label, joined(figures, ", "))
    };
    let more = some(rows.len().saturating_sub(MOST_ROWS));
    let more = more.map(|more| format!("and {}", counted(more, "more row")));
    let first = first.as_ref().map(|first| {
        let by = maybe(first.instructions, |by| format!(" by {by:+} instructions"));
        format!(
            "first difference: sample {} of {} in {}{by}",
            first.index, first.column, first.track
        )
    });
    joined(rows.iter().take(MOST_ROWS).map(row).chain(more).chain(first), "; ")
}

/// `median +35 instructions (1200 to 1235)`, `skipped +1 (0 to 1)`. A worst case is one draw of chance.
fn figure(FigureDiffers { figure, was, now, is_in_instructions }: &FigureDiffers) -> String {
    let figure = if *figure == LONGEST { "longest of one draw" } else { figure };
    let unit = if *is_in_instructions { " instructions" } else { "" };
    format!("{figure} {:+}{unit} ({was} to {now})", now - was)
}

impl SetupDiffers {
    pub(super) fn words(&self) -> String {
        format!("{}: {}, was {}", self.what, self.now, self.was)
    }
}
