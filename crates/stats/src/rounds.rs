//! Whether one side is worse than a reference by more than a margin, from rounds in which the
//! reference was measured twice and the other side once.

use crate::contrast::{Contrast, spread_within};
use crate::location::average;
use crate::random::Random;
use crate::student::{beyond, standard_errors};

/// Gates that are resampled to learn how often equal sides would be judged wrongly.
pub const RESAMPLED: usize = 2000;
/// Always the same numbers, so that the same runs give the same answer.
const SEED: u64 = 19;

/// A round: the logarithms of the reference's figure, of the reference's again, and of the other
/// side's.
pub type Round = [f64; 3];

/// The ratio of the other side to the reference, with the errors of such ratios as they are on
/// this machine.
///
/// The run is the unit of analysis, and each round is compared with itself, so drift between
/// rounds does not matter. Two one-sided tests against the same limit decide (non-inferiority;
/// Westlake, Biometrics 32, 1976; Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987). Student's
/// distribution holds for normal noise; the noise of runs is skewed, so the critical value is the
/// larger of Student's and that of gates resampled from the reference's own runs (the bootstrap-t
/// of Efron, Tibshirani, An introduction to the bootstrap, 1993, chapter 12).
#[derive(Debug, Clone, PartialEq)]
pub struct Calibrated {
    /// The ratio; its error is widened to what the resampled gates require.
    pub contrast: Contrast,
    /// The ratio of the reference's second runs to its first ones, judged alike.
    pub again: Contrast,
    /// The level of each one-sided test.
    pub level: f64,
    widened: f64,
    /// Ratios of gates in which both sides are the reference.
    equal: Vec<Contrast>,
}

impl Calibrated {
    /// Compares the sides at this one-sided level; `None` for fewer than two rounds.
    pub fn of(rounds: &[Round], level: f64) -> Option<Self> {
        let contrast = paired(rounds, other)?;
        let again = paired(rounds, |[first, again, _]| again - first)?;
        let equal = resampled(rounds);
        let critical = standard_errors(contrast.freedom, 1.0 - 2.0 * level);
        let widened = (highest(&equal, level) / critical).max(1.0);
        let wide = |contrast: Contrast| Contrast { error: contrast.error * widened, ..contrast };
        Some(Self { contrast: wide(contrast), again: wide(again), level, widened, equal })
    }

    /// Returns lower end, estimate and upper end of the ratio. Each end is wrong with the
    /// probability `level`.
    pub fn interval(&self) -> [f64; 3] {
        self.contrast.interval(1.0 - 2.0 * self.level)
    }

    /// Returns the interval of the reference's ratio to itself.
    pub fn interval_again(&self) -> [f64; 3] {
        self.again.interval(1.0 - 2.0 * self.level)
    }

    /// Returns the share of resampled gates of the reference with itself that would show one side
    /// to be worse by more than `margin`.
    pub fn false_alarms(&self, margin: f64) -> f64 {
        let critical = self.critical() * self.widened;
        let fails = |gate: &&Contrast| gate.log_ratio - critical * gate.error > margin.ln_1p();
        self.equal.iter().filter(fails).count() as f64 / self.equal.len() as f64
    }

    /// Returns the probability that such a gate shows a side to be worse by more than `margin`, if
    /// the true ratio is this one. The shifted central distribution approximates the noncentral
    /// one.
    pub fn power(&self, ratio: f64, margin: f64) -> f64 {
        let beyond_margin = (ratio.ln() - margin.ln_1p()) / self.own_error();
        let above = beyond_margin - self.critical() * self.widened;
        let tails = beyond(above.abs(), self.contrast.freedom) / 2.0;
        if above < 0.0 { tails } else { 1.0 - tails }
    }

    /// Returns the ratio that a share `power` of such gates shows to be worse by more than
    /// `margin`.
    pub fn detectable(&self, margin: f64, power: f64) -> f64 {
        (margin.ln_1p() + self.reach(power)).exp()
    }

    /// Returns how many times as many rounds decide with this probability, if the true ratio is
    /// the estimate; infinite for a ratio at the margin.
    pub fn times_as_many(&self, margin: f64, power: f64) -> f64 {
        let gap = (self.contrast.log_ratio - margin.ln_1p()).abs();
        (self.reach(power) / gap).powi(2).max(1.0)
    }

    /// Returns how far beyond the margin a true ratio is shown with this probability.
    fn reach(&self, power: f64) -> f64 {
        let errors = standard_errors(self.contrast.freedom, 2.0 * power - 1.0);
        (self.critical() * self.widened + errors) * self.own_error()
    }

    fn critical(&self) -> f64 {
        standard_errors(self.contrast.freedom, 1.0 - 2.0 * self.level)
    }

    fn own_error(&self) -> f64 {
        self.contrast.error / self.widened
    }
}

/// The other side against the mean of the reference's two runs.
fn other([first, again, other]: &Round) -> f64 {
    other - f64::midpoint(*first, *again)
}

fn paired(rounds: &[Round], difference: impl Fn(&Round) -> f64) -> Option<Contrast> {
    let differences: Vec<f64> = rounds.iter().map(difference).collect();
    let spread = spread_within([differences.as_slice()])?;
    Some(Contrast {
        log_ratio: average(&differences),
        error: (spread.variance / differences.len() as f64).sqrt(),
        freedom: spread.freedom,
    })
}

