//! Every run with its figures and conditions, and what made runs INVALID.

use plan::{Outcome, Row};
use serde::Serialize;
use serde_json::Value;

use super::conditions::{conditions, threads};
use super::metrics::{count, in_micros, in_words};
use super::table::{Cell, Column, Table};
use analysis::conditions::{joined, settings};
use analysis::quantiles::{needed, supported};
use analysis::survey;
use analysis::words;

/// One run with all that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Run {
    title: String,
    run_id: String,
    started: String,
    valid: bool,
    warnings: Vec<Warning>,
    figures: Table,
    further: Vec<(String, String)>,
    conditions: Table,
    settings: Vec<(&'static str, String)>,
    threads: Table,
}

/// A warning in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Warning {
    cause: String,
    remedy: String,
    invalidates: bool,
}

/// A reason for which runs are INVALID.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Invalid {
    cause: String,
    remedy: String,
    runs: Vec<String>,
}

/// Runs that a page carries: some 6 kB each.
const MOST_RUNS: usize = 1000;

/// Every run, in the order given; of more than a page carries the first.
pub(super) fn of(outcomes: &[Outcome]) -> Vec<Run> {
    outcomes.iter().take(MOST_RUNS).map(run).collect()
}

/// What is said where not every run is on the page.
pub(super) fn left_out(outcomes: &[Outcome]) -> Option<String> {
    (outcomes.len() > MOST_RUNS).then(|| {
        format!(
            "The first {} of {} runs, which is what a page carries. Figures above are of all of \
             them, grouped by conditions; each single run is in the store, in `report.json`, and \
             in the output of `steadfast report STORE --json`.",
            words::grouped(MOST_RUNS as u64),
            words::grouped(outcomes.len() as u64)
        )
    })
}

/// Every reason for which runs are INVALID, each once, with its runs in words.
pub(super) fn invalid<'a>(
    outcomes: impl IntoIterator<Item = &'a Outcome>,
    in_words: impl Fn(&[&'a Outcome]) -> Vec<String>,
) -> Vec<Invalid> {
    let mut reasons: Vec<((String, String), Vec<&'a Outcome>)> = Vec::new();
    for outcome in outcomes {
        for warning in outcome.warnings.iter().filter(|w| w.invalidates()) {
            let reason = (warning.cause(), warning.remedy());
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, runs)) if runs.last().is_some_and(|run| std::ptr::eq(*run, outcome)) => {}
                Some((_, runs)) => runs.push(outcome),
                None => reasons.push((reason, vec![outcome])),
            }
        }
    }
    let invalid = |((cause, remedy), runs): ((String, String), Vec<&'a Outcome>)| Invalid {
        cause,
        remedy,
        runs: in_words(&runs),
    };
    reasons.into_iter().map(invalid).collect()
}

fn run(outcome: &Outcome) -> Run {
    let warning = |warning: &plan::Warning| Warning {
        cause: warning.cause(),
        remedy: warning.remedy(),
        invalidates: warning.invalidates(),
    };
    Run {
        title: outcome.header.spec.title(),
        run_id: outcome.header.run_id.clone(),
        started: words::moment(outcome.header.started_unix_ns),
        valid: outcome.is_valid(),
        warnings: survey::warnings(outcome).map(warning).collect(),
        figures: figures(outcome),
        further: further(outcome),
        conditions: conditions(outcome),
        settings: settings(outcome),
        threads: threads(outcome),
    }
}

fn figures(outcome: &Outcome) -> Table {
    let numbers = [
        "Due",
        "Executed",
        "Skipped",
        "Average, µs",
        "p50, µs",
        "p90, µs",
        "p99, µs",
        "p99.9, µs",
        "p99.99, µs",
        "Worst, µs",
        "Worst at",
    ];
    let mut columns = vec![Column::words("Row")];
    columns.extend(numbers.map(Column::numbers));
    Table::listing("Figures", columns, outcome.rows.iter().map(row))
}

fn row(row: &Row) -> Vec<Cell> {
    if let Some(needs) = &row.unavailable {
        let label = Cell::text(words::label(&row.label));
        return vec![label, Cell::unavailable(needs, 11)];
    }
    let mut cells = vec![
        Cell::text(words::label(&row.label)),
        count(row.due),
        count(row.executed),
        count(row.skipped),
    ];
    match &row.latency {
        None => cells.extend(std::iter::repeat_n(Cell::none("no sample"), 8)),
        Some(latency) => {
            cells.push(in_micros(latency.mean_ns()));
            cells.extend([0.5, 0.9, 0.99, 0.999, 0.9999].map(|share| {
                let why = || format!("needs {} samples", words::grouped(needed(share)));
                supported(latency, share).map_or_else(|| Cell::none(why()), in_micros)
            }));
            cells.push(in_micros(latency.max.value_ns as f64));
            cells.push(in_words(latency.max.at_ns as f64));
        }
    }
    cells
}

/// The facts of each row, without what its label says already.
fn further(outcome: &Outcome) -> Vec<(String, String)> {
    let of_row = |row: &Row| {
        let facts = row.facts.iter().map(|(name, fact)| told(name, fact));
        let facts = facts.filter(|fact| !fact.eq_ignore_ascii_case(&row.label));
        (words::label(&row.label), joined(facts))
    };
    let all = outcome.rows.iter().map(of_row);
    all.filter(|(_, facts)| !facts.is_empty()).collect()
}

/// A fact in words; of a list the first few entries.
fn told(name: &str, fact: &Value) -> String {
    const FIRST_FEW: usize = 8;
    let plain = name.strip_suffix("_ns").unwrap_or(name).replace('_', " ");
    match fact {
        Value::Array(entries) if entries.is_empty() => format!("{plain}: none"),
        Value::Array(entries) => {
            let mut few: Vec<String> = entries.iter().take(FIRST_FEW).map(entry).collect();
            if entries.len() > FIRST_FEW {
                few.push(format!("and {} more", entries.len() - FIRST_FEW));
            }
            format!("{plain}: {}", few.join(" · "))
        }
        Value::Object(_) => format!("{plain}: {}", entry(fact)),
        Value::Bool(yes) => format!("{plain}: {}", if *yes { "yes" } else { "no" }),
        Value::String(word) => format!("{plain} {word}"),
        Value::Number(number) => match number.as_f64() {
            Some(ns) if name.ends_with("_ns") => format!("{plain} {}", words::time(ns)),
            Some(number) => format!("{plain} {}", words::quantity(number)),
            None => format!("{plain} {number}"),
        },
        Value::Null => format!("{plain}: not told"),
    }
}

fn entry(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let words: Vec<String> = fields.iter().map(|(name, fact)| told(name, fact)).collect();
            words.join(", ")
        }
        other => other.to_string(),
    }
}
