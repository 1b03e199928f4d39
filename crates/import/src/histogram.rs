//! From the histogram of a file to a distribution.

use stats::Distribution;

use crate::Flaw;

/// The figures of a row, as a file states them, in nanoseconds.
#[derive(Debug, Default, Clone)]
pub(crate) struct Histogram {
    /// Value of each bin as the file names it, and its count, in rising order.
    pub bins: Vec<(i64, u64)>,
    pub min_ns: Option<f64>,
    pub mean_ns: Option<f64>,
    pub max_ns: Option<f64>,
    /// Samples above the last bin.
    pub beyond: u64,
    /// Whether the last bin also has every sample above it.
    pub is_open: bool,
}

impl Histogram {
    /// Returns the distribution; `None` without bins.
    ///
    /// A sample of a bin counts with the bin's value, and one above all bins with the largest value, which is its
    /// upper bound. Where a stated extreme is in none of the bins, one sample of the outermost bin has it.
    ///
    /// # Errors
    /// Fails if there are more samples than can be counted, or fewer than the stated extremes need.
    pub(crate) fn distribution(&self) -> Result<Option<Distribution>, Flaw> {
        let mut counts: Vec<(i64, u64)> =
            self.bins.iter().copied().filter(|(_, count)| *count > 0).collect();
        if counts.is_empty() {
            return Ok(None);
        }
        let last = counts[counts.len() - 1];
        let largest = nearest(self.max_ns).map_or(last.0, |max| max.max(last.0));
        if self.is_open && self.bins.last() == Some(&last) {
            counts.pop();
            counts.push((largest, last.1));
        } else if self.beyond > 0 {
            counts.push((largest, self.beyond));
        }
        let (lowest, highest) = (counts[0].0, counts[counts.len() - 1].0);
        take_out(&mut counts, 0, nearest(self.min_ns).filter(|min| *min < lowest))?;
        let last = counts.len() - 1;
        take_out(&mut counts, last, nearest(self.max_ns).filter(|max| *max > highest))?;
        let too_many = || Flaw::new("its histogram has more samples than can be counted");
        let samples = counts.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
        let samples = samples.ok_or_else(too_many)?;
        let sum = match self.mean_ns {
            Some(mean) => mean * samples as f64,
            None => counts.iter().map(|(value, count)| *value as f64 * *count as f64).sum(),
        };
        Distribution::of_counts(&counts, sum.round() as i64).ok_or_else(too_many).map(Some)
    }
}

/// Gives one sample of the bin at a place this value.
fn take_out(counts: &mut Vec<(i64, u64)>, place: usize, value: Option<i64>) -> Result<(), Flaw> {
    let Some(value) = value else { return Ok(()) };
    if counts.len() == 1 && counts[0].1 == 1 && counts[0].0 != value {
        return Err(Flaw::new("its only sample differs from its smallest or largest value"));
    }
    counts[place].1 -= 1;
    counts.push((value, 1));
    counts.retain(|(_, count)| *count > 0);
    counts.sort_unstable();
    Ok(())
}

fn nearest(ns: Option<f64>) -> Option<i64> {
    ns.map(|ns| ns.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bins: &[(i64, u64)], extremes: [f64; 2]) -> Histogram {
        let [min_ns, max_ns] = extremes.map(Some);
        Histogram { bins: bins.to_vec(), min_ns, max_ns, ..Histogram::default() }
    }

    fn ends(histogram: &Histogram) -> (u64, i64, i64) {
        let all = histogram.distribution().unwrap().unwrap();
        (all.count(), all.min.value_ns, all.max.value_ns)
    }

    #[test]
    fn samples_above_the_bins_have_the_largest_value() {
        let closed = Histogram { beyond: 3, ..of(&[(5_000, 10)], [5e3, 9e6]) };
        assert_eq!(ends(&closed), (13, 5_000, 9_000_000));
        let all = closed.distribution().unwrap().unwrap();
        assert_eq!(all.quantile_ns(0.5), 5_003, "0.1 % at most");
        assert_eq!(all.quantile_ns(0.8), 9_000_000);
        let open = Histogram { is_open: true, ..of(&[(1_000, 10), (2_000, 4)], [0.0, 7e6]) };
        assert_eq!(ends(&open), (14, 0, 7_000_000));
        assert_eq!(open.distribution().unwrap().unwrap().quantile_ns(0.9), 7_000_000);
    }

    #[test]
    fn stated_extremes_outside_of_all_bins_are_of_one_sample() {
        assert_eq!(ends(&of(&[(5_000, 2)], [4.6e3, 5.4e3])), (2, 4_600, 5_400));
        assert_eq!(ends(&of(&[(5_000, 1)], [5e3, 5e3])), (1, 5_000, 5_000));
        // The bins count more than a wrong extreme.
        assert_eq!(ends(&of(&[(0, 8), (5_000, 1)], [1e3, 2e3])), (9, 0, 5_000));
        assert!(of(&[(5_000, 1)], [4e3, 5e3]).distribution().is_err());
        assert_eq!(of(&[(5_000, 0)], [4e3, 5e3]).distribution(), Ok(None));
        assert!(of(&[(1, u64::MAX), (2, 2)], [1.0, 2.0]).distribution().is_err());
    }
}
