//! The ratio of two things, from runs of both.

use crate::location::{average, variance};
use crate::moderated::{Prior, Spread};
use crate::student::{beyond, errors_beyond, standard_errors};

/// The smallest standard deviation between the logarithms of two runs' figures that can be
/// distinguished from zero: quantiles are read from bins 0.1 % wide.
const LEAST_DEVIATION: f64 = 0.001;

/// The logarithms of one figure per run, on two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// Logarithms of the reference side.
    pub reference: Vec<f64>,
    /// Logarithms of the other side.
    pub other: Vec<f64>,
    /// The variance of a run that is known beforehand, such as that of a count; else 0. Runs that
    /// happen to be equal do not vary less.
    pub least_variance: f64,
}

/// The order in which the runs of two sides were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The sides alternate, so drift affects both equally.
    InTurns,
    /// All runs of one side, then all runs of the other.
    Apart,
}

impl Order {
    /// Returns the order of two sides whose runs started at these times, in any unit and order. They
    /// are in turns if the middle run of each side, or the time between its two middle runs, meets
    /// the time from the first to the last run of the other.
    pub fn of(mut starts: [Vec<u64>; 2]) -> Self {
        starts.iter_mut().for_each(|starts| starts.sort_unstable());
        let [one, other] = starts;
        let is_within = |inner: &[u64], outer: &[u64]| {
            let middles = [inner.len().saturating_sub(1) / 2, inner.len() / 2];
            let [from, to] = middles.map(|place| inner.get(place));
            from <= outer.last() && outer.first() <= to
        };
        let is_in_turns = is_within(&one, &other) && is_within(&other, &one);
        if is_in_turns { Self::InTurns } else { Self::Apart }
    }

    /// Returns the variance that no number of runs lowers, in variances between runs.
    pub fn sittings(self) -> f64 {
        match self {
            Self::InTurns => 0.0,
            Self::Apart => 2.0,
        }
    }
}

/// The ratio of the other side's figure to the reference's, as a logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// The difference of the means of the logarithms: the logarithm of the ratio of geometric
    /// means.
    pub log_ratio: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Degrees of freedom of the standard error.
    pub freedom: f64,
}

impl Runs {
    /// Returns how far runs of one side differ, pooled over both sides, or `None` if no side has
    /// two runs. The null hypothesis is that both sides are equal: then both have the same spread,
    /// and both contribute to the estimate of the shared variance, even if one side had a bad run.
    pub fn spread(&self) -> Option<Spread> {
        spread_within([&self.reference, &self.other].map(Vec::as_slice))
    }

    /// Computes the ratio with the run as the unit of analysis: samples within a run depend on each
    /// other and say nothing about run-to-run variation. The spread of runs comes from the test's
    /// `own` spread and from other tests (`prior`). Returns `None` if neither is known or a side
    /// has no run.
    ///
    /// If the sides did not alternate, each was measured in a different time span. One span per
    /// side says nothing about how far such spans differ: they are assumed to differ as much as
    /// runs do, and no number of runs averages this out.
    pub fn contrast(
        &self,
        own: Option<Spread>,
        prior: Option<&Prior>,
        order: Order,
    ) -> Option<Contrast> {
        let spread = match prior {
            Some(prior) => prior.moderate(own),
            None => own?,
        };
        if self.reference.is_empty() || self.other.is_empty() {
            return None;
        }
        let of_runs = 1.0 / self.reference.len() as f64 + 1.0 / self.other.len() as f64;
        let variance =
            spread.variance.max(self.least_variance) * of_runs + spread.variance * order.sittings();
        Some(Contrast {
            log_ratio: average(&self.other) - average(&self.reference),
            error: variance.sqrt(),
            freedom: spread.freedom,
        })
    }
}

impl Contrast {
    /// Returns the same contrast with the error at which a ratio of 1 has this chance, from 0 to 1;
    /// if the chance is not small, with at least its own error. This carries over the result of an exact test of counts that have no normal distribution.
    pub fn as_sure_as(self, chance: f64) -> Self {
        /// Above this chance an interval says nothing.
        const MOST: f64 = 0.95;
        /// Above this chance nothing is shown: the ratio may be 1, from which no error follows.
        const SMALL: f64 = 0.05;
        let errors = errors_beyond(self.freedom, chance.clamp(f64::MIN_POSITIVE, MOST));
        let least = if chance > SMALL { self.error } else { f64::MIN_POSITIVE };
        Self { error: (self.log_ratio.abs() / errors).max(least), ..self }
    }

    /// Returns the same contrast with an error no smaller than that of [`Self::as_sure_as`].
    pub fn no_surer_than(self, chance: f64) -> Self {
        Self { error: self.error.max(self.as_sure_as(chance).error), ..self }
    }

