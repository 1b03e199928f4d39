//! What the samples of a row can claim: intervals of quantiles, the worst case beyond them, and how
//! much longer to measure to claim more.

mod words;

use record::Row;
use stats::{Fit, Once, Refusal, Tail, samples_for_upper_end};

use crate::survey::Series;
use crate::words::{time, time_in, unit};
pub use words::{ORDER_UNKNOWN, longer_in_words, once, out_of_reach, quantile, refusal};

/// Quantiles by their names in tables and in JSON.
pub const QUANTILES: [(&str, &str, f64); 5] = [
    ("Median", "p50_ns", 0.5),
    ("p90", "p90_ns", 0.9),
    ("p99", "p99_ns", 0.99),
    ("p99.9", "p999_ns", 0.999),
    ("p99.99", "p9999_ns", 0.9999),
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Worst<'a> {
    /// A fit; for several runs, the one with the highest levels.
    Fitted(&'a Fit),
    Refused(&'a Refusal),
    /// No estimate: the order of the samples is unknown, or an older version measured, whose
    /// estimates were too optimistic to keep.
    Unknown,
}

pub fn worst<'a>(rows: &[&'a Row]) -> Option<Worst<'a>> {
    let mut highest: Option<&Fit> = None;
    for latency in rows.iter().filter_map(|row| row.latency.as_ref()) {
        match &latency.tail {
            None => return Some(Worst::Unknown),
            Some(Tail::Refused(refusal)) => return Some(Worst::Refused(refusal)),
            Some(Tail::Fitted(fit)) => {
                let is_higher = highest.is_none_or(|known| last_level(fit) > last_level(known));
                highest = if is_higher { Some(fit) } else { highest };
            }
        }
    }
    highest.map(Worst::Fitted)
}

fn last_level(fit: &Fit) -> f64 {
    fit.levels.last().map_or(0.0, |level| level.upper_ns)
}

/// Formats a figure with its interval in one unit, `9.1 µs (8 to 10.2)`, or with a unit each if the
/// ends are too far apart. A question mark replaces an end that the samples do not determine.
pub fn with_interval(value: f64, lower: Option<f64>, upper: Option<f64>) -> String {
    const NEAR: std::ops::Range<f64> = 1e-2..1e3;
    let is_near = |length: f64| {
        let ends = [lower, upper].into_iter().flatten();
        ends.map(|end| end.abs() / length).all(|end| end == 0.0 || NEAR.contains(&end))
    };
    let unit = unit(value).filter(|length| is_near(*length));
    let in_unit = |ns: f64| match unit {
        Some(length) => time_in(ns, length),
        None => time(ns),
    };
    let [lower, upper] = [lower, upper].map(|end| end.map_or_else(|| "?".to_owned(), in_unit));
    format!("{} ({lower} to {upper})", time(value))
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wish {
    /// The upper end of a quantile's interval, by its name.
    Quantile(&'static str),
    Worst,
    /// The worst case, if the number of samples is only an estimate.
    AboutWorst,
    /// What is exceeded once per given time, which takes one run.
    Once(Once),
}

/// Returns what a series could claim with more samples, the number of samples and their time in
/// nanoseconds; empty if everything is claimed or more time would not help.
pub fn longer(series: &Series) -> Vec<(Wish, u64, f64)> {
    let measured = series.latency.as_ref().filter(|_| series.spec.imported.is_none());
    let Some(latency) = measured else { return Vec::new() };
    let samples = latency.count();
    let open = QUANTILES.iter().find(|(.., q)| samples < samples_for_upper_end(*q));
    let quantile = open.map(|(name, _, q)| (Wish::Quantile(name), samples_for_upper_end(*q)));
    let beyond = match worst(&series.rows) {
        Some(Worst::Refused(Refusal::TooFewSamples { needed, .. })) => Some((Wish::Worst, *needed)),
        Some(Worst::Refused(Refusal::TooFewPeaks { peaks, needed })) => {
            Some((Wish::AboutWorst, samples * needed / (*peaks).max(1)))
        }
        Some(Worst::Fitted(fit)) => {
            let nearest = fit.out_of_reach.iter().min_by_key(|level| level.needed);
            nearest.map(|level| (Wish::Once(level.once), level.needed))
        }
        _ => None,
    };
    let measured_ns = series.spec.asked.duration.0 as f64 * series.rows.len() as f64;
    let time_ns = |needed: u64| measured_ns * needed as f64 / samples as f64;
    let wishes = quantile.into_iter().chain(beyond);
    wishes.map(|(wish, needed)| (wish, needed, time_ns(needed))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_one_unit_or_each_end_its_own() {
        let words = |lower, upper| with_interval(9_100.0, Some(lower), upper);
        assert_eq!(words(8_000.0, Some(10_200.0)), "9.1 µs (8 to 10.2)");
        assert_eq!(words(800.0, Some(2e6)), "9.1 µs (800 ns to 2 ms)");
        assert_eq!(words(8_000.0, None), "9.1 µs (8 to ?)");
        let below = with_interval(-1_080.0, Some(-1_960.0), Some(-194.0));
        assert_eq!(below, "-1.08 µs (-1.96 to -0.194)");
    }

    #[test]
    fn one_refused_run_refuses_the_series() {
        use crate::fixture::latencies;
        let fitted = Fit {
            threshold_ns: 1,
            exceedances: 50,
            peaks: 50,
            extremal_index: 1.0,
            shape: 0.0,
            scale_ns: 1.0,
            anderson_darling: 0.2,
            anderson_darling_limit: 0.9,
            levels: vec![],
            out_of_reach: vec![],
        };
        let row = |tail: Option<Tail>| {
            let mut latency = latencies(100, 1e3, 50, 1e4).unwrap();
            latency.tail = tail;
            Row::of("row", Some(latency))
        };
        let fit = row(Some(Tail::Fitted(fitted.clone())));
        let refused = row(Some(Tail::Refused(Refusal::EndsAbruptly)));
        assert_eq!(worst(&[&fit, &fit]), Some(Worst::Fitted(&fitted)));
        let of_both = worst(&[&fit, &refused]);
        assert_eq!(of_both, Some(Worst::Refused(&Refusal::EndsAbruptly)));
        assert_eq!(worst(&[&fit, &row(None)]), Some(Worst::Unknown));
        assert_eq!(worst(&[]), None);
    }
}
