//! All results in one table.

use analysis::comparison::worst_ns;
use analysis::file_bins::supported;
use analysis::survey::{IMPORTED, Series, System, summarised};
use analysis::{benchmark, real_time, words};

use crate::document::{Block, Cell, Section, TableOf};

enum Row<'r, 'a> {
    /// A machine, or a measurement under equal conditions.
    Title(String),
    Refused(String),
    Series(&'r Series<'a>),
}

pub(super) fn results(systems: &[System]) -> Option<Section> {
    let rows: Vec<Row> = systems.iter().flat_map(|system| of_system(system, systems)).collect();
    let table = TableOf::of(&rows)
        .heading(|row| match row {
            Row::Title(title) => Some(title.clone()),
            _ => None,
        })
        .unless(|row| match row {
            Row::Refused(runs) => Some(Cell::text(runs)),
            _ => None,
        })
        .text("measurement", |row| match row {
            Row::Series(series) => label(series),
            _ => String::new(),
        })
        .number("average", |row| row.time(Series::average_ns))
        .number("p99", |row| row.time(|series| quantile(series, 0.99)))
        .number("p99.9", |row| row.time(|series| quantile(series, 0.999)))
        .number("worst", |row| row.time(worst_ns))
        .number("missed", |row| {
            row.figure(|series| Cell::or(real_time::misses(series), "no deadline", Cell::count))
        })
        .always()
        .text("", |row| match row {
            Row::Refused(_) => "INVALID",
            Row::Series(series) if series.unavailable().is_some() => "n/a",
            Row::Series(series) if series.spec.imported.is_some() => IMPORTED,
            Row::Series(_) | Row::Title(_) => "valid",
        })
        .table("");
    Some(Section::of("results", "", "", vec![Block::Table(table).filled()?]))
}

impl<'a> Row<'_, 'a> {
    fn figure(&self, of: impl Fn(&Series<'a>) -> Cell) -> Cell {
        match self {
            Row::Series(series) if series.unavailable().is_none() => of(series),
            _ => Cell::default(),
        }
    }

    fn time(&self, of: impl Fn(&Series<'a>) -> Option<f64>) -> Cell {
        self.figure(|series| Cell::or(of(series), "too few samples", Cell::time))
    }
}

/// Returns the lines of a machine: a title for each measurement under equal conditions, then its
/// rows; then its INVALID runs.
fn of_system<'r, 'a>(system: &'r System<'a>, all: &[System]) -> Vec<Row<'r, 'a>> {
    let mut rows = Vec::new();
    if all.len() > 1 {
        rows.push(Row::Title(format!("[{}]", system.name)));
    }
    let mut current = String::new();
    for series in system.series.iter().filter(|series| !benchmark::shows(system, series)) {
        let peers: Vec<&Series> = system.of(&series.spec.measurement).collect();
        let title = format!("{} ({})", series.spec.measurement, series.conditions(&peers));
        if title != current {
            current.clone_from(&title);
            rows.push(Row::Title(title));
        }
        rows.push(Row::Series(series));
    }
    let mut invalid = system.outcomes.clone();
    invalid.retain(|outcome| !outcome.is_valid());
    rows.extend(summarised(&invalid).into_iter().map(Row::Refused));
    rows
}

fn label(series: &Series) -> String {
    let mut label = format!("\u{a0}\u{a0}{}", words::label(series.label));
    if series.unavailable().is_some() {
        return label;
    }
    if let Some(share) = series.share() {
        label += &format!(", {} of the transfer", words::percent(share));
    }
    if let Some([made, planned]) = series.cut_short() {
        let [made, planned] = [made, planned].map(words::grouped);
        label += &format!(", {made} of {planned} bursts");
    }
    if real_time::misses(series).is_none() && series.skipped() > 0 {
        let [skipped, due] = [series.skipped(), series.due()].map(words::grouped);
        label += &format!(", {skipped} of {due} not made");
    }
    label
}

fn quantile(series: &Series, share: f64) -> Option<f64> {
    supported(&series.rows, series.latency.as_ref()?, share)
}