    /// Returns the chance of a ratio at least this far from 1 if the true ratio is at most `1 +
    /// margin` in either direction; the margin is 0 or more. So a difference that is too small to
    /// matter does not count as one (after McCarthy, Smyth, Testing significance relative to a
    /// fold-change threshold is a TREAT, Bioinformatics 25, 2009; here both ends of the margin are
    /// tested as strictly as the nearer one).
    pub fn chance(&self, margin: f64) -> f64 {
        let beyond_margin = self.log_ratio.abs() - margin.ln_1p();
        if beyond_margin > 0.0 { beyond(beyond_margin / self.error, self.freedom) } else { 1.0 }
    }

    /// Returns the smallest logarithm of a ratio that would be detected at this level in this share
    /// of experiments like this one, if the error is known as well as here. The shifted central
    /// distribution approximates the noncentral one.
    pub fn detectable(&self, level: f64, power: f64) -> f64 {
        let errors = standard_errors(self.freedom, 1.0 - level)
            + standard_errors(self.freedom, 2.0 * power - 1.0);
        errors * self.error
    }

    /// Returns the lower end, the ratio and the upper end of its interval at this confidence, above
    /// 0 and below 1.
    pub fn interval(&self, confidence: f64) -> [f64; 3] {
        let half = standard_errors(self.freedom, confidence) * self.error;
        [self.log_ratio - half, self.log_ratio, self.log_ratio + half].map(f64::exp)
    }
}

/// Returns how far the values of a group differ, pooled over all groups; `None` if no group has two
/// values.
pub fn spread_within<'a>(groups: impl IntoIterator<Item = &'a [f64]>) -> Option<Spread> {
    let several = groups.into_iter().filter(|group| group.len() > 1);
    let spreads = several.map(|values| Spread {
        variance: variance(values).max(LEAST_DEVIATION.powi(2)),
        freedom: values.len() as f64 - 1.0,
    });
    Spread::common(&spreads.collect::<Vec<Spread>>())
}

