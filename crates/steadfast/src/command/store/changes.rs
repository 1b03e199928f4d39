//! Differences between two outcomes that were computed from the same samples.

use std::collections::BTreeSet;

use record::{Outcome, Row};
use serde::Serialize;
use serde_json::{Map, Value, json};

#[derive(Serialize)]
pub(crate) struct Change {
    /// The row's label; `None` for figures of the whole run.
    row: Option<String>,
    figure: String,
    before: Value,
    now: Value,
}

pub(crate) fn between(before: &Outcome, now: &Outcome) -> Vec<Change> {
    let whole_run = |outcome: &Outcome| fields(json!({ "warnings": outcome.warnings }));
    let mut changes = of_figures(None, &whole_run(before), &whole_run(now));
    for place in 0..before.rows.len().max(now.rows.len()) {
        let [before, now] = [before, now].map(|outcome| outcome.rows.get(place));
        let label = now.or(before).map(|row| &*row.label);
        let [before, now] = [before, now].map(|row| row.map_or_else(Map::new, figures));
        changes.extend(of_figures(label, &before, &now));
    }
    changes
}

fn of_figures(
    row: Option<&str>,
    before: &Map<String, Value>,
    now: &Map<String, Value>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for figure in before.keys().chain(now.keys()).collect::<BTreeSet<&String>>() {
        let [before, now] = [before, now].map(|row| row.get(figure));
        if before != now {
            let [before, now] = [before, now].map(|value| value.cloned().unwrap_or_default());
            let row = row.map(str::to_owned);
            changes.push(Change { row, figure: figure.clone(), before, now });
        }
    }
    changes
}

/// Returns everything that the store keeps of a row.
fn figures(row: &Row) -> Map<String, Value> {
    let mut figures: Map<String, Value> = row.facts.clone().into_iter().collect();
    figures.extend(fields(json!({
        "label": row.label,
        "unavailable": row.unavailable,
        "due": row.due,
        "executed": row.executed,
        "skipped": row.skipped,
    })));
    if let Some(latency) = &row.latency {
        let sample = |sample: stats::Sample| json!([sample.value_ns, sample.index, sample.at_ns]);
        figures.extend(fields(json!({
            "early": latency.early,
            "min_ns": sample(latency.min),
            "max_ns": sample(latency.max),
            "sum_ns": latency.sum_ns,
            "histogram": latency.bins().collect::<Vec<(u64, u64)>>(),
            "worst": latency.tail,
            "parts": latency.parts,
        })));
    }
    figures
}

fn fields(value: Value) -> Map<String, Value> {
    if let Value::Object(fields) = value { fields } else { Map::new() }
}

impl Change {
    /// Returns the change in words, such as `CPU 1, due: 10, now 11`.
    pub(crate) fn words(&self) -> String {
        let row = self.row.as_ref().map(|row| format!("{row}, "));
        let (row, figure) = (row.unwrap_or_default(), &self.figure);
        match (&self.before, &self.now) {
            (Value::Null, now) if is_short(now) => format!("{row}{figure}: new, {now}"),
            (Value::Null, _) => format!("{row}{figure}: new"),
            (_, Value::Null) => format!("{row}{figure}: gone"),
            (before, now) if is_short(before) && is_short(now) => {
                format!("{row}{figure}: {before}, now {now}")
            }
            _ => format!("{row}{figure}: differs"),
        }
    }
}

/// Returns whether a value is short enough for words; lists are only in the JSON.
fn is_short(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Distribution, Sample};

    fn outcome(rows: Vec<Row>) -> Outcome {
        let specs = crate::command::run::line::specs_of("clock_overhead").unwrap();
        Outcome { rows, ..crate::session::driver::fake::outcome(&specs[0], 0, 1) }
    }

    fn row(value_ns: i64) -> Row {
        let (index, at_ns) = (0, 0);
        Row::of("one", Distribution::of([Sample { value_ns, index, at_ns }]))
    }

    #[test]
    fn each_figure_that_differs_is_reported_and_no_other() {
        let mut before = row(5);
        before.facts.insert("old".into(), 1.into());
        let now = Row { skipped: 1, ..row(6) };
        let changes = between(&outcome(vec![before]), &outcome(vec![now, row(7)]));
        let words: Vec<String> = changes.iter().map(Change::words).collect();
        for expected in [
            "one, old: gone",
            "one, skipped: 0, now 1",
            "one, histogram: differs",
            "one, sum_ns: 5, now 6",
            "one, sum_ns: new, 7",
        ] {
            assert!(words.contains(&expected.to_owned()), "{expected}: {words:?}");
        }
        assert!(!words.iter().any(|expected| expected.contains("due: 1,")), "{words:?}");
        assert!(between(&outcome(vec![row(5)]), &outcome(vec![row(5)])).is_empty());
    }
}
