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
    /// binomial (David, Nagaraja, Order statistics, 2003, 7.1). Samples are treated as independent.
    pub fn quantile_claim(&self, q: f64) -> QuantileClaim {
        let count = self.count();
        let (lower, upper) = ranks(count, q);
        let at = |rank: u64| self.ranked_ns(rank);
        QuantileClaim {
            value_ns: self.quantile_ns(q),
            lower_ns: (lower >= 1).then(|| at(lower)),
            upper_ns: (upper <= count).then(|| at(upper)),
        }
    }
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

    /// The ends are the samples of exactly those ranks; a rank computed from a rounded share would
    /// sometimes be the next one.
    #[test]
    fn ends_are_the_samples_of_their_ranks() {
        for count in [101, 103, 500, 999, 1500] {
            let all = of(&(1..=count).collect::<Vec<_>>());
            for q in [0.5, 0.75, 0.9] {
                let (lower, upper) = ranks(count as u64, q);
                let claim = all.quantile_claim(q);
                let ends = (Some(lower as i64), Some(upper as i64));
                assert_eq!((claim.lower_ns, claim.upper_ns), ends, "{count}, {q}");
            }
        }
    }

    #[test]
    fn an_end_beyond_all_samples_is_none() {
        let few = of(&(1..=368).collect::<Vec<_>>());
        assert_eq!(samples_for_upper_end(0.99), 368);
        let claim = few.quantile_claim(0.99);
        assert_eq!((claim.value_ns, claim.upper_ns), (365, Some(368)));
        assert_eq!(few.quantile_claim(0.999).upper_ns, None);
        assert_eq!(of(&[5]).quantile_claim(0.5).lower_ns, None);
    }
}
