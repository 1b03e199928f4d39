//! The figures of a row that are compared, each with one value per run.

use record::{Row, fact};
use serde::Serialize;
use stats::{Distribution, Misses, Part, Runs};

use crate::file_bins::{self, end_ns, quantile_ns};
use crate::real_time;
use crate::survey::Series;

#[derive(Debug)]
pub struct Figure {
    /// Its name in JSON and CSV.
    pub name: &'static str,
    /// Its name in a sentence, before the ratio.
    pub in_words: &'static str,
    /// `None` if it decides nothing.
    pub quality: Option<Quality>,
    pub unit: Unit,
    /// Returns the figure on both sides; `None` if it is unknown.
    pub of: fn([&Series; 2]) -> Option<Values>,
}

impl PartialEq for Figure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Time,
    /// A share of what was due, compared as its odds.
    Odds,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// How fast: the average counts.
    Speed,
    /// How steady: the worst counts.
    Steadiness,
}

pub struct Values {
    /// Logarithms of the figure; for a share, of its odds.
    pub runs: Runs,
    /// For a time, the geometric mean over runs; for a share, the share in all runs together.
    pub values: [f64; 2],
    /// In nanoseconds, the threshold above which samples are counted.
    pub threshold_ns: Option<f64>,
    /// The same logarithms of the parts of each run, if known and relevant to this figure.
    pub of_parts: [Vec<Vec<f64>>; 2],
    /// Missed and due deadlines of each run, if rare counts are compared.
    pub misses: Option<[Vec<Misses>; 2]>,
}

impl Values {
    fn of(values: [f64; 2], reference: Vec<f64>, other: Vec<f64>) -> Self {
        let runs = Runs { reference, other, least_variance: 0.0 };
        Self { runs, values, threshold_ns: None, of_parts: Default::default(), misses: None }
    }
}

const fn figure(
    (name, in_words): (&'static str, &'static str),
    quality: Quality,
    unit: Unit,
    of: fn([&Series; 2]) -> Option<Values>,
) -> Figure {
    Figure { name, in_words, quality: Some(quality), unit, of }
}

const MEDIAN: Figure = figure(("median", "median"), Quality::Speed, Unit::Time, |sides| {
    parted(quantiles(sides, 0.5, median), sides, |part| part.median_ns as f64)
});

const MISSED: Figure =
    figure(("missed", "odds of a miss"), Quality::Steadiness, Unit::Odds, missed);

const P99: Figure =
    figure(("p99", "p99"), Quality::Steadiness, Unit::Time, |sides| quantiles(sides, 0.99, p99));

/// What parts of the same runs, such as CPUs, are compared by: each has enough samples in every run, so one moment does
/// not decide.
pub(crate) static OF_PARTS: &[Figure] = &[MEDIAN, MISSED, P99];

pub(crate) static OF_NEIGHBOURS: &[Figure] =
    &[MEDIAN, MISSED, figure(("tail", "tail"), Quality::Steadiness, Unit::Time, tail)];

/// In column order; of several figures with the same quality, the first that differs decides.
pub static FIGURES: &[Figure] = &[
    figure(("average", "mean"), Quality::Speed, Unit::Time, |sides| {
        parted(times(sides, average), sides, Part::mean_ns)
    }),
    MEDIAN,
    MISSED,
    figure(("late", "odds of being late"), Quality::Steadiness, Unit::Odds, late),
    P99,
];

/// The power that the machine draws: a figure of a run, not of its rows.
pub static POWER_DRAWN: Figure =
    Figure { name: "power", in_words: "power", quality: None, unit: Unit::Power, of: |_| None };

/// A share is compared only if at least this many samples of a run lie beyond it.
const LEAST_BEYOND: f64 = 10.0;
/// Shares of all samples that define a common threshold, the highest first.
const HIGH: [f64; 2] = [0.999, 0.99];

fn average(row: &Row) -> Option<f64> {
    match &row.latency {
        Some(latency) => Some(latency.mean_ns()),
        None => {
            row.fact(&fact::CONTEXT_SWITCH_NS).or_else(|| row.fact(&fact::FILE_MEAN_NS))?.as_f64()
        }
    }
}

fn median(row: &Row) -> Option<f64> {
    Some(quantile_ns(&[row], row.latency.as_ref()?, 0.5) as f64)
}

fn p99(row: &Row) -> Option<f64> {
    let latency = row.latency.as_ref()?;
    let carries = latency.count() as f64 * (1.0 - 0.99) >= LEAST_BEYOND;
    carries.then(|| quantile_ns(&[row], latency, 0.99) as f64)
}

