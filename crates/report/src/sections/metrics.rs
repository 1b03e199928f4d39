//! Figures of a series as cells, defined once for all tables.

use analysis::comparison::worst_ns;
use analysis::file_bins::{quantile_ns, supported};
use analysis::quantiles::needed;
use analysis::survey::Series;
use analysis::words;
use record::{Fact, Row, fact};
use stats::Distribution;

use super::series::Metric;
use crate::document::Cell;

/// Times in microseconds, which are easy to align and compare.
pub(crate) const LATENCY: &[Metric] = &[
    AVERAGE,
    Metric::Own("Median, µs", |series| median(series, Cell::micros)),
    P99,
    Metric::Own("p99.9, µs", |series| {
        quantile(&series.rows, series.latency.as_ref(), 0.999, Cell::micros)
    }),
    WORST,
    WORST_AT,
    SAMPLES,
    SKIPPED,
];

/// Times in microseconds, and their spread.
pub(crate) const VARIATION: &[Metric] = &[
    Metric::Own("Shortest, µs", |series| micros(series, |l| l.min.value_ns as f64)),
    AVERAGE,
    P99,
    WORST,
    Metric::Own("Variation, µs", |series| {
        micros(series, |l| (l.max.value_ns - l.min.value_ns) as f64)
    }),
    SAMPLES,
    SKIPPED,
];

const AVERAGE: Metric = Metric::Own("Average, µs", |series| micros(series, Distribution::mean_ns));
pub(crate) const P99: Metric = Metric::Own("p99, µs", |series| {
    quantile(&series.rows, series.latency.as_ref(), 0.99, Cell::micros)
});
pub(crate) const WORST: Metric =
    Metric::Own("Worst, µs", |series| micros(series, |l| l.max.value_ns as f64));
pub(crate) const WORST_AT: Metric = Metric::Own("Worst at", worst_at);
pub(crate) const SAMPLES: Metric = Metric::Own("Samples", |series| {
    Cell::count(series.latency.as_ref().map_or_else(|| series.executed(), Distribution::count))
});
const SKIPPED: Metric = Metric::Own("Skipped", |series| Cell::count(series.skipped()));

/// The mean step of steps that run back to back.
pub(crate) const STEP: Metric =
    Metric::Own("A step, µs", |series| micros(series, Distribution::mean_ns));

/// Steps of a model with due times: their completion, relative to these times.
pub(crate) const DEADLINES: &[Metric] = &[
    Metric::Own("Steps due", |series| Cell::count(series.due())),
    Metric::Of(&fact::MISSED, |series, fact| {
        let missed = series.total(fact).unwrap_or_else(|| series.skipped());
        let share = missed as f64 / series.due().max(1) as f64;
        Cell::count(missed).titled(words::percent(share)).bad_if(missed > 0)
    }),
    AVERAGE,
    P99,
    WORST,
    Metric::Own("Stamps, of a step", |series| {
        let share = series.mean(&fact::STAMPS_SHARE);
        Cell::or(share, NOT_RECORDED, |share| {
            Cell::number(words::percent(share), "cost of this program's own stamps")
        })
    }),
    Metric::Own("Worst, of period", |series| {
        let period = series.spec.parameters.rate_period().0 as f64;
        Cell::or(worst_ns(series).filter(|_| period > 0.0), NOT_RECORDED, |worst| {
            Cell::number(words::percent(worst / period), "")
        })
    }),
];

/// Number of events before their due time.
pub(crate) const EARLY: Metric = Metric::Own("Early", |series| {
    Cell::count(series.latency.as_ref().map_or(0, |latency| latency.early))
});

/// Times in suitable units, for measurements of unknown magnitude.
pub(crate) const ANY_TIME: &[Metric] = &[
    Metric::Own("Average", |series| time(series, Distribution::mean_ns)),
    Metric::Own("Median", |series| median(series, Cell::time)),
    Metric::Own("p99", |series| quantile(&series.rows, series.latency.as_ref(), 0.99, Cell::time)),
    Metric::Own("Worst", |series| time(series, |l| l.max.value_ns as f64)),
    SAMPLES,
];

pub(crate) const NOT_RECORDED: &str = "not recorded";

/// Returns the mean of a fact in microseconds.
pub(crate) fn mean(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.mean(fact), NOT_RECORDED, Cell::micros)
}

pub(crate) fn micros(series: &Series, of: fn(&Distribution) -> f64) -> Cell {
    Cell::or(series.latency.as_ref().map(of), "no sample", Cell::micros)
}

fn time(series: &Series, of: fn(&Distribution) -> f64) -> Cell {
    Cell::or(series.latency.as_ref().map(of), "no sample", Cell::time)
}

fn median(series: &Series, cell: fn(f64) -> Cell) -> Cell {
    let of = |latency| quantile_ns(&series.rows, latency, 0.5) as f64;
    Cell::or(series.latency.as_ref().map(of), "no sample", cell)
}

/// Returns the cell of a quantile, or a dash if no sample exceeds it.
pub(crate) fn quantile(
    rows: &[&Row],
    latency: Option<&Distribution>,
    share: f64,
    cell: impl FnOnce(f64) -> Cell,
) -> Cell {
    let ns = latency.and_then(|latency| supported(rows, latency, share));
    Cell::or(ns, format!("needs {} samples", words::grouped(needed(share))), cell)
}

fn worst_at(series: &Series) -> Cell {
    Cell::or(series.latency.as_ref(), "no sample", |latency| {
        let sample = format!("sample {}", words::grouped(latency.max.index));
        Cell::time(latency.max.at_ns as f64).titled(sample)
    })
}
