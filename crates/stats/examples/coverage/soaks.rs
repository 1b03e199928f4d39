//! How often a soak's interval of its miss rate contains the true one, if misses come in bursts.

use stats::{InOrder, Tries};

use crate::random::Random;

/// A machine that misses 1 in 1000 periods in the long run.
pub struct Soaked {
    pub name: &'static str,
    /// Periods that are missed at a time.
    pub burst: u64,
    /// Intervals that are alike: one stretch in four of them has all misses. 0: all are alike.
    pub stretch: u64,
}

pub const ALL: &[Soaked] = &[
    Soaked { name: "single misses", burst: 1, stretch: 0 },
    Soaked { name: "bursts of 2", burst: 2, stretch: 0 },
    Soaked { name: "bursts of 5", burst: 5, stretch: 0 },
    Soaked { name: "bursts of 20", burst: 20, stretch: 0 },
    Soaked { name: "bursts of 5, in one interval of four", burst: 5, stretch: 1 },
    Soaked { name: "bursts of 5, in one stretch of 3 intervals of four", burst: 5, stretch: 3 },
];

const TRUTH: f64 = 0.001;
const PERIODS: u64 = 5_000;

impl Soaked {
    /// Returns how many of a number of soaks of that many intervals claim the truth: with intervals
    /// and blocks of them as the unit, and as if misses were independent.
    pub fn held(&self, intervals: u64, soaks: u64) -> [u64; 2] {
        let mut random = Random::new(self.burst + self.stretch);
        let mut held = [0; 2];
        for _ in 0..soaks {
            let tries = self.soak(&mut random, intervals).together();
            let claims = [tries.rate(1), stats::MissRate::of(tries.missed, tries.due)];
            for (held, claim) in held.iter_mut().zip(claims) {
                *held +=
                    u64::from(claim.is_some_and(|rate| (rate.lower..rate.upper).contains(&TRUTH)));
            }
        }
        held
    }

    fn soak(&self, random: &mut Random, intervals: u64) -> InOrder {
        let mut chance = TRUTH / self.burst as f64;
        let mut interval = |number: u64| {
            if self.stretch > 0 && number.is_multiple_of(self.stretch) {
                let all = 4.0 * TRUTH / self.burst as f64;
                chance = if random.uniform() < 0.25 { all } else { 0.0 };
            }
            let bursts =
                (0..PERIODS / self.burst).filter(|_| random.uniform() < chance * self.burst as f64);
            Tries::one(PERIODS, self.burst * bursts.count() as u64)
        };
        (0..intervals).map(&mut interval).collect()
    }
}
