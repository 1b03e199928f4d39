//! The user's limits on figures, for scripts: `wakeup.max > 150us` fails a run. This file checks
//! them, run by run.

mod limit;
mod read;
#[cfg(test)]
mod tests;
mod unmatched;

use std::borrow::Cow;

use base::Nanos;
use record::{Outcome, Row};
use serde::Serialize;
use serde_json::{Map, Value};
use stats::Distribution;

use crate::claims::QUANTILES;
use crate::quantiles::needed;
use crate::survey::is_left_out_of_gate;
use crate::{fields, words};
pub use limit::FailIf;
use limit::{Bound, Rows};
use unmatched::check_plan;
pub use unmatched::{Unmatched, check_request};

#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The limit, as it was typed.
    pub fail_if: String,
    pub run: String,
    /// The row's label and its figure's name in JSON; `None` for an INVALID run.
    pub figure: Option<[String; 2]>,
    pub found: Found,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Value {
        /// In the unit that the figure's name carries.
        value: f64,
        bound: f64,
        /// Whether the comparison is true.
        fails: bool,
    },
    /// No value, and why: a figure that was not measured does not pass.
    Nothing(String),
    Invalid,
}

/// Figures that are shares from 0 to 1, by the ends of their names.
const SHARES: [&str; 2] = ["_share", "predictability"];
/// Counts of periods, which may be compared with a share of those that were due.
const PERIODS: [&str; 4] = ["executed", "skipped", "missed", "overruns"];

const VERDICTS: [&str; 4] = ["passed", "failed", "not measured", "INVALID"];

impl Checked {
    pub fn is_passed(&self) -> bool {
        self.verdict() == "passed"
    }

    pub fn verdict(&self) -> &'static str {
        let [passed, failed, not_measured, invalid] = VERDICTS;
        match self.found {
            Found::Value { fails: false, .. } => passed,
            Found::Value { fails: true, .. } => failed,
            Found::Nothing(_) => not_measured,
            Found::Invalid => invalid,
        }
    }

    /// `passed: wakeup.max > 150us, found 91.3us (wakeup fifo:80, period 1ms; cpu 1)`.
    pub fn sentence(&self) -> String {
        let (verdict, fail_if, run) = (self.verdict(), &self.fail_if, &self.run);
        match (&self.figure, &self.found) {
            (Some([row, name]), Found::Value { value, .. }) => {
                let value = in_words(name, *value);
                let row = words::label(row);
                format!("{verdict}: {fail_if}, found {value} ({run}; {row})")
            }
            (Some([row, _]), Found::Nothing(why)) => {
                format!("{verdict}: {fail_if}, {why} ({run}; {})", words::label(row))
            }
            _ => format!("{verdict}: {fail_if} ({run})"),
        }
    }

    pub fn result(&self) -> LimitResult {
        let [row, figure] = self.figure.clone().map_or([None, None], |names| names.map(Some));
        let (value, bound) = match self.found {
            Found::Value { value, bound, .. } => (Some(value), Some(bound)),
            Found::Nothing(_) | Found::Invalid => (None, None),
        };
        let (limit, words) = (self.fail_if.clone(), self.sentence());
        LimitResult { limit, verdict: self.verdict(), row, figure, value, bound, words }
    }
}

/// The result of a limit in a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitResult {
    /// Limit, as typed.
    limit: String,
    /// Whether the run passed the limit, or why it was not compared.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = VERDICTS)))]
    verdict: &'static str,
    /// Label of the row; null if the run is INVALID.
    row: Option<String>,
    /// Name of the figure in this schema; null if the run is INVALID.
    figure: Option<String>,
    /// Measured value, in the unit of the figure; null if it was not measured or the run is
    /// INVALID.
    value: Option<f64>,
    /// Value of the limit, in the same unit; null if `value` is null.
    bound: Option<f64>,
    /// The result as a sentence.
    words: String,
}

fn in_words(name: &str, value: f64) -> String {
    if name.ends_with("_ns") {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", Nanos(value.abs().round() as u64));
    }
    if name.ends_with("_percent") {
        return format!("{value}%");
    }
    value.to_string()
}

/// Checks each limit in a run, in the limits' order.
pub fn of_run(fail_ifs: &[FailIf], outcome: &Outcome) -> Vec<Checked> {
    fail_ifs.iter().flat_map(|fail_if| fail_if.checked(outcome)).collect()
}

pub fn sentences(fail_ifs: &[FailIf], outcomes: &[&Outcome]) -> Vec<String> {
    let in_runs = |fail_if| outcomes.iter().flat_map(move |run| FailIf::checked(fail_if, run));
    fail_ifs.iter().flat_map(in_runs).map(|checked| checked.sentence()).collect()
}

