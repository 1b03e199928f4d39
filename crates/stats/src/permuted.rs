//! Tests whether two sides miss equally often, with the run as the unit of analysis.

use crate::location::average;
use crate::random::Random;
use crate::student::beyond;

/// Missed and due deadlines of one run.
pub type Misses = [u64; 2];

/// Up to this many divisions of the runs are all tried; if there are more, this many are drawn at
/// random.
const MOST_DIVISIONS: u64 = 20_000;
/// Tolerance for rounding errors of a sum, relative to the sizes of its parts.
const ROUNDING: f64 = 1e-12;

/// If [`least_permuted_chance`] of two sides is above this, they decide nothing: below three runs
/// per side, a stall in each run of one side is too likely.
const MOST_LEAST_CHANCE: f64 = 0.1;

/// Returns the chance that equal sides differ as much as these do, from all divisions of the runs
/// ([`permuted_chance`]). If every other division differs less, that chance is as small as this few
/// runs allow. Then the size of the difference counts too ([`chance_of_sizes`]), since three runs
/// with 300 misses each do differ from three without any. Equal sides differ that far by chance
/// only in the share [`least_permuted_chance`] of experiments, so the combined test keeps its level
/// too.
pub fn chance_of_misses(reference: &[Misses], other: &[Misses]) -> f64 {
    let permuted = permuted_chance(reference, other);
    let least = least_permuted_chance(reference.len(), other.len());
    if permuted > least + ROUNDING || !can_decide(reference.len(), other.len()) {
        return permuted;
    }
    permuted.min(chance_of_sizes(reference, other))
}

/// Returns the logarithm of how many times the odds of a miss of all deadlines of `other` are those
/// of `reference`. Half a miss is added to each side, so that it exists without a miss.
pub fn log_odds_ratio(reference: &[Misses], other: &[Misses]) -> f64 {
    let [one, another] = [reference, other].map(|runs| {
        let sum = |place: usize| runs.iter().map(|run| run[place] as f64).sum::<f64>();
        ((sum(0) + 0.5) / (sum(1) - sum(0) + 0.5)).ln()
    });
    another - one
}

/// Returns true if this many runs of both sides can decide whether they miss equally often.
pub fn can_decide(reference: usize, other: usize) -> bool {
    least_permuted_chance(reference, other) <= MOST_LEAST_CHANCE + ROUNDING
}

/// Student's test of shares on the scale where a share's variance depends only on the number of
/// deadlines (Anscombe, Biometrika 35, 1948, the angle of a binomial share). Runs of a side never
/// count as more alike than independent misses are: a side without a miss does not get a variance
/// of zero.
fn chance_of_sizes(reference: &[Misses], other: &[Misses]) -> f64 {
    let angle = |[missed, due]: &Misses| {
        let share = (*missed as f64 + 0.375) / (*due as f64 + 0.75);
        2.0 * share.min(1.0).sqrt().asin()
    };
    let sides = [reference, other].map(|runs| runs.iter().map(angle).collect::<Vec<f64>>());
    let means = sides.each_ref().map(|side| average(side));
    let freedom = (reference.len() + other.len() - 2) as f64;
    let within = sides.iter().zip(means);
    let squares: f64 =
        within.flat_map(|(side, mean)| side.iter().map(move |one| (one - mean).powi(2))).sum();
    let all = reference.len() + other.len();
    let independent =
        [reference, other].concat().iter().map(|run| 1.0 / (run[1] as f64 + 0.5)).sum::<f64>()
            / all as f64;
    let variance = (squares / freedom).max(independent);
    let of_runs = 1.0 / reference.len() as f64 + 1.0 / other.len() as f64;
    beyond((means[1] - means[0]).abs() / (variance * of_runs).sqrt(), freedom)
}

/// Returns the chance that runs, divided at random into sides of these sizes, differ as much as
/// these do: a permutation test (Fisher, The Design of Experiments, 1935, section 21; with draws:
/// Phipson and Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010). It keeps its level however rare
/// misses are and however they cluster within runs, since its only assumption is that runs of both
/// sides are alike: a side without a miss does not get a variance of zero here. The test statistic
/// is how many more deadlines a side misses than its share of all deadlines.
fn permuted_chance(reference: &[Misses], other: &[Misses]) -> f64 {
    let runs: Vec<Misses> = [reference, other].concat();
    let sum = |place: usize| runs.iter().map(|run| run[place] as f64).sum::<f64>();
    let rate = sum(0) / sum(1).max(1.0);
    let excess: Vec<f64> = runs.iter().map(|run| run[0] as f64 - rate * run[1] as f64).collect();
    let size = reference.len();
    let rounding = ROUNDING * excess.iter().map(|run| run.abs()).sum::<f64>();
    let seen = excess[..size].iter().sum::<f64>().abs() - rounding;
    let are_few = divisions(runs.len(), size) <= MOST_DIVISIONS;
    if are_few { all_divisions(&excess, size, seen) } else { drawn_divisions(excess, size, seen) }
}

