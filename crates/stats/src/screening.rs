//! Screening experiments, which find the factors that matter among many two-level factors and use
//! every run for each of them: the designs of Plackett and Burman, folded over, and the analysis of
//! their runs.

use std::collections::BTreeMap;

use crate::contrast::Contrast;
use crate::least_squares::{LeastSquares, Undetermined};

/// One less than the number of runs of an unfolded design: primes that leave remainder 3 when
/// divided by 4, for which the quadratic residues give a design (Paley, J. Math. Phys. 12, 1933).
/// The designs of 12, 20 and 24 runs are the ones that Plackett and Burman print (Biometrika 33,
/// 1946).
const PRIMES: [usize; 6] = [7, 11, 19, 23, 31, 43];

/// The largest number of factors of a design.
pub const MOST_FACTORS: usize = PRIMES[PRIMES.len() - 1];

/// A plan of runs for two-level factors: each is on in half of the runs, and any two are both on in
/// a quarter. The plan has every run together with its mirror image, so that no interaction of two
/// factors looks like the effect of a third (Box, Wilson, J. R. Statist. Soc. B 13, 1951).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screening {
    /// Which factors are on, for each run of the plan.
    pub points: Vec<Vec<bool>>,
}

impl Screening {
    /// Returns the smallest design for this many factors; `None` for more than [`MOST_FACTORS`].
    pub fn of(factors: usize) -> Option<Self> {
        let prime = *PRIMES.iter().find(|prime| factors <= **prime)?;
        let is_residue = |number: usize| (1..prime).any(|root| root * root % prime == number);
        let first: Vec<bool> = (0..prime).map(|at| at == 0 || is_residue(at)).collect();
        let shifted = |by: usize| (0..factors).map(|at| first[(at + prime - by) % prime]).collect();
        let rows = (0..prime).map(shifted).chain([vec![false; factors]]);
        let points = rows.flat_map(|row: Vec<bool>| [mirrored(&row), row]);
        Some(Self { points: points.collect() })
    }
}

fn mirrored(point: &[bool]) -> Vec<bool> {
    point.iter().map(|is_on| !is_on).collect()
}

/// The result of one run of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Screened {
    /// Which factors were on.
    pub point: Vec<bool>,
    /// Which repetition of the whole plan the run belongs to, from 0: drift between repetitions
    /// does not count as an effect.
    pub block: usize,
    /// The figure; the logarithm if it is a time.
    pub value: f64,
}

/// The effects of factors and of pairs of them, each adjusted for all others that were requested.
#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    /// How much larger the figure is with a factor on than with it off, in the order of the
    /// factors.
    pub factors: Vec<Contrast>,
    /// How much larger the figure is with both factors of a pair on than the sum of the effects
    /// that each has alone, in the order of the pairs.
    pub pairs: Vec<Contrast>,
}

/// Computes the effect of each factor, and of these pairs, from the runs of a plan.
///
/// Run-to-run variation is estimated only from runs of the same point in different blocks, so no
/// factor needs to be without effect.
///
/// # Errors
/// Fails if the runs do not determine an effect: for example if too few of them are valid, or no
/// point has two.
pub fn effects(runs: &[Screened], pairs: &[[usize; 2]]) -> Result<Effects, Undetermined> {
    let factors = runs.first().map_or(0, |run| run.point.len());
    let level = |run: &Screened, factor: usize| if run.point[factor] { 0.5 } else { -0.5 };
    let of_factor = |factor| runs.iter().map(|run| level(run, factor)).collect();
    let of_pair = |[one, other]: &[usize; 2]| {
        let both = |run: &Screened| level(run, *one) * level(run, *other);
        runs.iter().map(both).collect()
    };
    let asked = (0..factors).map(of_factor).chain(pairs.iter().map(of_pair));
    let mut columns = blocks(runs);
    let first = columns.len();
    columns.extend(asked);
    let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    let fit = LeastSquares::fit(&columns, &values)?;
    let pure = pure_error(runs, &values)?;
    let contrast = |place: usize| Contrast {
        log_ratio: fit.coefficients[first + place],
        error: pure.residual * fit.error_of(first + place),
        freedom: pure.freedom as f64,
    };
    Ok(Effects {
        factors: (0..factors).map(contrast).collect(),
        pairs: (factors..factors + pairs.len()).map(contrast).collect(),
    })
}

/// Returns one indicator column for each block.
fn blocks(runs: &[Screened]) -> Vec<Vec<f64>> {
    indicators(runs.iter().map(|run| run.block))
}

/// Fits each point by a separate value, in addition to the blocks.
fn pure_error(runs: &[Screened], values: &[f64]) -> Result<LeastSquares, Undetermined> {
    let mut columns = indicators(runs.iter().map(|run| run.point.clone()));
    // The first block is left out: it is the sum of the points minus the other blocks.
    columns.extend(blocks(runs).into_iter().skip(1));
    LeastSquares::fit(&columns, values)
}

