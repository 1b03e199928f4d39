//! Confidence bounds of counted rates: exact, from the binomial distribution.

use crate::root::bisect;

/// The share of claims that hold.
pub const CONFIDENCE: f64 = 0.95;
/// The remaining probability on each side of an interval.
pub(crate) const EACH_SIDE: f64 = (1.0 - CONFIDENCE) / 2.0;

/// The miss rate that a number of misses in a number of periods implies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MissRate {
    /// Misses per period, 0 to 1, as counted.
    pub rate: f64,
    /// Lower bound of the rate at 95 % confidence; 0 if there was no miss.
    pub lower: f64,
    /// Upper bound of the rate at 95 % confidence.
    pub upper: f64,
}

impl MissRate {
    /// Computes the rate and its bounds. Without a miss the bound is one-sided: the largest rate at
    /// which no miss in all the periods has a chance of 5 % or more, 1 - 0.05^(1/N), about 3/N (the
    /// rule of three: Hanley, Lippman-Hand, JAMA 249, 1983). With misses the bounds are the ends of
    /// the exact two-sided interval (Clopper, Pearson, Biometrika 26, 1934). Returns `None` without
    /// a period.
    pub fn of(misses: u64, periods: u64) -> Option<Self> {
        Self::among(1, misses, periods)
    }

    /// Computes the same if `claims` claims, 1 or more, must hold together at 95 % confidence: each
    /// gets its part of the 5 % (Bonferroni).
    pub fn among(claims: usize, misses: u64, periods: u64) -> Option<Self> {
        let rate = (periods > 0).then(|| misses as f64 / periods as f64)?;
        let doubt = (1.0 - CONFIDENCE) / claims as f64;
        if misses == 0 {
            let upper = -(doubt.ln() / periods as f64).exp_m1();
            return Some(Self { rate, lower: 0.0, upper });
        }
        let each_side = doubt / 2.0;
        let lower = bisect(0.0..rate, |p| at_least(misses, periods, p) > each_side);
        let upper = || bisect(rate..1.0, |p| at_most(misses, periods, p) <= each_side);
        let upper = if misses >= periods { 1.0 } else { upper() };
        Some(Self { rate, lower, upper })
    }
}

/// Returns the number of periods without a miss that it takes to claim a miss rate below `rate`,
/// which is above 0 and below 1.
pub fn clean_periods(rate: f64) -> u64 {
    clean_periods_among(1, rate)
}

/// As [`clean_periods`], if `claims` claims, 1 or more, must hold together.
pub(crate) fn clean_periods_among(claims: usize, rate: f64) -> u64 {
    let doubt = (1.0 - CONFIDENCE) / claims as f64;
    (doubt.ln() / (-rate).ln_1p()).ceil() as u64
}

/// Returns the chance of at most `count` of `of` events that each have the chance `p`.
pub(crate) fn at_most(count: u64, of: u64, p: f64) -> f64 {
    if count >= of {
        return 1.0;
    }
    // The first of the terms below would be too small for a number.
    if count as f64 > of as f64 * p {
        return 1.0 - at_least(count + 1, of, p);
    }
    let odds = (1.0 - p) / p;
    let down = |k: u64| k as f64 / (of - k + 1) as f64 * odds;
    let mut terms = std::iter::successors(Some((count, chance(count, of, p))), |(k, term)| {
        Some((k.checked_sub(1)?, term * down(*k)))
    });
    sum(&mut terms)
}

/// Returns the chance of at least `count` such events.
pub(crate) fn at_least(count: u64, of: u64, p: f64) -> f64 {
    match count {
        0 => 1.0,
        // The difference from 1 is exact unless it is small.
        count if count as f64 <= of as f64 * p => 1.0 - at_most(count - 1, of, p),
        count => at_most(of - count, of, 1.0 - p),
    }
}

/// Adds terms, which decrease from some point on, until they no longer matter.
fn sum(terms: &mut dyn Iterator<Item = (u64, f64)>) -> f64 {
    let (mut sum, mut last) = (0.0, 0.0);
    for (_, term) in terms {
        sum += term;
        if term <= last && term <= sum * f64::EPSILON {
            break;
        }
        last = term;
    }
    sum.min(1.0)
}

/// Returns the chance of exactly `count` such events.
fn chance(count: u64, of: u64, p: f64) -> f64 {
    let factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    let ways = factorial(of) - factorial(count) - factorial(of - count);
    (ways + count as f64 * p.ln() + (of - count) as f64 * (-p).ln_1p()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-6 * other.abs()
    }

    /// Golden values of scipy 1.17: `beta.ppf(0.025, k, n - k + 1)` and `beta.ppf(0.975, k + 1, n -
    /// k)`; without a miss `beta.ppf(0.95, 1, n)`.
    #[test]
    fn bounds_are_those_of_scipy() {
        for (misses, periods, lower, upper) in [
            (0, 60_000, 0.0, 4.992_762_48e-5),
            (0, 3, 0.0, 0.631_596_850_1),
            (1, 10, 0.002_528_578_544_5, 0.445_016_117),
            (3, 60_000, 1.031_132_075e-5, 1.461_140_493e-4),
            (60, 1000, 0.046_095_035_4, 0.076_560_490_4),
            (999, 1000, 0.994_441_075_7, 0.999_974_682_5),
            (10, 10, 0.691_502_892_2, 1.0),
        ] {
            let found = MissRate::of(misses, periods).unwrap();
            assert!(near(found.upper, upper), "{misses}: {found:?}");
            assert!(near(found.lower, lower), "{misses}: {found:?}");
        }
        assert_eq!(MissRate::of(0, 0), None);
    }

    #[test]
    fn the_rule_of_three_is_near_and_turns_round() {
        let bound = MissRate::of(0, 100_000).unwrap().upper;
        assert!((bound * 1e5 / 3.0 - 1.0).abs() < 0.002);
        assert_eq!(clean_periods(bound), 100_000);
    }

    #[test]
    fn claims_that_share_their_confidence_are_weaker_each() {
        // Five claims at 99 % each: `beta.ppf(0.99, 1, 1000)`.
        let bound = MissRate::among(5, 0, 1000).unwrap().upper;
        assert!(near(bound, 1.0 - 0.01f64.powf(1e-3)), "{bound}");
        assert_eq!(clean_periods_among(5, bound), 1000);
        let [alone, shared] = [1, 5].map(|claims| MissRate::among(claims, 3, 1000).unwrap());
        assert!(shared.lower < alone.lower && alone.upper < shared.upper);
    }
}
