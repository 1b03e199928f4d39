//! Any measurement: its times, its facts, its histogram.

use std::collections::BTreeSet;
use std::ptr;

use analysis::survey::{Series, System, distinct, on_all};
use analysis::{spacing, words};
use record::{Unit, fact};
use serde_json::Value;

use super::metrics;
use crate::document::{Block, Cell, Section, Table, TableOf};
use crate::figure::{self, Figure, Line};

/// Returns the section of a measurement that has no special one.
pub(crate) fn shown(systems: &[System], measurement: &str) -> Section {
    let series = on_all(systems, measurement);
    let id = measurement.replace('_', "-");
    let mut blocks = vec![Block::Table(table(&series))];
    let histogram = figure::histogram(&id, "time", &distributions(&series));
    blocks.extend(histogram.map(Block::Figure));
    Section::of(id, name(measurement), "", blocks)
}

pub(crate) fn table(series: &[(&System, &Series)]) -> Table {
    let timed = series.iter().any(|(_, series)| series.latency.is_some());
    let metrics = if timed { metrics::ANY_TIME } else { &metrics::ANY_TIME[4..] };
    let facts: BTreeSet<&str> = series
        .iter()
        .flat_map(|(_, series)| &series.rows)
        .flat_map(|row| &row.facts)
        .filter(|(_, fact)| !fact.is_array() && !fact.is_object())
        .map(|(name, _)| name.as_str())
        .collect();
    TableOf::of(series)
        .measured(|row| *row, metrics)
        .each(facts, |table, name| {
            table.number(&head(name), move |(_, series)| figure_of(series, name))
        })
        .table("")
}

pub(crate) fn with_deadlines(drawn: Figure, series: &[(&System, &Series)]) -> Figure {
    let periods =
        series.iter().filter_map(|(_, series)| spacing::row_period(series.spec, series.place));
    figure::with_deadlines(drawn, periods.map(|period| period.0 as f64))
}

/// Returns the distributions of headline rows, named by the conditions that distinguish them.
pub(crate) fn distributions<'s>(series: &[(&'s System, &'s Series)]) -> Vec<Line<'s>> {
    let headlines = series.iter().copied().filter(|(_, s)| s.headline());
    named(&headlines.collect::<Vec<_>>())
}

/// Returns the distributions of headline rows with the looks that they have among all rows.
pub(crate) fn distributions_among<'s>(
    all: &[(&'s System, &'s Series)],
    series: &[(&'s System, &'s Series)],
) -> Vec<Line<'s>> {
    let all = distributions(all);
    let place = |distribution| all.iter().position(|line| ptr::eq(line.distribution, distribution));
    let line = |line: Line<'s>| Line { place: place(line.distribution).unwrap_or(0), ..line };
    distributions(series).into_iter().map(line).collect()
}

/// Returns the distributions of all rows with times, named by the conditions that distinguish them.
pub(crate) fn named<'s>(series: &[(&'s System, &'s Series)]) -> Vec<Line<'s>> {
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let timed = || series.iter().filter(|(_, series)| series.latency.is_some());
    let machines = distinct(timed().map(|(system, _)| &system.machine_id));
    let labels = distinct(timed().map(|(_, series)| series.label));
    let line = |(place, (system, series)): (usize, &(&System, &'s Series))| {
        let machine = if machines > 1 { format!("{}: ", system.name) } else { String::new() };
        let label = if labels > 1 { words::label(series.label) + ", " } else { String::new() };
        let name = format!("{machine}{label}{}", series.conditions(&peers));
        Some(Line { name, place, distribution: series.latency.as_ref()? })
    };
    timed().enumerate().filter_map(line).collect()
}

fn name(measurement: &str) -> String {
    words::capital(&measurement.replace('_', " "))
}

/// Returns a fact's name without the unit, which its figure includes.
fn head(fact: &str) -> String {
    let plain = fact.strip_suffix("_ns").unwrap_or(fact);
    name(&plain.replace("_per_s", " per second"))
}

fn figure_of(series: &Series, name: &str) -> Cell {
    let values = || series.rows.iter().filter_map(|row| row.facts.get(name));
    match (together(name, values().map(Value::as_f64)), values().next()) {
        (Some(ns), _) if name.ends_with("_ns") => Cell::time(ns),
        (None, Some(Value::Bool(yes))) => Cell::text(if *yes { "yes" } else { "no" }),
        (None, Some(Value::String(word))) => Cell::text(word),
        (number, _) => Cell::or(number, metrics::NOT_RECORDED, Cell::quantity),
    }
}

/// Returns a fact of several runs: their mean, except that an extreme of files is the extreme of all, and a count of
/// files their sum, which is unknown if a file does not state it.
fn together(name: &str, values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut values = values.peekable();
    values.peek()?;
    match fact::IMPORTED.iter().find(|declared| declared.name == name) {
        Some(found) if *found == fact::FILE_MAX_NS => values.flatten().reduce(f64::max),
        Some(found) if *found == fact::FILE_MIN_NS => values.flatten().reduce(f64::min),
        Some(found) if found.unit == Unit::Count => {
            values.try_fold(0.0, |sum, count| Some(sum + count?))
        }
        _ => {
            let (sum, count) =
                values.flatten().fold((0.0, 0u32), |(sum, count), ns| (sum + ns, count + 1));
            (count > 0).then(|| sum / f64::from(count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_counts_of_files_are_those_of_all() {
        let of = |fact: record::Fact| together(fact.name, [2.0, 4.0].map(Some).into_iter());
        assert_eq!(of(fact::FILE_MAX_NS), Some(4.0));
        assert_eq!(of(fact::FILE_MIN_NS), Some(2.0));
        assert_eq!([fact::FILE_SAMPLES, fact::BEYOND_BINS].map(of), [Some(6.0); 2]);
        assert_eq!([fact::FILE_MEAN_NS, fact::SLOPE].map(of), [Some(3.0); 2]);
        assert_eq!(together("file_samples", [Some(2.0), None].into_iter()), None);
        assert_eq!(together("file_max_ns", std::iter::empty()), None);
    }
}
