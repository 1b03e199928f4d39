//! What the samples of a row can claim: intervals of quantiles, the worst case beyond
//! them, and how much longer it takes to claim more.

use plan::Row;
use stats::{
    Distribution, Fit, Once, OutOfReach, QuantileClaim, Refusal, Tail, samples_for_upper_end,
};

use crate::survey::Series;
use crate::words;

/// Quantiles by their names in tables and in JSON.
pub const QUANTILES: [(&str, &str, f64); 5] = [
    ("Median", "p50_ns", 0.5),
    ("p90", "p90_ns", 0.9),
    ("p99", "p99_ns", 0.99),
    ("p99.9", "p999_ns", 0.999),
    ("p99.99", "p9999_ns", 0.9999),
];

/// In what something is exceeded once, in words.
pub fn how_often(once: Once) -> &'static str {
    match once {
        Once::Hour => "once an hour",
        Once::Day => "once a day",
        Once::BillionSamples => "once in 10⁹ samples",
    }
}

/// The worst case beyond the samples of one run or several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Worst<'a> {
    /// A fit; of several runs the one whose levels are highest.
    Fitted(&'a Fit),
    /// A run was refused.
    Refused(&'a Refusal),
    /// It was not asked: the samples' order is not known, or an older version measured, whose
    /// claims were too bold to be kept.
    Unknown,
}

/// What is known of the worst case beyond the samples of these rows.
pub fn worst<'a>(rows: &[&'a Row]) -> Option<Worst<'a>> {
    let timed: Vec<&Distribution> = rows.iter().filter_map(|row| row.latency.as_ref()).collect();
    let mut highest: Option<&Fit> = None;
    for latency in &timed {
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

/// A figure with its interval in one unit, `9.1 µs (8 to 10.2)`, or where the ends are too far for
/// it in one each; a question mark stands for an end that the samples do not set.
pub fn with_interval(value: f64, lower: Option<f64>, upper: Option<f64>) -> String {
    const NEAR: std::ops::Range<f64> = 1e-2..1e3;
    let is_near = |length: f64| {
        let ends = [lower, upper].into_iter().flatten();
        ends.map(|end| end.abs() / length).all(|end| end == 0.0 || NEAR.contains(&end))
    };
    let unit = words::unit(value).filter(|length| is_near(*length));
    let told = |ns: f64| match unit {
        Some(length) => words::time_in(ns, length),
        None => words::time(ns),
    };
    let [lower, upper] = [lower, upper].map(|end| end.map_or_else(|| "?".to_owned(), told));
    format!("{} ({lower} to {upper})", words::time(value))
}

/// A quantile with its interval.
pub fn quantile(claim: QuantileClaim) -> String {
    let [lower, upper] = [claim.lower_ns, claim.upper_ns].map(|end| end.map(|ns| ns as f64));
    with_interval(claim.value_ns as f64, lower, upper)
}

/// Why there is no worst case beyond the samples, where the order of these is not known.
pub const UNKNOWN: &str =
    "samples of several threads together: see each; or measured by an older version";

/// What it takes to tell a level.
pub fn out_of_reach(level: &OutOfReach) -> String {
    let needed = words::grouped(level.needed);
    format!("out of reach: takes {needed} samples in one run")
}

/// Why there is no worst case beyond the samples.
pub fn reason(refusal: &Refusal) -> String {
    let number = words::quantity;
    match refusal {
        Refusal::TooFewSamples { samples, needed } => format!(
            "too few: {} samples, and a tail needs {}",
            words::grouped(*samples),
            words::grouped(*needed)
        ),
        Refusal::TooFewPeaks { peaks, needed } => format!(
            "too few: the largest times come in {peaks} clusters, and a tail needs {needed}"
        ),
        Refusal::RateChanges { statistic, limit } => format!(
            "not steady: large times are more frequent at one time than at another \
             (Kolmogorov-Smirnov {}, limit {})",
            number(*statistic),
            number(*limit)
        ),
        Refusal::SizesChange { statistic, limit } => format!(
            "not steady: large times of the first half are not like those of the second \
             (Kolmogorov-Smirnov {}, limit {})",
            number(*statistic),
            number(*limit)
        ),
        Refusal::Clustered { extremal_index, limit } => format!(
            "too dependent: large times come {} at a time (limit {})",
            number(1.0 / extremal_index.max(1e-3)),
            number(1.0 / limit)
        ),
        Refusal::Correlated { correlation, limit } => format!(
            "too dependent: each large time tells of the next (rank correlation {}, limit {})",
            number(*correlation),
            number(*limit)
        ),
        Refusal::Coarse { most_equal, exceedances } => format!(
            "too coarse: {} of the {} largest times are equal",
            words::grouped(*most_equal),
            words::grouped(*exceedances)
        ),
        Refusal::DoesNotFit { statistic, limit } => format!(
            "does not fit a generalised Pareto distribution (Anderson-Darling {}, limit {})",
            number(*statistic),
            number(*limit)
        ),
        Refusal::EndsAbruptly => {
            "does not fit: the largest times end at one value (shape below -1/2)".to_owned()
        }
        Refusal::NoMean { shape, limit } => format!(
            "too heavy: large times differ so much that not even their mean is finite (shape {}, \
             limit {})",
            number(*shape),
            number(*limit)
        ),
    }
}

/// How much longer a series must run to claim more; `None` where all is claimed or more
/// time would not help.
pub fn longer(series: &Series) -> Option<String> {
    let latency = series.latency.as_ref()?;
    let samples = latency.count();
    let measured: f64 = series.spec.asked.duration.0 as f64 * series.rows.len() as f64;
    let take = |needed: u64, how: &str| {
        let time = words::time(measured * needed as f64 / samples as f64);
        format!("{} samples ({time} in {how})", words::grouped(needed))
    };
    let in_all = |needed| take(needed, "all");
    let mut wishes = Vec::new();
    let open = QUANTILES.iter().find(|(.., q)| samples < samples_for_upper_end(*q));
    if let Some((name, _, q)) = open {
        wishes.push(format!("{name}: {}", in_all(samples_for_upper_end(*q))));
    }
    match worst(&series.rows) {
        Some(Worst::Refused(Refusal::TooFewSamples { needed, .. })) => {
            wishes.push(format!("worst: {}", in_all(*needed)));
        }
        Some(Worst::Refused(Refusal::TooFewPeaks { peaks, needed })) => {
            let needed = samples * needed / (*peaks).max(1);
            wishes.push(format!("worst: about {}", in_all(needed)));
        }
        Some(Worst::Fitted(fit)) => {
            let nearest = fit.out_of_reach.iter().min_by_key(|level| level.needed);
            wishes.extend(nearest.map(|level| {
                let once = how_often(level.once);
                format!("{once}: {}", take(level.needed, "one run"))
            }));
        }
        _ => {}
    }
    (!wishes.is_empty()).then(|| wishes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_one_unit_or_each_end_its_own() {
        let told = |lower, upper| with_interval(9_100.0, Some(lower), upper);
        assert_eq!(told(8_000.0, Some(10_200.0)), "9.1 µs (8 to 10.2)");
        assert_eq!(told(800.0, Some(2e6)), "9.1 µs (800 ns to 2 ms)");
        assert_eq!(told(8_000.0, None), "9.1 µs (8 to ?)");
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
