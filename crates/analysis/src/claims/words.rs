//! The English text about what samples support: quantiles, return periods and refusals.

use super::{Wish, longer, with_interval};
use crate::phrases::{joined, maybe};
use crate::survey::Series;
use crate::words::{counted, grouped, quantity, time};
use stats::{Once, OutOfReach, QuantileClaim, Refusal};

pub fn once(once: Once) -> &'static str {
    match once {
        Once::Hour => "once per hour",
        Once::Day => "once per day",
        Once::BillionSamples => "once in 10⁹ samples",
    }
}

pub fn quantile(claim: QuantileClaim) -> String {
    let [lower, upper] = [claim.lower_ns, claim.upper_ns].map(|end| end.map(|ns| ns as f64));
    with_interval(claim.value_ns as f64, lower, upper)
}

/// Why there is no worst case beyond the samples if their order is unknown.
pub const ORDER_UNKNOWN: &str =
    "samples of several threads together (see each), or of an older version";

pub fn out_of_reach(level: &OutOfReach) -> String {
    format!("out of reach: takes {} samples in one run", grouped(level.needed))
}

pub fn refusal(refusal: &Refusal) -> String {
    let beyond = |statistic: &str, value: &f64, limit: &f64| {
        format!("({statistic} {}, limit {})", quantity(*value), quantity(*limit))
    };
    let ks = |value, limit| beyond("Kolmogorov-Smirnov", value, limit);
    match refusal {
        Refusal::TooFewSamples { samples, needed } => {
            let samples = counted(*samples as usize, "sample");
            format!("too few: {samples}, {} needed", grouped(*needed))
        }
        Refusal::TooFewPeaks { peaks, needed } => {
            format!("too few: {peaks} clusters of large times, {needed} needed")
        }
        Refusal::RateChanges { statistic, limit } => {
            format!("not steady: the rate of large times changes {}", ks(statistic, limit))
        }
        Refusal::SizesChange { statistic, limit } => format!(
            "not steady: large times of the first half differ from those of the second {}",
            ks(statistic, limit)
        ),
        Refusal::Clustered { extremal_index, limit } => format!(
            "too dependent: large times come {} at a time (limit {})",
            quantity(1.0 / extremal_index.max(1e-3)),
            quantity(1.0 / limit)
        ),
        Refusal::Correlated { correlation, limit } => {
            let beyond = beyond("rank correlation", correlation, limit);
            format!("too dependent: each large time predicts the next {beyond}")
        }
        Refusal::Coarse { most_equal, exceedances } => {
            let [equal, all] = [*most_equal, *exceedances].map(grouped);
            format!("too coarse: {equal} of the {all} largest times are equal")
        }
        Refusal::DoesNotFit { statistic, limit } => {
            let beyond = beyond("Anderson-Darling", statistic, limit);
            format!("does not fit a generalised Pareto distribution {beyond}")
        }
        Refusal::Apart { count, .. } => {
            let largest = if *count == 1 { "time is" } else { "times are" };
            let largest =
                maybe((*count > 1).then_some(*count), |count| format!("{count} ")) + largest;
            format!("does not fit: the largest {largest} of another, rarer cause than all others")
        }
        Refusal::EndsAbruptly => {
            "does not fit: the largest times end at one value (shape below -1/2)".to_owned()
        }
        Refusal::NoMean { shape, limit } => {
            let beyond = beyond("shape", shape, limit);
            format!("too heavy-tailed: the mean of large times is not finite {beyond}")
        }
    }
}

/// Says what the series could claim if it ran longer.
pub fn longer_in_words(series: &Series) -> String {
    let wish = |(wish, needed, time_ns): (Wish, u64, f64)| {
        let (claim, about, how) = match wish {
            Wish::Quantile(name) => (name, "", "all"),
            Wish::Worst => ("worst", "", "all"),
            Wish::AboutWorst => ("worst", "about ", "all"),
            Wish::Once(level) => (once(level), "", "one run"),
        };
        format!("{claim}: {about}{} samples ({} in {how})", grouped(needed), time(time_ns))
    };
    joined(longer(series).into_iter().map(wish), "; ")
}
