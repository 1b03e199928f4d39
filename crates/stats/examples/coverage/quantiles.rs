//! How often intervals of quantiles contain the true one, if each sample depends on the one before.

use stats::{Distribution, Sample};

use crate::random::Random;

/// Quantiles that are claimed.
pub const SHARES: [f64; 3] = [0.5, 0.99, 0.999];

/// The share of the one before that each sample keeps.
pub const KEPT: [f64; 3] = [0.0, 0.5, 0.9];

#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// Runs whose interval has both ends.
    pub claimed: u64,
    pub held: u64,
}

/// Returns the tally of each of [`SHARES`] over a number of runs of lognormal samples.
pub fn tally(kept: f64, samples: usize, runs: u64) -> [Tally; SHARES.len()] {
    let mut random = Random::new(samples as u64 + (100.0 * kept) as u64);
    let mut tallies = [Tally::default(); SHARES.len()];
    for _ in 0..runs {
        let latency = run(&mut random, kept, samples);
        for (share, tally) in SHARES.into_iter().zip(&mut tallies) {
            let claim = latency.quantile_claim(share);
            if let (Some(lower), Some(upper)) = (claim.lower_ns, claim.upper_ns) {
                tally.claimed += 1;
                tally.held += u64::from((lower..=upper).contains(&truth(share)));
            }
        }
    }
    tallies
}

fn run(random: &mut Random, kept: f64, samples: usize) -> Distribution {
    let mut state = random.normal();
    let fresh = (1.0 - kept * kept).sqrt();
    let mut value = |index: usize| {
        state = kept * state + fresh * random.normal();
        let index = index as u64;
        Sample { value_ns: lognormal(state), index, at_ns: index * 1_000_000 }
    };
    Distribution::of((0..samples).map(&mut value)).expect("there are samples")
}

fn lognormal(normal: f64) -> i64 {
    (1e5 * (0.5 * normal).exp()) as i64
}

fn truth(share: f64) -> i64 {
    let normal = match share {
        0.5 => 0.0,
        0.99 => 2.326_347_874,
        _ => 3.090_232_306,
    };
    lognormal(normal)
}
