//! Checks whether exceedances may be fitted at all; each check refuses with its reason.

use super::Refusal;
use super::above::Above;
use super::exceedances::{Exceedances, Placed, sorted};

/// Distances of Kolmogorov and Smirnov, times the root of the number of samples, exceed this with a
/// chance of 1 %.
const KOLMOGOROV: f64 = 1.628;
/// The 99.5 % quantile of the normal distribution: values beyond it on either side have a chance of
/// 1 %.
const NORMAL: f64 = 2.576;
/// If more than ten exceedances come together on average, the figures depend on how clusters are
/// separated.
const LOWEST_EXTREMAL_INDEX: f64 = 0.1;

/// The most samples that may be of another, rarer cause without being part of the fit.
const MOST_APART: usize = 5;
/// The smallest chance of such samples. It is far below that of other checks, because the distribution
/// of all others is fitted to samples that lack their largest.
const CHANCE_APART: f64 = 1e-6;

/// Checks that the rate of exceedances is constant and that the sizes in both halves are alike.
pub(super) fn stationary(all: &Exceedances, peaks: &Exceedances) -> Result<(), Refusal> {
    let effective = all.len() as f64 * all.extremal_index_of_a_half();
    let times = from_even(all) * stephens(effective);
    if times > KOLMOGOROV {
        return Err(Refusal::RateChanges { statistic: times, limit: KOLMOGOROV });
    }
    let (first, second) = peaks.halves();
    if first.is_empty() || second.is_empty() {
        // Nothing to compare: all came as one cluster, which another check refuses.
        return Ok(());
    }
    let pairs = (first.len() * second.len()) as f64 / peaks.len() as f64;
    let sizes = apart(first, second) * stephens(pairs);
    if sizes > KOLMOGOROV {
        return Err(Refusal::SizesChange { statistic: sizes, limit: KOLMOGOROV });
    }
    Ok(())
}

/// Checks that few exceedances come at a time and that successive peaks are not correlated.
pub(super) fn independent(all: &Exceedances, peaks: &Exceedances) -> Result<(), Refusal> {
    let extremal_index = all.extremal_index();
    if extremal_index < LOWEST_EXTREMAL_INDEX {
        return Err(Refusal::Clustered { extremal_index, limit: LOWEST_EXTREMAL_INDEX });
    }
    let correlation = rank_correlation(peaks);
    let limit = NORMAL / (peaks.len() as f64).sqrt();
    if correlation.abs() > limit {
        return Err(Refusal::Correlated { correlation, limit });
    }
    Ok(())
}

/// Checks that values are fine enough for a continuous distribution: no single value has more
/// weight than the random error of the distribution of this many, 1 over the root of their number.
pub(super) fn fine(peaks: &Exceedances) -> Result<(), Refusal> {
    let most_equal = peaks.most_equal();
    if most_equal * most_equal > peaks.len() {
        return Err(Refusal::Coarse {
            most_equal: most_equal as u64,
            exceedances: peaks.len() as u64,
        });
    }
    Ok(())
}

/// Checks that the few largest samples could be of the distribution of all others. A cause so rare
/// that few of hundreds are its own changes the distance of a fit hardly, but bends its shape.
pub(super) fn of_one_kind(all: &Exceedances, extremal_index: f64) -> Result<(), Refusal> {
    let independent = all.len() as f64 * extremal_index;
    let apart = (1..=MOST_APART).find_map(|count| {
        let (smallest, others) = all.without_largest(count)?;
        let chance = Above::of(&others, extremal_index)?.chance_of(count, smallest, independent);
        (chance < CHANCE_APART).then_some((count as u64, chance))
    });
    match apart {
        Some((count, chance)) => Err(Refusal::Apart { count, chance, limit: CHANCE_APART }),
        None => Ok(()),
    }
}

/// Returns the factor for a distance of Kolmogorov and Smirnov with which its limits also hold for
/// few samples: Stephens, EDF statistics for goodness of fit, J. Am. Stat. Assoc. 69, 1974. It is 0
/// for no samples.
fn stephens(samples: f64) -> f64 {
    if samples == 0.0 {
        return 0.0;
    }
    let root = samples.sqrt();
    root + 0.12 + 0.11 / root
}

/// Returns the largest distance between the times of exceedances and an even spread.
fn from_even(all: &Exceedances) -> f64 {
    let count = all.len() as f64;
    let distance = |(index, (place, _)): (usize, &Placed)| {
        let even = (*place as f64 + 0.5) / all.samples as f64;
        let (before, after) = (index as f64 / count, (index + 1) as f64 / count);
        (even - before).abs().max((after - even).abs())
    };
    all.all.iter().enumerate().map(distance).fold(0.0, f64::max)
}

/// Returns the largest distance between the distributions of two sets of sizes.
fn apart(one: &[Placed], other: &[Placed]) -> f64 {
    let (one, other) = (sorted(one), sorted(other));
    let share = |of: &[i64], value: i64| {
        of.partition_point(|known| *known <= value) as f64 / of.len().max(1) as f64
    };
    let values = one.iter().chain(&other);
    values.map(|value| (share(&one, *value) - share(&other, *value)).abs()).fold(0.0, f64::max)
}

/// Returns the correlation of each peak's rank with that of the next one; equal peaks share their
/// rank.
fn rank_correlation(peaks: &Exceedances) -> f64 {
    let sorted = sorted(&peaks.all);
    let middle = peaks.len() as f64 / 2.0;
    let rank = |(_, value): &Placed| {
        let below = sorted.partition_point(|known| known < value);
        let not_above = sorted.partition_point(|known| known <= value);
        f64::midpoint(below as f64, not_above as f64) - middle
    };
    let ranks: Vec<f64> = peaks.all.iter().map(rank).collect();
    let squares: f64 = ranks.iter().map(|rank| rank * rank).sum();
    let products: f64 = ranks.windows(2).map(|pair| pair[0] * pair[1]).sum();
    match squares {
        0.0 => 0.0,
        squares => products / squares,
    }
}
