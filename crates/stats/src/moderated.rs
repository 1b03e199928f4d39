//! Spread between runs if there are few of them.

use crate::gamma::{digamma, trigamma};
use crate::location::{average, variance};
use crate::root::bisect;

/// A variance, and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The variance; above 0.
    pub variance: f64,
    /// Degrees of freedom of its estimate; above 0.
    pub freedom: f64,
}

/// What many tests together say about the variance of one of them. The variances are modelled as
/// drawn from one scaled inverse chi-squared distribution, whose parameters come from the variances
/// themselves (Smyth, Linear models and empirical Bayes methods for assessing differential
/// expression, Stat. Appl. Genet. Mol. Biol. 3, 2004). The more the tests differ in their
/// variances, the less one says about another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// The typical variance.
    variance: f64,
    /// Its weight in degrees of freedom; infinite if all tests have the same spread.
    freedom: f64,
    /// Degrees of freedom of all tests together.
    most: f64,
}

/// Fewer tests than this say nothing about others.
const LEAST_TESTS: usize = 3;
/// The largest freedom of a prior that is distinguished from infinity.
const MOST_FREEDOM: f64 = 1e4;

impl Prior {
    /// Estimates the prior from tests with several runs; `None` for fewer than three tests.
    pub fn of(spreads: &[Spread]) -> Option<Self> {
        if spreads.len() < LEAST_TESTS {
            return None;
        }
        let count = spreads.len() as f64;
        let levels: Vec<f64> = spreads.iter().map(|spread| spread.level().0).collect();
        let chance = spreads.iter().map(|spread| spread.level().1);
        let own = variance(&levels) - chance.sum::<f64>() / count;
        let half = half_freedom(own);
        let shift = half.map_or(0.0, |half| digamma(half) - half.ln());
        Some(Self {
            variance: (average(&levels) + shift).exp(),
            freedom: half.map_or(f64::INFINITY, |half| 2.0 * half),
            most: spreads.iter().map(|spread| spread.freedom).sum(),
        })
    }

    /// Returns the variance of one test from its own runs, if it has several, and this prior.
    pub fn moderate(&self, own: Option<Spread>) -> Spread {
        let (of_own, freedom) = own.map_or((0.0, 0.0), |own| (own.variance, own.freedom));
        let sum = self.freedom * self.variance + freedom * of_own;
        let is_finite = self.freedom.is_finite();
        let variance = if is_finite { sum / (self.freedom + freedom) } else { self.variance };
        Spread { variance, freedom: (self.freedom + freedom).min(self.most) }
    }
}

impl Spread {
    /// Returns the logarithm of the variance, corrected for the bias of its estimate, and the
    /// variance of that logarithm's random error.
    fn level(&self) -> (f64, f64) {
        let half = self.freedom / 2.0;
        (self.variance.ln() - digamma(half) + half.ln(), trigamma(half))
    }

    /// Returns one variance that all of these estimate, from the mean of their logarithms: a
    /// variance that is far larger than the others has no more weight than they do. Returns `None`
    /// if `all` is empty.
    pub fn common(all: &[Self]) -> Option<Self> {
        let weighed = |spread: &Self| {
            let (level, chance) = spread.level();
            (level / chance, 1.0 / chance)
        };
        let (sum, weights) = all
            .iter()
            .map(weighed)
            .reduce(|(sum, weights), (level, weight)| (sum + level, weights + weight))?;
        let half = half_freedom(1.0 / weights)?;
        Some(Self {
            variance: (sum / weights + digamma(half) - half.ln()).exp(),
            freedom: 2.0 * half,
        })
    }
}

/// Returns half the degrees of freedom at which logarithms of variances have this variance by
/// chance; `None` if they vary no more than by chance.
fn half_freedom(variance_of_levels: f64) -> Option<f64> {
    let half = bisect(0.0..MOST_FREEDOM, |half| half > 0.0 && trigamma(half) <= variance_of_levels);
    (variance_of_levels > trigamma(MOST_FREEDOM)).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread((variance, freedom): (f64, f64)) -> Spread {
        Spread { variance, freedom }
    }
    /// Golden values of numpy 2.4 and scipy 1.17: the same formulas with `digamma`, `polygamma` and
    /// `brentq`.
    #[test]
    fn tests_that_spread_unlike_say_little_of_each_other() {
        let spreads =
            [(0.01, 4.0), (0.04, 4.0), (0.0025, 4.0), (0.9, 4.0), (0.0001, 4.0), (0.02, 2.0)];
        let prior = Prior::of(&spreads.map(spread)).unwrap();
        assert!((prior.variance / 0.002_490_498_757_765_066 - 1.0).abs() < 1e-9);
        assert!((prior.freedom / 0.737_000_633_640_031_7 - 1.0).abs() < 1e-9);
        let moderated = prior.moderate(Some(spread((0.04, 4.0))));
        assert!((moderated.variance / 0.034_164_128_671_056_16 - 1.0).abs() < 1e-9);
        assert!((moderated.freedom / 4.737_000_633_640_031 - 1.0).abs() < 1e-9);
        assert_eq!(prior.moderate(None).variance, prior.variance);
    }

    /// Golden values of numpy and scipy: the same formulas with `brentq`.
    #[test]
    fn a_common_variance_lies_between_two_that_are_far_apart() {
        let common = Spread::common(&[(0.0049, 2.0), (0.92, 2.0)].map(spread)).unwrap();
        assert!((common.variance / 0.08580436525808012 - 1.0).abs() < 1e-9);
        assert!((common.freedom / 3.3065391859026643 - 1.0).abs() < 1e-9);
        let alone = Spread::common(&[spread((0.3, 5.0))]).unwrap();
        assert!((alone.variance / 0.3 - 1.0).abs() < 1e-9 && (alone.freedom - 5.0).abs() < 1e-9);
        assert_eq!(Spread::common(&[]), None);
    }

    #[test]
    fn tests_that_spread_alike_are_pooled() {
        let spreads = [0.01, 0.012, 0.009, 0.011].map(|variance| spread((variance, 4.0)));
        let prior = Prior::of(&spreads).unwrap();
        let moderated = prior.moderate(Some(spread((0.5, 4.0))));
        assert!((moderated.variance / 0.013_681_105_819_560_389 - 1.0).abs() < 1e-9);
        assert_eq!(moderated.freedom, 16.0);
        assert_eq!(Prior::of(&spreads[..2]), None);
    }
}