/// Returns the smallest chance that sides of these sizes can have: if it is large, the runs decide
/// nothing, whatever they miss.
fn least_permuted_chance(reference: usize, other: usize) -> f64 {
    let divisions = divisions(reference + other, reference) as f64;
    // If the sides have equal sizes, exchanging them gives the same difference.
    let alike = if reference == other { 2.0 } else { 1.0 };
    (alike / divisions).min(1.0)
}

/// Returns the number of ways to choose `size` of `all`, capped well above [`MOST_DIVISIONS`].
fn divisions(all: usize, size: usize) -> u64 {
    let few = size.min(all - size) as u64;
    (1..=few).fold(1_u64, |ways, place| {
        (ways.saturating_mul(all as u64 - few + place) / place).min(MOST_DIVISIONS * 1_000)
    })
}

fn all_divisions(excess: &[f64], size: usize, seen: f64) -> f64 {
    let mut chosen: Vec<usize> = (0..size).collect();
    let (mut as_far, mut all) = (0_u64, 0_u64);
    loop {
        let sum: f64 = chosen.iter().map(|place| excess[*place]).sum();
        as_far += u64::from(sum.abs() >= seen);
        all += 1;
        let Some(last) = (0..size).rev().find(|at| chosen[*at] < excess.len() - size + at) else {
            return as_far as f64 / all as f64;
        };
        chosen[last] += 1;
        for at in last + 1..size {
            chosen[at] = chosen[at - 1] + 1;
        }
    }
}