fn times(sides: [&Series; 2], of: impl Fn(&Row) -> Option<f64>) -> Option<Values> {
    let [reference, other] = sides.map(|series| -> Vec<f64> {
        let values = series.rows.iter().filter_map(|row| of(row));
        values.filter(|ns| *ns > 0.0).map(f64::ln).collect()
    });
    let mean = |logs: &[f64]| {
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    };
    Some(Values::of([mean(&reference)?, mean(&other)?], reference, other))
}

/// Returns a quantile of both sides; `None` if that of any run lies above the histogram of a file, where only an upper
/// bound is known.
fn quantiles(sides: [&Series; 2], share: f64, of: impl Fn(&Row) -> Option<f64>) -> Option<Values> {
    let mut rows = sides.into_iter().flat_map(|series| &series.rows);
    if rows.any(|row| file_bins::is_beyond(row, share)) {
        return None;
    }
    times(sides, of)
}

/// Adds the variation between parts of a run.
fn parted(values: Option<Values>, sides: [&Series; 2], of: fn(&Part) -> f64) -> Option<Values> {
    let of_run = |row: &&Row| -> Vec<f64> {
        let parts = row.latency.iter().flat_map(|latency| &latency.parts);
        parts.map(of).filter(|ns| *ns > 0.0).map(f64::ln).collect()
    };
    let of_parts = sides.map(|series| series.rows.iter().map(of_run).collect());
    Some(Values { of_parts, ..values? })
}

/// Least number of samples beyond the end of a tail. The run is the unit of analysis, so run-to-run
/// variation shows how uncertain such an end is.
const LEAST_IN_TAIL: f64 = 2.0;

/// The high share whose quantile every run has; `None` if one has too few samples.
pub(crate) fn share_of_tail<'s>(series: impl IntoIterator<Item = &'s Series<'s>>) -> Option<f64> {
    high_share(series, LEAST_IN_TAIL)
}

/// The high share beyond which every run has this number of samples.
fn high_share<'s>(series: impl IntoIterator<Item = &'s Series<'s>>, beyond: f64) -> Option<f64> {
    let latencies = series.into_iter().flat_map(Series::latencies);
    let samples = latencies.map(Distribution::count).min()? as f64;
    HIGH.into_iter().find(|share| samples * (1.0 - share) >= beyond - 1e-6)
}

fn tail(sides: [&Series; 2]) -> Option<Values> {
    let share = share_of_tail(sides)?;
    quantiles(sides, share, |row| Some(quantile_ns(&[row], row.latency.as_ref()?, share) as f64))
}

/// Events and trials, one per run.
type Counts = Vec<Misses>;

fn missed(sides: [&Series; 2]) -> Option<Values> {
    let counts = sides.map(|series| -> Counts {
        let of = |row: &&Row| real_time::tries(series.spec, &[row]);
        let tries = series.rows.iter().filter_map(of);
        tries.map(|tries| [tries.missed, tries.due]).collect()
    });
    let any = counts.iter().flatten().any(|[misses, _]| *misses > 0);
    let values = shares(&counts).filter(|_| any)?;
    Some(Values { misses: Some(counts), ..values })
}

/// Returns the share of samples above a common high threshold: a quantile of the samples of both
/// sides, with equal weight for each side. A maximum grows with the number of samples and is one
/// moment's value; this does neither.
fn late(sides: [&Series; 2]) -> Option<Values> {
    let share = high_share(sides, LEAST_BEYOND)?;
    let together = [sides[0].latency.as_ref()?, sides[1].latency.as_ref()?];
    let threshold_ns = common_quantile(together, share)?;
    // Which samples above the histogram of a file exceed a threshold beyond its end is unknown.
    if end_ns(sides).is_some_and(|end| threshold_ns > end as f64) {
        return None;
    }
    let count = |run: &Distribution| {
        Some([run.count() - run.count_at_or_below(threshold_ns)?, run.count()])
    };
    let counts = sides.map(|series| series.latencies().filter_map(count).collect());
    Some(Values { threshold_ns: Some(threshold_ns), ..shares(&counts)? })
}

