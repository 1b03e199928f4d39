//! The order of runs that are to be compared.

use std::fmt;

use record::RunSpec;
use sha2::{Digest, Sha256};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    AsWritten,
    /// Drawn from this seed, anew in each round.
    Random(u32),
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsWritten => f.write_str("order as written"),
            Self::Random(seed) => write!(f, "random order with seed {seed}"),
        }
    }
}

impl Order {
    /// Returns the indices of all runs, in rounds that contain each run once, so that drift affects
    /// all runs alike (a randomised complete block design).
    pub(crate) fn places(self, runs: usize, rounds: usize) -> Vec<usize> {
        let mut all = vec![Vec::from_iter(0..runs); rounds];
        if let Self::Random(seed) = self {
            let mut random = SplitMix(seed.into());
            all.iter_mut().for_each(|round| random.shuffle(round));
        }
        all.concat()
    }
}

/// Returns runs in rounds, each in its own random order, which is the same on every machine.
pub(crate) fn in_rounds(runs: &[RunSpec], rounds: usize) -> Vec<RunSpec> {
    let order = Order::Random(mark(runs.iter().map(RunSpec::title)));
    order.places(runs.len(), rounds).into_iter().map(|place| runs[place].clone()).collect()
}

/// Returns runs in rounds as [`in_rounds`], each in so many rounds as it is given with: those in few
/// rounds are spread over all, so that their middle is that of the others.
pub(crate) fn in_turns(runs: &[(RunSpec, usize)]) -> Vec<RunSpec> {
    let order = Order::Random(mark(runs.iter().map(|(spec, _)| spec.title())));
    let rounds = runs.iter().map(|(_, own)| *own).max().unwrap_or(0);
    let before = |round: usize, own: usize| (2 * round * own + rounds) / (2 * rounds);
    let places = order.places(runs.len(), rounds).into_iter().enumerate();
    let turns = places.filter(|(at, place)| {
        let (round, own) = (at / runs.len(), runs[*place].1);
        before(round, own) < before(round + 1, own)
    });
    turns.map(|(_, place)| runs[place].0.clone()).collect()
}

pub(crate) fn mark(lines: impl IntoIterator<Item: AsRef<[u8]>>) -> u32 {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line);
        hash.update("\n");
    }
    let digest = hash.finalize();
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// SplitMix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Shuffles as Fisher and Yates; the bias of the remainder is below 1e-13 for a million places.
    fn shuffle(&mut self, places: &mut [usize]) {
        for last in (1..places.len()).rev() {
            places.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_every_run_once_in_an_order_of_its_own() {
        let places = Order::Random(7).places(50, 4);
        let rounds: Vec<&[usize]> = places.chunks(50).collect();
        for (number, round) in rounds.iter().enumerate() {
            let mut sorted = round.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..50).collect::<Vec<_>>());
            assert_ne!(*round, sorted, "it is shuffled");
            assert!(!rounds[..number].contains(round));
        }
        assert_eq!(Order::Random(7).places(50, 4), places);
        assert_ne!(Order::Random(8).places(50, 4), places);
    }

    #[test]
    fn as_written_stays_as_written() {
        assert_eq!(Order::AsWritten.places(3, 2), [0, 1, 2, 0, 1, 2]);
    }
}