/// Returns the level at or below which a comparison's chance counts as a discovery.
///
/// Benjamini and Hochberg, J. R. Statist. Soc. B 57, 1995: the expected share of false discoveries
/// is at most `rate`, also if tests depend positively on each other (Benjamini, Yekutieli, Ann.
/// Statist. 29, 2001). Among the selected comparisons, intervals at the confidence `1 - level`
/// cover as often as stated (the same authors, J. Am. Statist. Assoc. 100, 2005), and they exclude
/// the margin exactly for the discoveries.
pub fn level_of_discovery(chances: &[f64], rate: f64) -> f64 {
    let mut sorted = chances.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let share = |count: usize| rate * count as f64 / sorted.len().max(1) as f64;
    let is_shown = |(index, chance): &(usize, &f64)| **chance <= share(index + 1);
    let last = sorted.iter().enumerate().rev().find(is_shown);
    share(last.map_or(1, |(index, _)| index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn runs(reference: &[f64], other: &[f64]) -> Runs {
        let logs = |values: &[f64]| values.iter().map(|value| value.ln()).collect();
        Runs { reference: logs(reference), other: logs(other), least_variance: 0.0 }
    }

    #[test]
    fn two_runs_a_side_are_in_turns_unless_one_side_was_first() {
        for (starts, expected) in [
            ([[1, 3], [2, 4]], Order::InTurns),
            ([[2, 4], [1, 3]], Order::InTurns),
            ([[4, 1], [2, 3]], Order::InTurns),
            ([[1, 2], [3, 4]], Order::Apart),
            ([[3, 4], [2, 1]], Order::Apart),
        ] {
            assert_eq!(Order::of(starts.map(Vec::from)), expected, "{starts:?}");
        }
    }

    /// Golden values of numpy 2.4 and scipy 1.17: the same formulas with `digamma`, `polygamma`,
    /// `brentq`, `t.sf` and `t.ppf`.
    #[test]
    fn ratios_and_intervals_are_those_of_scipy() {
        let runs = runs(&[10.0, 12.0, 11.0], &[19.0, 25.0, 22.0, 21.0]);
        let contrast = runs.contrast(runs.spread(), None, Order::InTurns).unwrap();
        let near =
            |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found}");
        near(contrast.chance(0.0), 0.0011839619147907625);
        let [lower, ratio, upper] = contrast.interval(0.99);
        near(lower, 1.3355960734145602);
        near(ratio, 1.9730704206752732);
        near(upper, 2.9148085730672375);
        near(contrast.chance(0.5), 0.03316627830697735);
        assert_eq!(contrast.chance(1.5), 1.0);
    }

    #[test]
    fn an_exact_chance_is_that_of_the_contrast_and_of_its_interval() {
        let contrast = Contrast { log_ratio: 0.8, error: 0.1, freedom: 6.0 };
        let exact = contrast.as_sure_as(0.2);
        assert!((exact.chance(0.0) - 0.2).abs() < 1e-9);
        let [lower, _, upper] = exact.interval(0.8);
        assert!((lower - 1.0).abs() < 1e-9 && upper > 2.0, "{lower} {upper}");
        assert!(contrast.as_sure_as(1.0).interval(0.95)[0] < 1e-3);
        assert_eq!(contrast.no_surer_than(1e-9).error, 0.1);
        let tiny = Contrast { freedom: 14.0, ..contrast }.as_sure_as(1e-40);
        assert!((tiny.chance(0.0) / 1e-40 - 1.0).abs() < 1e-6);
        let none = Contrast { log_ratio: 0.0, ..contrast }.as_sure_as(1.0);
        assert_eq!((none.error, none.chance(0.0)), (0.1, 1.0));
        assert!(contrast.no_surer_than(0.2).error > 0.1);
    }

    #[test]
    fn one_run_per_side_decides_only_with_a_prior_from_other_tests() {
        let single = runs(&[10.0], &[20.0]);
        assert_eq!(single.contrast(single.spread(), None, Order::Apart), None);
        let spread = runs(&[1.0, 1.1], &[1.0, 0.9]).spread().unwrap();
        let empty = runs(&[], &[20.0, 21.0]);
        assert_eq!(empty.contrast(Some(spread), None, Order::InTurns), None);
        let prior = Prior::of(&[spread; 3]).unwrap();
        let contrast = single.contrast(None, Some(&prior), Order::InTurns).unwrap();
        let variance = prior.moderate(None).variance;
        assert!((contrast.error.powi(2) - 2.0 * variance).abs() < 1e-12);
        let apart = single.contrast(None, Some(&prior), Order::Apart).unwrap();
        assert!((apart.error.powi(2) - 4.0 * variance).abs() < 1e-12);
    }

    #[test]
    fn equal_runs_do_not_spread_less_than_bins() {
        let spread = runs(&[5.0, 5.0], &[5.0, 5.0]).spread().unwrap();
        assert!(spread.variance >= LEAST_DEVIATION.powi(2) * 0.99);
        let counts = Runs { least_variance: 0.2, ..runs(&[5.0, 5.0], &[5.0, 5.0]) };
        let contrast = counts.contrast(Some(spread), None, Order::InTurns).unwrap();
        assert!((contrast.error.powi(2) - 0.2).abs() < 1e-12);
    }

    /// Golden value of scipy: `(t.ppf(0.995, 11) + t.ppf(0.8, 11)) * 0.7`.
    #[test]
    fn the_detectable_ratio_is_known_beforehand() {
        let contrast = Contrast { log_ratio: 0.0, error: 0.7, freedom: 11.0 };
        assert!((contrast.detectable(0.01, 0.8) / 2.7869355455292135 - 1.0).abs() < 1e-6);
    }

    /// Golden values of scipy 1.17: `false_discovery_control(chances)` at most 0.05.
    #[test]
    fn discoveries_are_those_of_scipy() {
        let chances = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216];
        let level = level_of_discovery(&chances, 0.05);
        assert!((level - 0.01).abs() < 1e-15);
        assert_eq!(chances.iter().filter(|chance| **chance <= level).count(), 2);
        assert_eq!(level_of_discovery(&[0.9, 0.5], 0.05), 0.025);
        assert_eq!(level_of_discovery(&[], 0.05), 0.05);
        let many = level_of_discovery(&[0.01, 0.04, 0.03, 0.02], 0.05);
        assert!((many - 0.05).abs() < 1e-15);
    }

    /// 400 comparisons of 40 tests each, three runs per side, between two equal machines: in at
    /// most a few per cent is any difference shown, and 95 % intervals contain "no difference" as
    /// often as they claim. The spread of runs differs between tests.
    #[test]
    fn machines_that_are_the_same_show_no_difference() {
        let mut random = Random::new(11);
        let (mut wrong, mut covered) = (0, 0);
        for _ in 0..400 {
            let mut test = || {
                let deviation = 0.05 * (0.8 * random.normal()).exp();
                let mut side = || [(); 3].map(|()| deviation * random.normal()).to_vec();
                Runs { reference: side(), other: side(), least_variance: 0.0 }
            };
            let tests = [(); 40].map(|()| test());
            let sides = tests.iter().flat_map(|test| [&test.reference, &test.other]);
            let spreads: Vec<Spread> =
                sides.filter_map(|side| spread_within([&side[..]])).collect();
            let prior = Prior::of(&spreads);
            let contrast =
                |test: &Runs| test.contrast(test.spread(), prior.as_ref(), Order::InTurns);
            let contrasts: Vec<Contrast> = tests.iter().filter_map(contrast).collect();
            let chances: Vec<f64> = contrasts.iter().map(|one| one.chance(0.0)).collect();
            let level = level_of_discovery(&chances, 0.05);
            wrong += u32::from(chances.iter().any(|chance| *chance <= level));
            let [lower, _, upper] = contrasts[0].interval(0.95);
            covered += u32::from(lower <= 1.0 && 1.0 <= upper);
        }
        // 5 % of 400, plus three standard deviations of a binomial count.
        assert!(wrong <= 20 + 13, "{wrong}");
        assert!((367..=393).contains(&covered), "{covered}");
    }
}
