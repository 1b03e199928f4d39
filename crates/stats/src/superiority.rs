//! The probability that a sample of one side is longer than one of the other.

use crate::distribution::edge_ns;
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
    /// degrees of freedom are those of the side with fewer runs. Samples above `end_ns` are only
    /// known to be longer than all others: they count as equal. Returns `None` if a side has no
    /// run.
    pub fn of(
        reference: &[&Distribution],
        other: &[&Distribution],
        end_ns: Option<i64>,
    ) -> Option<Self> {
        if reference.is_empty() || other.is_empty() {
            return None;
        }
        let ranked = |runs: &[&Distribution]| -> Vec<Ranks> {
            runs.iter().map(|run| ranked(run, end_ns)).collect()
        };
        let (reference, other) = (ranked(reference), ranked(other));
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

/// Values from low to high with their counts; all early ones together are the lowest.
type Ranks = Vec<(Option<u64>, u64)>;

fn ranked(of: &Distribution, end_ns: Option<i64>) -> Ranks {
    let last = end_ns.map_or(u64::MAX, edge_ns);
    let mut ranks = vec![(None, of.early)];
    for (edge, count) in of.bins() {
        let rank = Some(edge.min(last.saturating_add(1)));
        match ranks.last_mut() {
            Some((before, counted)) if *before == rank => *counted = counted.saturating_add(count),
            _ => ranks.push((rank, count)),
        }
    }
    ranks
}

/// Returns the chance that a sample of `one` is longer than a sample of `than`.
fn longer(one: &Ranks, than: &Ranks) -> f64 {
    let mut others = than.iter().peekable();
    let (mut shorter, mut pairs) = (0.0, 0.0);
    for (value, count) in one {
        while let Some((_, passed)) = others.next_if(|(other, _)| other < value) {
            shorter += *passed as f64;
        }
        let equal = others.peek().filter(|(other, _)| other == value);
        pairs += *count as f64 * (shorter + equal.map_or(0.0, |(_, equal)| *equal as f64 / 2.0));
    }
    let samples = |ranks: &Ranks| ranks.iter().map(|(_, count)| *count as f64).sum::<f64>();
    pairs / (samples(one) * samples(than))
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
        let superiority = Superiority::of(&[&one], &[&other], None).unwrap();
        assert!((superiority.chance - 0.625).abs() < 1e-12, "{superiority:?}");
        assert_eq!(superiority.interval, None);
        let turned = Superiority::of(&[&other], &[&one], None).unwrap();
        assert!((turned.chance - (1.0 - 0.625)).abs() < 1e-12, "{turned:?}");
        let early = of(&[-5, -7, 3]);
        assert_eq!(Superiority::of(&[&early], &[&early], None).unwrap().chance, 0.5);
        assert_eq!(Superiority::of(&[], &[&one], None), None);
    }

    #[test]
    fn samples_above_the_end_of_a_histogram_are_equal() {
        let (one, other) = (of(&[1000, 20_000, 25_000, 90_000]), of(&[2000, 2000, 30_000, 40_000]));
        let chance = |end_ns| Superiority::of(&[&one], &[&other], end_ns).unwrap().chance;
        assert_eq!(chance(None), (1.0 + 1.0 + 3.0 + 3.0) / 16.0);
        // The value at the end is known.
        assert_eq!(chance(Some(20_000)), (1.0 + 1.0 + 3.0 + 3.0) / 16.0);
        assert_eq!(chance(Some(19_000)), (1.0 + 1.0 + 2.5 + 2.5) / 16.0);
        assert_eq!(chance(Some(i64::MIN)), 0.5);
    }

    /// By hand: the other side's runs take longer than the first run of the reference with chance
    /// 1, and than the second with chance 0.5. The standard error is 0.25; an interval from two
    /// runs takes 12.7 of it on each side.
    #[test]
    fn intervals_follow_from_how_far_runs_differ() {
        let [low, high] = [of(&[1]), of(&[5])];
        let other = [&high, &high];
        let superiority = Superiority::of(&[&low, &high], &other, None).unwrap();
        assert_eq!(superiority.chance, 0.75);
        assert_eq!(superiority.interval, Some([0.0, 1.0]));
        let same = Superiority::of(&[&low, &low], &other, None).unwrap();
        assert_eq!((same.chance, same.interval), (1.0, Some([1.0, 1.0])));
    }
}
