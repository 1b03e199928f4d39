//! What repeated runs show beyond what their samples show.

use crate::location::{average, variance};
use crate::student::standard_errors;
use crate::{CONFIDENCE, Distribution};

/// The mean of the means of several runs, with the spread between runs.
///
/// One-way random effects: each run's mean is the mean of all runs plus a deviation of that run
/// (Searle, Casella, McCulloch, Variance components, 1992, chapter 3). Kalibera and Jones, Rigorous
/// benchmarking in reasonable time, ISMM 2013, explain why the samples of one run are not enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeats {
    /// Number of runs.
    pub runs: u64,
    /// The mean of their means, in nanoseconds.
    pub mean_ns: f64,
    /// Half the width of the mean's 95 % interval, from the spread of the means.
    pub margin_ns: f64,
    /// Half the width that all samples together would give if they came from one run.
    pub pooled_margin_ns: f64,
    /// Standard deviation between runs, beyond what the variation of their samples explains; 0 if
    /// that explains all of it.
    pub between_ns: f64,
    /// Standard deviation within runs.
    pub within_ns: f64,
}

impl Repeats {
    /// Computes the figures of several runs. Returns `None` for fewer than two runs, or if no run
    /// has two samples.
    pub fn of(runs: &[&Distribution]) -> Option<Self> {
        let count = runs.len() as f64;
        let samples: f64 = runs.iter().map(|run| run.count() as f64).sum();
        if runs.len() < 2 || samples <= count {
            return None;
        }
        let means: Vec<f64> = runs.iter().map(|run| run.mean_ns()).collect();
        let of_means = variance(&means);
        let within = runs.iter().map(|run| squares(run)).sum::<f64>() / (samples - count);
        // The part of the variance of the means that the samples within runs explain.
        let explained =
            within * runs.iter().map(|run| 1.0 / run.count() as f64).sum::<f64>() / count;
        let [of_runs, of_samples] =
            [count - 1.0, samples - count].map(|freedom| standard_errors(freedom, CONFIDENCE));
        Some(Self {
            runs: runs.len() as u64,
            mean_ns: average(&means),
            margin_ns: of_runs * (of_means / count).sqrt(),
            pooled_margin_ns: of_samples * (within / samples).sqrt(),
            between_ns: (of_means - explained).max(0.0).sqrt(),
            within_ns: within.sqrt(),
        })
    }

    /// Returns the share of a sample's variance that is between runs, 0 to 1.
    pub fn share_between(&self) -> f64 {
        let (between, within) = (self.between_ns.powi(2), self.within_ns.powi(2));
        match between + within {
            0.0 => 0.0,
            all => between / all,
        }
    }
}

/// Returns the sum of squared distances of all samples from their mean. Early samples count as 0,
/// and all others as the upper edge of their bin.
fn squares(run: &Distribution) -> f64 {
    let mean = run.mean_ns();
    let of_bins = run.bins().map(|(edge, count)| count as f64 * (edge as f64 - mean).powi(2));
    of_bins.sum::<f64>() + run.early as f64 * mean * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;
    use crate::random::Random;

    /// By hand: means 20, 40 and 60 have variance 400; each run's samples have variance 200, half
    /// of which remains in the mean of two.
    #[test]
    fn variances_follow_the_hand_worked_example() {
        let runs = [of(&[10, 30]), of(&[30, 50]), of(&[50, 70])];
        let repeats = Repeats::of(&runs.each_ref()).unwrap();
        assert_eq!((repeats.runs, repeats.mean_ns), (3, 40.0));
        assert!((repeats.within_ns.powi(2) - 200.0).abs() < 1e-9);
        assert!((repeats.between_ns.powi(2) - 300.0).abs() < 1e-9);
        assert!((repeats.share_between() - 0.6).abs() < 1e-9);
        let margin = 4.302_652_73 * (400.0_f64 / 3.0).sqrt();
        assert!((repeats.margin_ns - margin).abs() < 1e-6);
        assert_eq!(Repeats::of(&[&runs[0]]), None);
        assert_eq!(Repeats::of(&[&of(&[1]), &of(&[2])]), None);
    }

    /// 1000 times four runs of 50 samples: their interval contains the true mean as often as
    /// stated, and that of all samples together far less often.
    #[test]
    fn intervals_of_repeats_cover_and_those_of_pooled_samples_do_not() {
        let mut random = Random::new(5);
        let (mut covered, mut pooled) = (0, 0);
        for _ in 0..1000 {
            let runs = [(); 4].map(|()| {
                let level = 1e6 + 1e4 * random.normal();
                of(&[(); 50].map(|()| (level + 1e4 * random.normal()) as i64))
            });
            let repeats = Repeats::of(&runs.each_ref()).unwrap();
            let off = (repeats.mean_ns - 1e6).abs();
            covered += u32::from(off <= repeats.margin_ns);
            pooled += u32::from(off <= repeats.pooled_margin_ns);
        }
        // Three standard deviations of a binomial count are 21.
        assert!((929..=971).contains(&covered), "{covered}");
        assert!(pooled < 500, "{pooled}");
    }
}