fn drawn_divisions(mut excess: Vec<f64>, size: usize, seen: f64) -> f64 {
    let mut random = Random::new(1);
    let mut as_far = 1;
    for _ in 0..MOST_DIVISIONS {
        for place in 0..size {
            let left = (excess.len() - place) as f64;
            excess.swap(place, place + (random.uniform() * left) as usize);
        }
        let sum: f64 = excess[..size].iter().sum();
        as_far += u64::from(sum.abs() >= seen);
    }
    as_far as f64 / (MOST_DIVISIONS + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(misses: &[u64]) -> Vec<Misses> {
        misses.iter().map(|missed| [*missed, 1_000]).collect()
    }

    /// Counted by hand: of 20 divisions of six runs, the two extreme ones differ as much.
    #[test]
    fn few_runs_are_divided_in_every_way() {
        assert!((permuted_chance(&runs(&[9, 8, 7]), &runs(&[1, 2, 3])) - 0.1).abs() < 1e-12);
        assert!((least_permuted_chance(3, 3) - 0.1).abs() < 1e-12);
        assert!((least_permuted_chance(2, 4) - 1.0 / 15.0).abs() < 1e-12);
        assert_eq!(permuted_chance(&runs(&[5]), &runs(&[0])), 1.0);
        assert_eq!(permuted_chance(&runs(&[0; 8]), &runs(&[0; 8])), 1.0);
        assert_eq!(permuted_chance(&runs(&[1, 0, 0, 0]), &runs(&[0; 4])), 1.0);
        assert_eq!(permuted_chance(&[], &runs(&[1])), 1.0);
    }

    /// Two divisions of twenty differ as much, the runs as they are and both sides exchanged.
    #[test]
    fn a_large_count_is_as_large_with_both_sides_exchanged() {
        for add in 0..200 {
            let run = |missed: u64| [missed * 12_345_678_901 + add, 1_000_000_000_007 + 3 * add];
            let [one, other] = [[1, 2, 3], [9, 8, 7]].map(|side| side.map(run));
            assert!((permuted_chance(&one, &other) - 0.1).abs() < 1e-12, "{add}");
        }
    }

    #[test]
    fn odds_are_of_all_deadlines_of_a_side() {
        let even = vec![[100, 10_000]; 15];
        let clustered = [vec![[1_000, 10_000]; 10], vec![[0, 10_000]; 5]].concat();
        assert!((log_odds_ratio(&even, &clustered).exp() - 7.07).abs() < 0.01);
        assert!(chance_of_misses(&even, &clustered) < 0.01);
        assert_eq!(log_odds_ratio(&runs(&[1, 0, 0]), &runs(&[0, 1, 0])), 0.0);
    }

    #[test]
    fn longer_runs_are_not_a_difference() {
        let long: Vec<Misses> = vec![[10, 10_000]; 6];
        let short: Vec<Misses> = vec![[1, 1_000]; 6];
        assert_eq!(permuted_chance(&long, &short), 1.0);
    }

    /// Misses of runs: a Poisson count of events with mean `rate` per run, each of which causes
    /// `cluster` misses.
    fn drawn(random: &mut Random, count: usize, rate: f64, cluster: u64) -> Vec<Misses> {
        let mut run = || {
            let (mut events, mut product) = (0, random.uniform());
            while product > (-rate).exp() {
                product *= random.uniform();
                events += 1;
            }
            [events * cluster, 1_000]
        };
        (0..count).map(|_| run()).collect()
    }

    /// 400 pairs of equal sides for each kind and number of runs: at most 5 % differ, plus three
    /// standard deviations of that count.
    #[test]
    fn equal_sides_differ_in_one_of_twenty_at_most() {
        let kinds =
            [(0, 1), (1, 1), (3, 1), (30, 1), (300, 1), (3, 3), (3, 10), (30, 10), (300, 30)];
        let mut random = Random::new(7);
        for runs in [2, 3, 4, 8] {
            for (misses, cluster) in kinds {
                let rate = f64::from(misses) / f64::from(runs) / cluster as f64;
                let mut side = || drawn(&mut random, runs as usize, rate, cluster);
                let differ =
                    (0..400).filter(|_| chance_of_misses(&side(), &side()) <= 0.05).count();
                let of = format!("{misses} misses, {cluster} at a time, {runs} runs");
                assert!(differ <= 20 + 13, "{of}: {differ} of 400");
            }
        }
    }

    /// Golden value of scipy 1.17's `ttest_ind` on the same angles.
    #[test]
    fn three_runs_that_miss_far_more_differ() {
        let [few, many] = [runs(&[0, 9, 1]), runs(&[300, 400, 250])];
        assert!((chance_of_misses(&few, &many) / 0.000_493_328_723_247 - 1.0).abs() < 1e-9);
        assert!(chance_of_misses(&runs(&[0; 3]), &runs(&[1; 3])) > 0.05);
        assert_eq!(chance_of_misses(&few[..2], &many[..2]), 1.0 / 3.0);
        assert!(can_decide(3, 3) && can_decide(2, 4) && !can_decide(2, 2) && !can_decide(1, 8));
    }

    /// Three times as many as 30 misses differ almost always, as the exact test of both counts
    /// predicts (power 0.999).
    #[test]
    fn a_real_difference_is_found() {
        let mut random = Random::new(8);
        let found = (0..200).filter(|_| {
            let one = drawn(&mut random, 8, 30.0 / 8.0, 1);
            let other = drawn(&mut random, 8, 90.0 / 8.0, 1);
            chance_of_misses(&one, &other) <= 0.05
        });
        assert!(found.count() >= 190);
    }

    /// The exact test of two counts: the chance that equal sides differ as much, given all misses (Przyborowski and
    /// Wilenski, Biometrika 31, 1940).
    fn chance_of_counts(one: u64, other: u64) -> f64 {
        let all = one + other;
        let mut weights = vec![1.0_f64];
        for count in 1..=all {
            let before = weights[count as usize - 1];
            weights.push(before * (all - count + 1) as f64 / count as f64);
        }
        let seen = weights[one as usize] * (1.0 + ROUNDING);
        let as_far: f64 = weights.iter().filter(|weight| **weight <= seen).sum();
        as_far / weights.iter().sum::<f64>()
    }

    /// Independent misses: the test of runs finds a real difference about as often as the exact test of the counts, which
    /// knows that they are independent.
    #[test]
    fn real_differences_are_found_as_often_as_the_exact_power_says() {
        assert!((chance_of_counts(0, 5) - 0.0625).abs() < 1e-12);
        let mut random = Random::new(9);
        let sum = |runs: &[Misses]| runs.iter().map(|run| run[0]).sum::<u64>();
        for (misses, times) in [(30.0, 1.5), (30.0, 3.0), (100.0, 1.5)] {
            let (mut by_runs, mut by_counts) = (0, 0);
            for _ in 0..200 {
                let one = drawn(&mut random, 8, misses / 8.0, 1);
                let other = drawn(&mut random, 8, times * misses / 8.0, 1);
                by_runs += i32::from(chance_of_misses(&one, &other) <= 0.05);
                by_counts += i32::from(chance_of_counts(sum(&one), sum(&other)) <= 0.05);
            }
            // A tenth of the draws, more than three standard deviations of their difference.
            assert!(by_runs >= by_counts - 20, "{times} times {misses}: {by_runs}, {by_counts}");
        }
    }

    /// There are more divisions than are tried: the draws approximate the chance over all of them.
    #[test]
    fn draws_come_near_the_chance_of_all_divisions() {
        let (one, other) = (runs(&[1, 2, 3, 4, 5, 6, 7]), runs(&[4, 5, 6, 7, 8, 9, 10]));
        let all = permuted_chance(&one, &other);
        let rate = 77.0 / 14_000.0;
        let excess = |run: &Misses| run[0] as f64 - rate * run[1] as f64;
        let values: Vec<f64> = one.iter().chain(&other).map(excess).collect();
        let seen = values[..7].iter().sum::<f64>().abs() - ROUNDING;
        let drawn = drawn_divisions(values, 7, seen);
        assert!(divisions(14, 7) == 3432 && (drawn / all - 1.0).abs() < 0.15, "{all} {drawn}");
    }
}
