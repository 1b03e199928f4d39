//! Selects the levels to claim, and computes their intervals.

use super::above::Above;
use super::exceedances::{Exceedances, sorted};
use super::{Level, Once, OutOfReach};
use crate::binomial::at_least;

/// A level is claimed only if it is exceeded once in at most this many times the measured samples.
/// That far, the levels of every tested distribution held (`docs/claims.md`); farther out, no data
/// show how a tail continues.
pub const REACH: f64 = 1000.0;
/// If more than 1 in this many exceedances lie above a level, it is a quantile, and its error is
/// mostly that of the threshold.
const LEAST_BEYOND: f64 = 10.0;
/// The chance that a level is below its interval. The upper end, which matters more, has the larger
/// part of the 5 %.
const BELOW: f64 = 0.01;
const HOUR_NS: f64 = 3.6e12;

/// Returns the levels exceeded once per hour, per day and in 10^9 samples, if they are beyond the
/// samples and within reach of them; and the levels that are out of reach.
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

/// Returns the level that one in `once_in` samples exceeds, most likely, above the first threshold.
///
/// The lower end is the largest peak that, together with all larger ones, is too many to be above
/// the level by chance, whatever the distribution. The upper end is the highest level that a
/// generalised Pareto or an exponential distribution reaches above any of the thresholds: so the
/// interval includes the choice of both.
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

/// Returns the largest peak that, at 99 % confidence, is below what one in `once_in` samples
/// exceeds: the number of samples above that level is binomial, and the number of peaks is not
/// larger.
fn lower(peaks: &Exceedances, once_in: f64) -> f64 {
    let samples = peaks.samples as u64;
    let mut ranked = (1..).zip(sorted(&peaks.all).into_iter().rev());
    let below = ranked.find(|(rank, _)| at_least(*rank, samples, 1.0 / once_in) <= BELOW);
    below.map_or(peaks.threshold, |(_, value)| value) as f64
}
