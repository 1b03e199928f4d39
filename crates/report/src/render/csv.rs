//! Outcomes as comma-separated values (RFC 4180): a line per row, or a line per histogram bin.

use std::collections::BTreeSet;

use ::csv::{Terminator, Writer, WriterBuilder};
use base::harmless;
use record::{Outcome, Row};
use serde_json::{Map, Value, json as value};
use stats::Distribution;

use crate::document::{Cell, Line, Table};
use analysis::bins;
use analysis::fields::{self, NamedParameters};
use analysis::words;

const WHICH: [&str; 3] = ["run_id", "measurement", "row"];
type RunColumn = (&'static str, fn(&Outcome) -> Value);

const RUN: [RunColumn; 10] = [
    ("started_utc", |run| value!(run.header.known_start_unix_ns().map(words::rfc3339))),
    ("tool_version", |run| value!(run.header.tool_version)),
    ("machine_id", |run| value!(run.header.machine.id())),
    ("valid", |run| value!(run.is_valid())),
    ("policy", |run| value!(run.header.spec.asked.policy)),
    ("cpus", |run| value!(run.header.spec.asked.cpus)),
    ("load", |run| value!(loads(run))),
    ("duration_ns", |run| value!(run.planned().asked.duration)),
    ("memory_lock", |run| value!(run.header.spec.asked.memory_lock)),
    ("cpu_dma_latency", |run| value!(run.header.spec.asked.cpu_dma_latency)),
];
/// Columns that another tool's file may have; it has none of the others.
const STATED: [&str; 3] = ["started_utc", "tool_version", "machine_id"];
const HDR_HISTOGRAM: &str = "hdr_histogram";
const BINS: [&str; 3] = ["from_ns", "to_ns", "count"];

/// Returns a line for each row of each run under a header whose names include the unit. The columns
/// that every measurement has come first, then parameters and the other figures of these runs, each
/// in alphabetical order; the last column has the histogram in HdrHistogram's format.
pub fn csv(outcomes: &[&Outcome]) -> String {
    let nothing = [Row::default()];
    let lines = outcomes.iter().flat_map(|outcome| {
        let rows = if outcome.rows.is_empty() { &nothing[..] } else { &outcome.rows };
        rows.iter().map(|row| line(outcome, row))
    });
    let lines: Vec<Map<String, Value>> = lines.collect();
    let figures = fields::row(&Row::default());
    let figures = figures.keys().map(String::as_str).filter(|n| *n != "label");
    let run = RUN.map(|(name, _)| name);
    let mut columns: Vec<&str> = WHICH.into_iter().chain(run).chain(figures).collect();
    let mut others: BTreeSet<(bool, &str)> = BTreeSet::new();
    for name in lines.iter().flat_map(Map::keys) {
        if !columns.contains(&name.as_str()) && name != HDR_HISTOGRAM {
            others.insert((!name.starts_with(PARAMETER), name));
        }
    }
    columns.extend(others.iter().map(|(_, name)| name));
    columns.push(HDR_HISTOGRAM);
    let cells = |line: &Map<String, Value>| -> Vec<String> {
        columns.iter().map(|name| cell(line.get(*name))).collect()
    };
    written(&columns, lines.iter().map(cells))
}

/// Returns a line for each bin with samples of each row's histogram: the bins of the report's
/// figures, from `from_ns` (exclusive) to `to_ns`.
pub fn csv_histograms(outcomes: &[&Outcome]) -> String {
    let names: Vec<&str> = WHICH.into_iter().chain(BINS).collect();
    let mut lines = Vec::new();
    for outcome in outcomes {
        for row in &outcome.rows {
            let bins = row.latency.as_ref().map(bins::log_bins).unwrap_or_default();
            lines.extend(bins.iter().filter(|bin| bin.count > 0).map(|bin| {
                let bin = [bin.from_ns.to_string(), bin.to_ns.to_string(), bin.count.to_string()];
                which(outcome, row).into_iter().chain(bin).collect()
            }));
        }
    }
    written(&names, lines.into_iter())
}

const PARAMETER: &str = "parameter_";

fn which(outcome: &Outcome, row: &Row) -> [String; 3] {
    let header = &outcome.header;
    [header.run_id.clone(), header.spec.measurement.clone(), row.label.clone()]
}

fn loads(run: &Outcome) -> String {
    run.header.spec.asked.loads.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the scalar facts of a row; lists and the like are left out.
fn line(outcome: &Outcome, row: &Row) -> Map<String, Value> {
    let mut line = fields::row(row);
    line.remove("label");
    let parameters = NamedParameters::of(&outcome.header.spec.parameters).0.into_iter();
    line.extend(parameters.map(|(name, value)| (format!("{PARAMETER}{name}"), value)));
    let which = WHICH.map(str::to_owned).into_iter().zip(which(outcome, row));
    line.extend(which.map(|(name, text)| (name, value!(text))));
    let is_known = |name: &str| outcome.header.spec.imported.is_none() || STATED.contains(&name);
    let known = RUN.into_iter().filter(|(name, _)| is_known(name));
    line.extend(known.map(|(name, value)| (name.to_owned(), value(outcome))));
    let histogram = row.latency.as_ref().map(Distribution::histogram_v2_base64);
    line.insert(HDR_HISTOGRAM.to_owned(), value!(histogram));
    line.retain(|_, value| !value.is_array() && !value.is_object());
    line
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

pub(crate) fn of_table(table: &Table) -> String {
    let heads: Vec<&str> = table.columns.iter().map(|column| column.head.as_str()).collect();
    let text = |cell: Option<&Cell>| cell.map_or_else(String::new, |cell| cell.text.clone());
    let cells = |line: &Line| line.spread().map(text).collect();
    written(&heads, table.rows.iter().map(cells))
}

pub(crate) fn written(names: &[&str], lines: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer: Writer<Vec<u8>> =
        WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let in_memory = "lines of equal length are written to memory";
    let mut write = |cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.map(|cell| harmless(cell).into_owned());
        writer.write_record(cells).expect(in_memory);
    };
    if !names.is_empty() {
        write(&mut names.iter().copied());
    }
    for line in lines {
        write(&mut line.iter().map(String::as_str));
    }
    let bytes = writer.into_inner().expect(in_memory);
    String::from_utf8(bytes).expect("text stays text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{everything, refused, wakeup};
    use base::Policy;

    /// Parses the table: each line by the names of its columns.
    fn read(text: &str) -> Vec<Map<String, Value>> {
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().unwrap().clone();
        let line = |record: ::csv::StringRecord| {
            let cells = names.iter().zip(&record);
            cells.map(|(name, cell)| (name.to_owned(), value!(cell))).collect()
        };
        reader.records().map(|record| line(record.unwrap())).collect()
    }

    #[test]
    fn every_row_is_a_line_that_reads_back() {
        let outcomes = everything();
        let text = csv(&outcomes.iter().collect::<Vec<_>>());
        let lines = read(&text);
        let labels: Vec<&str> =
            outcomes.iter().flat_map(|run| run.rows.iter().map(|row| row.label.as_str())).collect();
        let row_labels = lines.iter().map(|line| line["row"].as_str().unwrap());
        // An INVALID run of the sample has no row, but still a line.
        let named: Vec<&str> = row_labels.filter(|label| !label.is_empty()).collect();
        assert_eq!(named, labels);
        assert_eq!(text.matches("\r\n").count(), lines.len() + 1);
        assert!(text.lines().next().unwrap().ends_with(",hdr_histogram"));
        let rows = outcomes.iter().flat_map(|run| &run.rows);
        let histograms =
            rows.map(|row| row.latency.as_ref().map(Distribution::histogram_v2_base64));
        let is_named = |line: &&Map<String, Value>| line["row"] != "";
        for (line, histogram) in lines.iter().filter(is_named).zip(histograms) {
            assert_eq!(line["hdr_histogram"], histogram.unwrap_or_default());
        }
        let mut names = lines[0].keys();
        assert!(names.all(|name| name != "claims" && name != "misses"));
    }

    #[test]
    fn an_invalid_run_says_so_and_marks_of_the_format_are_quoted() {
        let lines = read(&csv(&[&refused()]));
        assert_eq!((lines.len(), &lines[0]["valid"]), (1, &value!("false")));
        let mut odd = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let label = "a \"row\", of\ntwo lines";
        odd.rows.truncate(1);
        odd.rows[0].label = label.to_owned();
        let text = csv(&[&odd]);
        assert!(text.contains("\"a \"\"row\"\", of\ntwo lines\""), "{text}");
        assert_eq!(read(&text)[0]["row"], label);
    }

    #[test]
    fn no_cell_is_a_formula_or_a_command() {
        for (cell, harmless_cell) in [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("-2+3", "'-2+3"),
            ("-2.5e3", "-2.5e3"),
            ("\t=1", "\\u0009=1"),
            ("\u{1b}[2J", "\\u001b[2J"),
            ("CPU 1", "CPU 1"),
        ] {
            let mut odd = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
            odd.rows.truncate(1);
            odd.rows[0].label = cell.to_owned();
            odd.rows[0].facts.insert(cell.to_owned(), 1.into());
            let text = csv(&[&odd]);
            let line = &read(&text)[0];
            assert_eq!(line["row"], harmless_cell);
            assert!(line.contains_key(harmless_cell), "{text}");
            assert_eq!(read(&csv_histograms(&[&odd]))[0]["row"], harmless_cell);
        }
    }

    #[test]
    fn bins_hold_every_sample_that_was_not_early() {
        let run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let lines = read(&csv_histograms(&[&run]));
        let counts = lines.iter().map(|line| line["count"].as_str().unwrap());
        let held: u64 = counts.map(|count| count.parse::<u64>().unwrap()).sum();
        let latencies = run.rows.iter().filter_map(|row| row.latency.as_ref());
        let not_early: u64 = latencies.map(|latency| latency.count() - latency.early).sum();
        assert_eq!(held, not_early);
    }
}