/// Half an event more keeps odds finite without an event (Haldane 1956, Anscombe 1956).
fn shares(counts: &[Counts; 2]) -> Option<Values> {
    let log_odds = |counts: &Counts| -> Vec<f64> {
        let odds = |[of, all]: &[u64; 2]| (*of as f64 + 0.5) / ((all - of) as f64 + 0.5);
        counts.iter().map(|counts| odds(counts).ln()).collect()
    };
    let share = |counts: &Counts| {
        let sum = |place: usize| counts.iter().map(|counts| counts[place]).sum::<u64>();
        (sum(1) > 0).then(|| sum(0) as f64 / sum(1) as f64)
    };
    let [reference, other] = counts;
    let values = [share(reference)?, share(other)?];
    let mut values = Values::of(values, log_odds(reference), log_odds(other));
    values.runs.least_variance = counting_variance(counts);
    Some(values)
}

/// Returns the variance of a run's log odds if its events are independent. Events in
/// clusters vary more. Each side has the weight that it has in the error of the ratio.
fn counting_variance(counts: &[Counts; 2]) -> f64 {
    let of_run = |[of, all]: &[u64; 2]| 1.0 / (*of as f64 + 0.5) + 1.0 / ((all - of) as f64 + 0.5);
    let sides = counts.each_ref().map(|runs| {
        let runs_per_side = runs.len() as f64;
        [runs.iter().map(of_run).sum::<f64>() / runs_per_side.powi(2), 1.0 / runs_per_side]
    });
    let [[reference, one], [other, another]] = sides;
    (reference + other) / (one + another)
}

/// The smallest time that covers this share of both, in nanoseconds; `None` below 0.
fn common_quantile(both: [&Distribution; 2], share: f64) -> Option<f64> {
    let covers = |ns: i64| {
        let of = |distribution: &Distribution| {
            Some(distribution.count_at_or_below(ns as f64)? as f64 / distribution.count() as f64)
        };
        Some((of(both[0])? + of(both[1])?) / 2.0 >= share)
    };
    let mut low = 0;
    let mut high = both.iter().map(|times| times.max.value_ns).max()?;
    while low < high {
        let middle = low.midpoint(high);
        if covers(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (high >= 0).then_some(high as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::distribution;

    fn of(values: &[i64]) -> Distribution {
        distribution(values).unwrap()
    }

    #[test]
    fn a_common_threshold_weighs_both_sides_alike() {
        let many: Vec<i64> = (1..=1000).collect();
        let few: Vec<i64> = (501..=600).collect();
        let (many, few) = (of(&many), of(&few));
        let quantile = |share| common_quantile([&many, &few], share);
        // At 550 ns lie 550 of 1000 and 50 of 100.
        assert_eq!(quantile(0.525), Some(550.0));
        assert_eq!(quantile(1.0), Some(1000.0));
        let early = of(&[-9, -8, -7]);
        assert_eq!(common_quantile([&early, &early], 0.5), None);
    }

    #[test]
    fn what_lies_above_the_histogram_of_a_file_is_not_compared() {
        let row = |beyond: u64| {
            let bins = [(9_000, 2_000 - beyond)];
            Row::of("thread 0", Distribution::of_counts(&[bins[0], (277_000, beyond)], 18_000_000))
                .with(&fact::FILE_BINS, serde_json::json!(bins))
                .with(&fact::BEYOND_BINS, beyond)
        };
        let (inside, above) = (row(0), row(40));
        let spec = crate::fixture::wakeup(base::Policy::Fifo(80), None, 8e3, 6e4).header.spec;
        fn of<'s>(spec: &'s record::RunSpec, row: &'s Row) -> Series<'s> {
            let latency = row.latency.clone();
            Series { rows: vec![row; 4], latency, ..Series::bare(spec, "thread 0") }
        }
        let compared = |sides: [&Series; 2]| -> Vec<&str> {
            let known = FIGURES.iter().filter(|figure| (figure.of)(sides).is_some());
            known.map(|figure| figure.name).collect()
        };
        let (inside, above) = (of(&spec, &inside), of(&spec, &above));
        assert_eq!(compared([&inside, &inside]), ["average", "median", "late", "p99"]);
        assert_eq!(compared([&inside, &above]), ["average", "median", "late"]);
    }

    #[test]
    fn shares_without_an_event_have_odds() {
        let values = shares(&[vec![[0, 100], [1, 100]], vec![[50, 100]]]).unwrap();
        assert_eq!(values.values, [0.005, 0.5]);
        assert!((values.runs.reference[0] - (0.5_f64 / 100.5).ln()).abs() < 1e-12);
        assert_eq!(values.runs.other, [0.0]);
        let of_sides = (2.0 + 1.0 / 100.5 + 1.0 / 1.5 + 1.0 / 99.5) / 4.0 + 2.0 / 50.5;
        assert!((values.runs.least_variance * 1.5 - of_sides).abs() < 1e-12);
    }
}