fn indicators<T: Ord>(labels: impl Iterator<Item = T>) -> Vec<Vec<f64>> {
    let labels: Vec<T> = labels.collect();
    let mut columns: BTreeMap<&T, Vec<f64>> = BTreeMap::new();
    for (place, label) in labels.iter().enumerate() {
        let column = columns.entry(label);
        column.or_insert_with(|| vec![0.0; labels.len()])[place] = 1.0;
    }
    columns.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level_of_discovery;
    use crate::random::Random;

    /// The first line of the design of 12 runs, as printed by Plackett and Burman.
    #[test]
    fn designs_are_those_of_plackett_and_burman() {
        let design = Screening::of(11).unwrap();
        let signs = |point: &[bool]| point.iter().map(|on| if *on { '+' } else { '-' }).collect();
        let second: String = signs(&design.points[1]);
        assert_eq!(second, "++-+++---+-");
        let runs = |factors| Screening::of(factors).map_or(0, |design| design.points.len());
        let all = [1, 7, 8, 12, 20, 24, 32, 43, 44].map(runs);
        assert_eq!(all, [16, 16, 24, 40, 48, 64, 88, 88, 0]);
    }

    #[test]
    fn each_factor_is_on_in_half_of_the_runs_and_with_each_other_in_a_quarter() {
        for factors in [2, 7, 11, 19, 23, 31, 43] {
            let design = Screening::of(factors).unwrap();
            let points = &design.points;
            let count = |on: &dyn Fn(&[bool]) -> bool| points.iter().filter(|p| on(p)).count();
            for one in 0..factors {
                assert_eq!(2 * count(&|point| point[one]), points.len());
                for other in 0..one {
                    assert_eq!(4 * count(&|point| point[one] && point[other]), points.len());
                }
            }
            let has_mirror = |point: &Vec<bool>| points.contains(&mirrored(point));
            assert!(points.iter().all(has_mirror));
        }
    }

    type Value<'v> = &'v mut dyn FnMut(&[bool], usize) -> f64;

    fn made(factors: usize, blocks: usize, value: Value) -> Vec<Screened> {
        let design = Screening::of(factors).unwrap();
        let mut runs = Vec::new();
        for block in 0..blocks {
            let run = |p: &Vec<bool>| Screened { point: p.clone(), block, value: value(p, block) };
            runs.extend(design.points.iter().map(run));
        }
        runs
    }

    /// Golden values of numpy (`linalg.lstsq`) and scipy, with two of 48 runs missing.
    #[test]
    fn effects_are_those_of_numpy() {
        let mut number = 0_u32;
        let runs = made(4, 3, &mut |point, block| {
            number += 1;
            let wobble = f64::from(number * 7919 % 101) / 101.0 - 0.5;
            let on = |factor: usize| f64::from(u8::from(point[factor]));
            let together = 0.4 * on(0) * on(2);
            2.0 + 0.3 * block as f64 + 0.5 * on(0) - 0.2 * on(1) + together + 0.1 * wobble
        });
        let missing = |place: &usize| ![4, 19].contains(place);
        let runs: Vec<Screened> = (0..48).filter(missing).map(|at| runs[at].clone()).collect();
        let effects = effects(&runs, &[[0, 2]]).unwrap();
        let golden = [
            (0.6906532960988414, 0.008301235514576335),
            (-0.20478547854785512, 0.008291353087841182),
            (0.20934670390115895, 0.008301235514576333),
            (0.001013370567827021, 0.008301235514576335),
            (0.4052805280528068, 0.016582706175682364),
        ];
        for (found, (effect, error)) in effects.factors.iter().chain(&effects.pairs).zip(golden) {
            assert!((found.log_ratio - effect).abs() < 1e-10, "{found:?}");
            assert!((found.error / error - 1.0).abs() < 1e-8, "{found:?}");
            assert_eq!(found.freedom, 28.0);
        }
    }

    #[test]
    fn a_plan_that_ran_once_gives_no_error_estimate() {
        let once = made(5, 1, &mut |_, _| 1.0);
        assert!(effects(&once, &[]).is_err());
        assert!(effects(&[], &[]).is_err());
    }

    /// 400 plans of 11 factors with two blocks: one factor has an effect that the plan claims to
    /// find in four of five cases, the others have none.
    #[test]
    fn an_effect_is_found_as_often_as_the_plan_says() {
        let mut random = Random::new(5);
        let (mut found, mut wrong) = (0, 0);
        let stated = Contrast {
            log_ratio: 0.0,
            // Half of 48 runs on each side, each with a deviation of 0.1.
            error: 0.1 * (2.0_f64 / 24.0).sqrt(),
            freedom: 23.0,
        };
        let effect = stated.detectable(0.05 / 11.0, 0.8);
        for _ in 0..400 {
            let runs = made(11, 2, &mut |point, block| {
                let on = f64::from(u8::from(point[3]));
                block as f64 + effect * on + 0.1 * random.normal()
            });
            let chances = effects(&runs, &[]).unwrap().factors;
            let chances: Vec<f64> = chances.iter().map(|one| one.chance(0.0)).collect();
            let level = level_of_discovery(&chances, 0.05);
            found += u32::from(chances[3] <= level);
            let others = chances.iter().enumerate().filter(|(place, _)| *place != 3);
            wrong += others.filter(|(_, chance)| **chance <= level).count();
        }
        // 320 are expected; the level is that of the hardest comparison, so somewhat more are
        // found.
        assert!((296..=392).contains(&found), "{found}");
        assert!(wrong <= 40, "{wrong}");
    }

    #[test]
    fn two_factors_that_act_only_together_are_found_as_a_pair() {
        let mut random = Random::new(8);
        let runs = made(11, 4, &mut |point, _| {
            let both = f64::from(u8::from(point[2] && point[7]));
            both + 0.05 * random.normal()
        });
        let effects = effects(&runs, &[[2, 7], [2, 5]]).unwrap();
        let near = |found: &Contrast, expected: f64| (found.log_ratio - expected).abs() < 0.1;
        assert!(near(&effects.factors[2], 0.5) && near(&effects.factors[7], 0.5));
        assert!(near(&effects.pairs[0], 1.0) && near(&effects.pairs[1], 0.0));
        assert!(effects.pairs[0].chance(0.05) < 1e-6);
    }
}
