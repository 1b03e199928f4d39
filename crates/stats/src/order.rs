//! Quantiles with intervals that assume no distribution.

use std::ops::Range;

use crate::Distribution;
use crate::binomial::{EACH_SIDE, at_least, at_most};

/// A quantile with its 95 % interval, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuantileClaim {
    /// The quantile itself.
    pub value_ns: i64,
    /// Lower end of the interval; `None` if there are too few samples below it.
    pub lower_ns: Option<i64>,
    /// Upper end of the interval; `None` if there are too few samples above it.
    pub upper_ns: Option<i64>,
}

impl Distribution {
    /// Returns the quantile at the share `q`, above 0 and below 1, with a 95 % interval whose ends
    /// are two of the ordered samples. It follows from the number of samples below a quantile being
    /// binomial (David, Nagaraja, Order statistics, 2003, 7.1), of as many independent samples as say
    /// as much. Samples of unknown order are treated as independent.
    pub fn quantile_claim(&self, q: f64) -> QuantileClaim {
        let count = self.count();
        let effect = self.dependence.map_or(1.0, |dependence| dependence.at(q));
        let (lower, upper) = ranks_of_dependent(count, q, effect);
        let at = |rank: u64| self.ranked_ns(rank);
        QuantileClaim {
            value_ns: self.quantile_ns(q),
            lower_ns: (lower >= 1).then(|| at(lower)),
            upper_ns: (upper <= count).then(|| at(upper)),
        }
    }
}

/// Returns the same ranks among samples that say as much as `effect` times fewer independent ones.
fn ranks_of_dependent(count: u64, q: f64, effect: f64) -> (u64, u64) {
    if effect <= 1.0 {
        return ranks(count, q);
    }
    let independent = ((count as f64 / effect) as u64).max(1);
    let (lower, upper) = ranks(independent, q);
    let scaled = |rank: u64| rank as f64 * count as f64 / independent as f64;
    let upper = if upper > independent { count + 1 } else { scaled(upper).ceil() as u64 };
    (scaled(lower.saturating_sub(1)).floor() as u64 + u64::from(lower > 0), upper.min(count + 1))
}

/// Returns the ranks, from 1, of the ends of a quantile's interval among `count` samples; 0 and
/// `count + 1` are beyond all of them.
fn ranks(count: u64, q: f64) -> (u64, u64) {
    // Six standard deviations on each side include both ends.
    let (mean, deviation) = (count as f64 * q, (count as f64 * q * (1.0 - q)).sqrt());
    let first = (mean - 6.0 * deviation - 6.0).max(0.0) as u64;
    let last = ((mean + 6.0 * deviation + 6.0) as u64).min(count + 1);
    let lower = first_where(first..last, |rank| at_most(rank, count, q) > EACH_SIDE);
    let upper = first_where(first..last, |rank| at_least(rank, count, q) <= EACH_SIDE);
    (lower, upper)
}

/// Returns the first number in the range for which the condition holds, by bisection; the end of
/// the range if it never holds.
fn first_where(range: Range<u64>, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns the fewest samples with which the quantile at the share `q`, above 0 and below 1, has an
/// upper end.
pub fn samples_for_upper_end(q: f64) -> u64 {
    (EACH_SIDE.ln() / q.ln()).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;

    /// Golden values of scipy 1.17: the largest rank r with `binom.cdf(r - 1, n, q)` and the
    /// smallest rank s with `binom.sf(s - 1, n, q)` at most 0.025.
    #[test]
    fn ranks_are_those_of_scipy() {
        for (count, q, lower, upper) in [
            (100, 0.5, 40, 61),
            (1000, 0.99, 983, 997),
            (10_000, 0.9999, 9_997, 10_001),
            (600_000, 0.5, 299_241, 300_760),
            (600_000, 0.999, 599_352, 599_449),
        ] {
            assert_eq!(ranks(count, q), (lower, upper), "{count}, {q}");
        }
    }

    /// A distribution of 1 to `count` whose samples came in an unknown order.
    fn up_to(count: i64) -> Distribution {
        let mut all = of(&(1..=count).collect::<Vec<_>>());
        all.dependence = None;
        all
    }

    /// The ends are the samples of exactly those ranks; a rank computed from a rounded share would
    /// sometimes be the next one.
    #[test]
    fn ends_are_the_samples_of_their_ranks() {
        for count in [101, 103, 500, 999, 1500] {
            let all = up_to(count);
            for q in [0.5, 0.75, 0.9] {
                let (lower, upper) = ranks(count as u64, q);
                let claim = all.quantile_claim(q);
                let ends = (Some(lower as i64), Some(upper as i64));
                assert_eq!((claim.lower_ns, claim.upper_ns), ends, "{count}, {q}");
            }
        }
    }

    #[test]
    fn dependent_samples_have_the_ranks_of_fewer_independent_ones() {
        for (count, q) in [(1000, 0.5), (10_000, 0.99), (10_000, 0.9999)] {
            assert_eq!(ranks_of_dependent(count, q, 1.0), ranks(count, q));
        }
        // 40 and 61 of 100, each as many times ten.
        assert_eq!(ranks_of_dependent(1000, 0.5, 10.0), (391, 610));
        // Too few of 100 for an upper end of p99.
        assert_eq!(ranks_of_dependent(1000, 0.99, 10.0).1, 1001);
        // Samples in order say nothing of each other's order.
        let sorted = of(&(1..=1000).collect::<Vec<_>>()).quantile_claim(0.5);
        assert!(sorted.lower_ns.is_none_or(|lower| lower < 300), "{sorted:?}");
    }

    #[test]
    fn an_end_beyond_all_samples_is_none() {
        let few = up_to(368);
        assert_eq!(samples_for_upper_end(0.99), 368);
        let claim = few.quantile_claim(0.99);
        assert_eq!((claim.value_ns, claim.upper_ns), (365, Some(368)));
        assert_eq!(few.quantile_claim(0.999).upper_ns, None);
        assert_eq!(of(&[5]).quantile_claim(0.5).lower_ns, None);
    }
}