/// Returns the ratios of gates whose runs are all drawn from the reference's.
fn resampled(rounds: &[Round]) -> Vec<Contrast> {
    let noise = noise(rounds);
    let mut random = Random::new(SEED);
    let mut drawn = || noise[(random.next() % noise.len() as u64) as usize];
    let mut gate = || {
        let rounds: Vec<Round> = rounds.iter().map(|_| [drawn(), drawn(), drawn()]).collect();
        paired(&rounds, other)
    };
    (0..RESAMPLED).filter_map(|_| gate()).collect()
}

/// Returns how far each of the reference's runs is from the mean around it, which drifts. The mean
/// includes the run itself, and so is nearer to it than the true one.
fn noise(rounds: &[Round]) -> Vec<f64> {
    let around = |place: usize| match place {
        0 => &rounds[..1],
        place => rounds.get(place - 1..=place + 1).unwrap_or(&rounds[place..]),
    };
    let of_round = |place: usize| {
        let runs: Vec<f64> = around(place).iter().flat_map(|round| round[..2].to_vec()).collect();
        let count = runs.len() as f64;
        let mean = average(&runs);
        let nearer = (count / (count - 1.0)).sqrt();
        [0, 1].map(|run| (rounds[place][run] - mean) * nearer)
    };
    (0..rounds.len()).flat_map(of_round).collect()
}

/// Returns how many errors from 1 the ratios of equal sides lie, on the side where they lie
/// farther, except for the share `level` that lies farthest.
fn highest(equal: &[Contrast], level: f64) -> f64 {
    let mut errors: Vec<f64> = equal.iter().map(|one| one.log_ratio / one.error).collect();
    errors.sort_unstable_by(f64::total_cmp);
    let most = ((equal.len() as f64 * level) as usize).min(equal.len() - 1);
    (-errors[most]).max(errors[equal.len() - 1 - most])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: f64 = 0.05;
    const MARGIN: f64 = 0.05;

    /// Noise of a run, in the unit of the logarithm.
    type Noise<'n> = &'n dyn Fn(&mut Random) -> f64;

    /// Returns rounds in which the other side is `ratio` times the reference, with drift.
    fn rounds(random: &mut Random, count: usize, ratio: f64, noise: Noise) -> Vec<Round> {
        let round = |number: usize| {
            let drift = 0.1 * number as f64;
            let [first, again, other] = [0; 3].map(|_| drift + noise(random));
            [first, again, other + ratio.ln()]
        };
        (0..count).map(round).collect()
    }

    /// Returns the shares of gates that fail and that pass, and the mean of the stated power.
    fn judged(gates: usize, count: usize, ratio: f64, margin: f64, noise: Noise) -> [f64; 3] {
        let mut random = Random::new(7);
        let mut sums = [0.0; 3];
        for _ in 0..gates {
            let gate = Calibrated::of(&rounds(&mut random, count, ratio, noise), LEVEL).unwrap();
            let [lower, _, upper] = gate.interval();
            sums[0] += f64::from(lower > 1.0 + margin);
            sums[1] += f64::from(upper < 1.0 + margin);
            sums[2] += gate.power(ratio, margin);
        }
        sums.map(|sum| sum / gates as f64)
    }

    fn normal(deviation: f64) -> impl Fn(&mut Random) -> f64 {
        move |random| deviation * random.normal()
    }

    /// Runs that are mostly equal, and sometimes much slower.
    fn skewed(random: &mut Random) -> f64 {
        0.004 * random.normal() + if random.uniform() < 0.1 { 0.1 * random.uniform() } else { 0.0 }
    }

    #[test]
    fn a_side_at_the_margin_is_judged_wrongly_at_most_as_often_as_stated() {
        let (gaussian, skewed): (_, Noise) = (normal(0.01), &skewed);
        for noise in [&gaussian, skewed] {
            let [fails, passes, _] = judged(300, 12, 1.0 + MARGIN, MARGIN, noise);
            // 5 % of 300, and three standard deviations of a binomial count.
            assert!(fails <= 0.0878 && passes <= 0.0878, "{fails} {passes}");
            let [fails, passes, _] = judged(300, 12, 1.0, MARGIN, noise);
            assert!(fails == 0.0 && passes > 0.9, "{fails} {passes}");
        }
    }

    #[test]
    fn more_work_is_found_as_often_as_the_stated_power_says() {
        for (ratio, margin, deviation) in
            [(1.01, 0.0, 0.01), (1.05, 0.02, 0.03), (1.20, MARGIN, 0.17)]
        {
            let [fails, _, stated] = judged(300, 16, ratio, margin, &normal(deviation));
            assert!((0.2..0.95).contains(&fails), "{ratio}: {fails}");
            // The estimate of the error moves the stated power from gate to gate.
            assert!((fails - stated).abs() < 0.09, "{ratio}: found {fails}, stated {stated}");
        }
    }

    #[test]
    fn the_detectable_ratio_has_the_stated_power() {
        let rounds = rounds(&mut Random::new(3), 15, 1.0, &normal(0.02));
        let gate = Calibrated::of(&rounds, LEVEL).unwrap();
        let ratio = gate.detectable(MARGIN, 0.8);
        assert!((gate.power(ratio, MARGIN) - 0.8).abs() < 1e-6);
        assert!(gate.false_alarms(0.0) <= LEVEL && gate.false_alarms(MARGIN) == 0.0);
        let more = gate.times_as_many(gate.interval()[1] - 1.0, 0.8);
        assert!(more > 1e6, "no number of rounds decides a ratio at the margin: {more}");
    }

    #[test]
    fn one_round_decides_nothing() {
        assert_eq!(Calibrated::of(&[[0.0; 3]], LEVEL), None);
    }
}