/// Checks the limits and returns those that runs violate, in the limits' order. A run that is left
/// out of its gate violates none.
///
/// # Errors
/// Names a limit that matches no run, row or figure, and what there is.
pub fn broken(fail_ifs: &[FailIf], outcomes: &[&Outcome]) -> Result<Vec<Checked>, Unmatched> {
    let outcomes: Vec<&Outcome> =
        outcomes.iter().copied().filter(|run| !is_left_out_of_gate(run)).collect();
    check_plan(fail_ifs, outcomes.iter().map(|outcome| &outcome.header.spec))?;
    let mut broken = Vec::new();
    for fail_if in fail_ifs {
        let mut checked = outcomes.iter().flat_map(|run| fail_if.checked(run)).peekable();
        if checked.peek().is_none() {
            return Err(fail_if.without_figure(&outcomes));
        }
        broken.extend(checked.filter(|checked| !checked.is_passed()));
    }
    Ok(broken)
}

impl FailIf {
    /// Checks a run; empty if the limit is about others.
    fn checked(&self, outcome: &Outcome) -> Vec<Checked> {
        if !self.is_about(&outcome.header.spec) {
            return Vec::new();
        }
        let checked = |figure, found| Checked {
            fail_if: self.typed.clone(),
            run: outcome.header.spec.title(),
            figure,
            found,
        };
        if !outcome.is_valid() {
            return vec![checked(None, Found::Invalid)];
        }
        let found = |row: &&Row| {
            let (name, found) = self.found(row)?;
            Some(checked(Some([row.label.clone(), name]), found))
        };
        self.rows(outcome).iter().filter_map(found).collect()
    }

    pub(super) fn rows<'a>(&self, outcome: &'a Outcome) -> Vec<&'a Row> {
        let is_meant = |(index, row): &(usize, &Row)| match &self.rows {
            Rows::First => *index == 0,
            Rows::Every => row.unavailable.is_none(),
            Rows::Named(label) => row.label == *label || words::label(&row.label) == *label,
        };
        outcome.rows.iter().enumerate().filter(is_meant).map(|(_, row)| row).collect()
    }

    /// Returns the figure's name in JSON and the result; `None` if a row has no such figure.
    fn found(&self, row: &Row) -> Option<(String, Found)> {
        let figures = fields::row(row);
        let (name, bound) = self.comparable(&figures)?;
        let nothing = |why: String| Some((name.clone(), Found::Nothing(why)));
        if let Some(needs) = &row.unavailable {
            return nothing(words::unavailable(needs));
        }
        if let Some(why) = too_few(&name, row.latency.as_ref()) {
            return nothing(why);
        }
        let Some(value) = figures[&name].as_f64() else {
            return nothing(format!("`{name}` has no value"));
        };
        let fails = (self.operator.is_true)(value, bound);
        let found = Found::Value { value, bound, fails };
        Some((name, found))
    }

    /// A figure's name in a unit compatible with the limit's, and the limit in that unit.
    pub(super) fn comparable(&self, figures: &Map<String, Value>) -> Option<(String, f64)> {
        let figure = &self.figure;
        let with = |unit| Cow::from(format!("{figure}{unit}"));
        let names = match self.bound {
            Bound::Time(_) => vec![Cow::from(figure), with("_ns")],
            Bound::Percent(_) => vec![Cow::from(figure), with("_percent"), with("_share")],
            Bound::Number(_) => vec![Cow::from(figure)],
        };
        let is_number = |value: &Value| value.is_number() || value.is_null();
        let mut known =
            names.into_iter().filter(|name| figures.get(name.as_ref()).is_some_and(is_number));
        known.find_map(|name| {
            let bound = self.bound.in_unit_of(&name, &figures["due"])?;
            Some((name.into_owned(), bound))
        })
    }
}

impl Bound {
    /// The limit in the unit that a figure's name says; `None` where the two do not compare.
    fn in_unit_of(self, name: &str, due: &Value) -> Option<f64> {
        let is_share = SHARES.iter().any(|end| name.ends_with(end));
        match self {
            Self::Number(number) => Some(number),
            Self::Time(time) => name.ends_with("_ns").then_some(time.0 as f64),
            Self::Percent(percent) if name.ends_with("_percent") => Some(percent),
            Self::Percent(percent) if is_share => Some(percent / 100.0),
            Self::Percent(percent) if PERIODS.contains(&name) => {
                Some(percent / 100.0 * due.as_f64()?)
            }
            Self::Percent(_) => None,
        }
    }
}

/// Explains a missing quantile: no sample may lie beyond it.
fn too_few(name: &str, latency: Option<&Distribution>) -> Option<String> {
    let (_, _, share) = QUANTILES.into_iter().find(|(_, known, _)| *known == name)?;
    let (count, needed) = (latency?.count(), needed(share));
    (count < needed).then(|| {
        let [count, needed] = [count, needed].map(words::grouped);
        format!("{count} samples are too few for `{name}`, which needs {needed}")
    })
}
