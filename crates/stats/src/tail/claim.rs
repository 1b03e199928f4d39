//! Which levels are told, and between which ends.

use super::above::Above;
use super::exceedances::Exceedances;
use super::{Level, Once, OutOfReach};
use crate::binomial::at_least;

/// A level is told where it is exceeded once in at most so many times as many samples as
/// were measured: as far the levels of every distribution that was tried held
/// (`docs/claims.md`), and farther out no data say how a tail goes on.
pub const REACH: f64 = 1000.0;
/// A level that more of the exceedances than 1 in so many lie above is a quantile, and its
/// error mostly that of the threshold.
const LEAST_BEYOND: f64 = 10.0;
/// The chance that a level lies below its interval. The upper end, which matters more, has the
/// larger part of the 5 %.
const BELOW: f64 = 0.01;
const HOUR_NS: f64 = 3.6e12;

/// What is exceeded once in an hour, in a day and in 10^9 samples, as far as it is beyond the
/// samples and within reach of them; and what is out of reach.
pub(super) fn levels(
    above: &[Above],
    peaks: &Exceedances,
    span_ns: u64,
) -> (Vec<Level>, Vec<OutOfReach>) {
    let measured = peaks.samples as f64;
    let an_hour = measured / span_ns as f64 * HOUR_NS;
    let times = [(Once::Hour, an_hour), (Once::Day, 24.0 * an_hour), (Once::BillionSamples, 1e9)];
    let known = times.into_iter().filter(|(_, in_samples)| in_samples.is_finite());
    let (within, beyond): (Vec<_>, Vec<_>) =
        known.partition(|(_, once_in)| *once_in <= REACH * measured);
    let levels =
        within.into_iter().filter_map(|(once, samples)| level(above, peaks, once, samples));
    let out_of_reach = beyond.into_iter().map(|(once, samples)| OutOfReach {
        once,
        samples,
        needed: (samples / REACH).ceil() as u64,
    });
    (levels.collect(), out_of_reach.collect())
}

/// The level that one in so many samples exceeds, most likely above the first threshold.
///
/// Below it lies the largest of the peaks that are too many to lie above it by chance,
/// whatever their distribution. Above it lies the highest that a generalised Pareto
/// distribution or an exponential one reaches above any of the thresholds: the choice of both
/// is in the interval.
fn level(above: &[Above], peaks: &Exceedances, once: Once, once_in: f64) -> Option<Level> {
    let first = above.first()?;
    if first.often(once_in) < LEAST_BEYOND {
        return None;
    }
    let lower = lower(peaks, once_in);
    let ends = above.iter().map(|above| above.highest(once_in));
    let upper = ends.collect::<Option<Vec<f64>>>()?;
    let upper = upper.into_iter().fold(lower, f64::max);
    Some(Level {
        once,
        samples: once_in,
        value_ns: first.level(once_in).clamp(lower, upper),
        lower_ns: lower,
        upper_ns: upper,
    })
}

/// The largest peak of those that lie, at 99 % confidence, below what one in `once_in`
/// samples exceeds: how many samples do is binomial, and peaks are no more.
fn lower(peaks: &Exceedances, once_in: f64) -> f64 {
    let samples = peaks.samples as u64;
    let mut values: Vec<i64> = peaks.all.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    let mut ranked = (1..).zip(values.into_iter().rev());
    let below = ranked.find(|(rank, _)| at_least(*rank, samples, 1.0 / once_in) <= BELOW);
    below.map_or(peaks.threshold, |(_, value)| value) as f64
}
