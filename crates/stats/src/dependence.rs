//! How much less dependent samples say about a quantile than as many independent ones.

use serde::{Deserialize, Serialize};

use crate::{InOrder, Sample, Tries};

/// The shares whose quantiles have a design effect.
pub const SHARES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 0.9999];
/// With fewer samples above a quantile, blocks do not show how these depend on each other.
const LEAST_ABOVE: f64 = 20.0;
/// The shortest blocks: a run has about this many of them.
const BLOCKS: usize = 128;

/// The design effect of the samples on each of [`SHARES`]: how many times more the number of samples
/// above the quantile varies between blocks of successive samples than by chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dependence([f64; SHARES.len()]);

impl Dependence {
    /// Returns the effects in samples, which must be in the order in which they came.
    pub(crate) fn of(samples: &[Sample]) -> Self {
        let mut sorted: Vec<i64> = samples.iter().map(|sample| sample.value_ns).collect();
        sorted.sort_unstable();
        let last = sorted.len() - 1;
        let quantile = |share: f64| sorted[((sorted.len() as f64 * share) as usize).min(last)];
        let block = samples.len().div_ceil(BLOCKS);
        let mut effect = 1.0;
        Self(SHARES.map(|share| {
            // Too few are taken to depend on each other as those above the share before do.
            if (samples.len() as f64) * (1.0 - share) < LEAST_ABOVE {
                return effect;
            }
            let limit = quantile(share);
            let above = |samples: &[Sample]| {
                let above = samples.iter().filter(|sample| sample.value_ns > limit).count();
                Tries::one(samples.len() as u64, above as u64)
            };
            effect =
                samples.chunks(block).map(above).collect::<InOrder>().together().design_effect();
            effect
        }))
    }

    /// Returns the larger effects of both.
    pub(crate) fn or(self, other: Self) -> Self {
        let mut all = self.0;
        all.iter_mut().zip(other.0).for_each(|(one, other)| *one = one.max(other));
        Self(all)
    }

    /// Returns the effect on the quantile at a share: that of the next smaller one of [`SHARES`],
    /// where samples depend more.
    pub fn at(self, share: f64) -> f64 {
        let known = SHARES.iter().zip(self.0).rev().find(|(known, _)| **known <= share);
        known.map_or(self.0[0], |(_, effect)| effect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(values: impl Iterator<Item = i64>) -> Vec<Sample> {
        let sample = |(index, value_ns): (u64, i64)| Sample { value_ns, index, at_ns: index };
        (0..).zip(values).map(sample).collect()
    }

    #[test]
    fn neighbours_alike_say_less_and_only_where_there_are_enough() {
        let mut random = crate::random::Random::new(7);
        let mut draw = || (random.uniform() * 1e6) as i64;
        let apart = Dependence::of(&samples((0..2560).map(|_| draw())));
        assert!(SHARES.iter().all(|share| apart.at(*share) < 2.5), "{apart:?}");
        let mut last = 0;
        let held = (0..2560).map(|index| {
            last = if index % 20 == 0 { draw() } else { last };
            last
        });
        let alike = Dependence::of(&samples(held));
        assert!(alike.at(0.5) > 10.0 && alike.at(0.6) == alike.at(0.5), "{alike:?}");
        // 2 samples above p99.9 show nothing; those above p99 do.
        assert_eq!((alike.at(0.999), alike.at(0.9999)), (alike.at(0.99), alike.at(0.99)));
        assert_eq!(apart.or(alike), alike.or(apart));
        assert_eq!(Dependence::of(&samples([5].into_iter())).at(0.5), 1.0);
    }
}
