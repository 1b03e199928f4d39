//! Figures of merit (TEL 2.2).

use serde::Serialize;

use crate::Distribution;

/// Efficiency, variation and predictability of one distribution, or of a system as the average of
/// several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merit {
    /// Mean time, in nanoseconds.
    pub efficiency_ns: f64,
    /// Longest minus shortest time, in nanoseconds.
    pub variation_ns: f64,
    /// Share of times at most the tolerance above the mean, 0 to 1; null if the mean is negative.
    pub predictability: Option<f64>,
}

impl Merit {
    /// Computes the figures of one distribution; `tolerance` is a share of its average, 0 or more.
    pub fn of(distribution: &Distribution, tolerance: f64) -> Self {
        let average = distribution.mean_ns();
        // Not average x (1 + tolerance): the sum 1 + 0.15 is rounded to less than 1.15, and a
        // sample exactly at the bound would be lost.
        let bound = average + average * tolerance;
        let within = distribution.count_at_or_below(bound);
        let (min, max) = (distribution.min.value_ns, distribution.max.value_ns);
        Self {
            efficiency_ns: average,
            variation_ns: max.saturating_sub(min) as f64,
            predictability: within.map(|count| count as f64 / distribution.count() as f64),
        }
    }

    /// Returns the plain average of each figure, or `None` if there are no figures. If any
    /// predictability is unknown, so is the average predictability.
    pub fn average(all: &[Self]) -> Option<Self> {
        let mean = |figures: &mut dyn Iterator<Item = f64>| figures.sum::<f64>() / all.len() as f64;
        let known: Option<Vec<f64>> = all.iter().map(|merit| merit.predictability).collect();
        (!all.is_empty()).then(|| Self {
            efficiency_ns: mean(&mut all.iter().map(|merit| merit.efficiency_ns)),
            variation_ns: mean(&mut all.iter().map(|merit| merit.variation_ns)),
            predictability: known.map(|known| mean(&mut known.into_iter())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;

    /// By hand: ten times that add up to 1000, so the average is 100 and the variation 190 - 70 =
    /// 120. Seven are at or below 100, 105 is at the bound of a tolerance of 5 %, 115 at that of 15
    /// %, 190 at that of 90 %.
    #[test]
    fn figures_follow_the_hand_worked_example() {
        let ten = of(&[70, 80, 80, 85, 90, 90, 95, 105, 115, 190]);
        for (tolerance, within) in
            [(0.0, 7), (0.04, 7), (0.05, 8), (0.14, 8), (0.15, 9), (0.89, 9), (0.9, 10)]
        {
            let merit = Merit::of(&ten, tolerance);
            assert_eq!((merit.efficiency_ns, merit.variation_ns), (100.0, 120.0));
            let expected = f64::from(within) / 10.0;
            assert_eq!(merit.predictability, Some(expected), "{tolerance}");
        }
    }

    /// A property of the papers' formula: the result improves although nothing became steadier.
    #[test]
    fn one_outlier_makes_the_others_predictable() {
        let steady = [80; 40].into_iter().chain([120; 60]);
        let mut values: Vec<i64> = steady.collect();
        let share = |values: &[i64]| Merit::of(&of(values), 0.05).predictability;
        assert_eq!(share(&values), Some(0.4));
        values[99] = 10_000;
        assert_eq!(share(&values), Some(0.99));
    }

    #[test]
    fn equal_samples_are_wholly_predictable_whatever_their_size() {
        for value in [0, 7, 2_049, 123_456_789] {
            let merit = Merit::of(&of(&[value; 5]), 0.0);
            assert_eq!(merit.predictability, Some(1.0), "{value}");
            assert_eq!(merit.variation_ns, 0.0);
        }
    }

    #[test]
    fn early_samples_lie_below_a_bound_and_a_bound_below_them_is_unknown() {
        let some_early = Merit::of(&of(&[-30, -10, 20, 60]), 0.05);
        assert_eq!((some_early.efficiency_ns, some_early.variation_ns), (10.0, 90.0));
        assert_eq!(some_early.predictability, Some(0.5));
        assert_eq!(Merit::of(&of(&[-30, -10, 20]), 0.05).predictability, None);
    }

    #[test]
    fn a_system_is_the_plain_average_of_its_parts() {
        let parts = [of(&[10, 30]), of(&[1_000, 1_000, 1_000, 3_000])];
        let merits = parts.map(|part| Merit::of(&part, 0.05));
        let whole = Merit::average(&merits).unwrap();
        assert_eq!(whole.efficiency_ns, f64::midpoint(20.0, 1_500.0));
        assert_eq!(whole.variation_ns, f64::midpoint(20.0, 2_000.0));
        assert_eq!(whole.predictability, Some(f64::midpoint(0.5, 0.75)));
        assert_eq!(Merit::average(&[]), None);
    }
}
