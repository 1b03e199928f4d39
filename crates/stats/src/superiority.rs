//! The probability that a sample of one side is longer than one of the other.

use crate::location::{average, variance};
use crate::student::standard_errors;
use crate::{CONFIDENCE, Distribution};

/// The chance that a sample of the other side takes longer than one of the reference, with equal
/// ones counted half: 0.5 if neither is longer (Mann, Whitney, Ann. Math. Statist. 18, 1947).
/// Cliff's delta is twice that, minus 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superiority {
    /// The chance, 0 to 1; the mean over all pairs of runs.
    pub chance: f64,
    /// Its 95 % interval, if each side has several runs.
    pub interval: Option<[f64; 2]>,
}

impl Superiority {
    /// Computes the chance from runs on both sides, with the run as the unit of analysis. The
    /// variance comes from how far the runs of each side differ against all runs of the other
    /// (Obuchowski, Nonparametric analysis of clustered ROC curve data, Biometrics 53, 1997); its
    /// degrees of freedom are those of the side with fewer runs. Returns `None` if a side has no
    /// run.
    pub fn of(reference: &[&Distribution], other: &[&Distribution]) -> Option<Self> {
        if reference.is_empty() || other.is_empty() {
            return None;
        }
        let chances: Vec<Vec<f64>> = reference
            .iter()
            .map(|one| other.iter().map(|than| longer(than, one)).collect())
            .collect();
        let of_reference: Vec<f64> = chances.iter().map(|row| average(row)).collect();
        let of_other: Vec<f64> = (0..other.len())
            .map(|column| average(&chances.iter().map(|row| row[column]).collect::<Vec<f64>>()))
            .collect();
        let chance = average(&of_reference);
        let fewest = reference.len().min(other.len());
        let interval = (fewest > 1).then(|| {
            let error = (of_mean(&of_reference) + of_mean(&of_other)).sqrt();
            let half = standard_errors(fewest as f64 - 1.0, CONFIDENCE) * error;
            [(chance - half).max(0.0), (chance + half).min(1.0)]
        });
        Some(Self { chance, interval })
    }
}

/// Returns the chance that a sample of `one` is longer than a sample of `than`.
fn longer(one: &Distribution, than: &Distribution) -> f64 {
    let mut others = ranked(than).peekable();
    let (mut shorter, mut pairs) = (0.0, 0.0);
    for (value, count) in ranked(one) {
        while let Some((_, passed)) = others.next_if(|(other, _)| *other < value) {
            shorter += passed as f64;
        }
        let equal = others.peek().filter(|(other, _)| *other == value);
        pairs += count as f64 * (shorter + equal.map_or(0.0, |(_, equal)| *equal as f64 / 2.0));
    }
    pairs / (one.count() as f64 * than.count() as f64)
}

/// Iterates over values from low to high with their counts; all early ones together are the lowest.
fn ranked(of: &Distribution) -> impl Iterator<Item = (Option<u64>, u64)> + '_ {
    let bins = of.bins().map(|(edge, count)| (Some(edge), count));
    std::iter::once((None, of.early)).chain(bins)
}

/// Returns the variance of the mean of these values.
fn of_mean(values: &[f64]) -> f64 {
    variance(values) / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;

    /// Golden values of scipy 1.17: `mannwhitneyu(b, a).statistic / (len(a) * len(b))`.
    #[test]
    fn chances_are_those_of_scipy() {
        let (one, other) = (of(&[1, 4, 4, 9, 30]), of(&[4, 5, 9, 12]));
        let superiority = Superiority::of(&[&one], &[&other]).unwrap();
        assert!((superiority.chance - 0.625).abs() < 1e-12, "{superiority:?}");
        assert_eq!(superiority.interval, None);
        let turned = Superiority::of(&[&other], &[&one]).unwrap();
        assert!((turned.chance - (1.0 - 0.625)).abs() < 1e-12, "{turned:?}");
        let early = of(&[-5, -7, 3]);
        assert_eq!(Superiority::of(&[&early], &[&early]).unwrap().chance, 0.5);
        assert_eq!(Superiority::of(&[], &[&one]), None);
    }

    /// By hand: the other side's runs take longer than the first run of the reference with chance
    /// 1, and than the second with chance 0.5. The standard error is 0.25; an interval from two
    /// runs takes 12.7 of it on each side.
    #[test]
    fn intervals_follow_from_how_far_runs_differ() {
        let [low, high] = [of(&[1]), of(&[5])];
        let other = [&high, &high];
        let superiority = Superiority::of(&[&low, &high], &other).unwrap();
        assert_eq!(superiority.chance, 0.75);
        assert_eq!(superiority.interval, Some([0.0, 1.0]));
        let same = Superiority::of(&[&low, &low], &other).unwrap();
        assert_eq!((same.chance, same.interval), (1.0, Some([1.0, 1.0])));
    }
}
