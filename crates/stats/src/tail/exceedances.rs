//! Samples above a threshold, and when they came.

/// A sample's index among all samples, and its value in nanoseconds.
pub(super) type Placed = (usize, i64);

/// Samples above a threshold, in the order in which they came.
#[derive(Debug, Clone)]
pub(super) struct Exceedances {
    /// Threshold in nanoseconds; every sample here is larger.
    pub(super) threshold: i64,
    /// Number of all samples, including those below the threshold.
    pub(super) samples: usize,
    /// The samples above the threshold.
    pub(super) all: Vec<Placed>,
}

impl Exceedances {
    /// Selects the `count` largest of more samples, or fewer if the last of them are equal to the
    /// next one.
    pub(super) fn largest(values: &[i64], count: usize) -> Self {
        let all = values.iter().copied().enumerate().collect();
        Self { threshold: i64::MIN, samples: values.len(), all }.raised(count)
    }

    /// Selects the `count` largest of these, or fewer.
    pub(super) fn raised(&self, count: usize) -> Self {
        let mut values: Vec<i64> = self.all.iter().map(|(_, value)| *value).collect();
        let threshold = match values.len().checked_sub(count + 1) {
            Some(place) => *values.select_nth_unstable(place).1,
            None => self.threshold,
        };
        let above = self.all.iter().filter(|(_, value)| *value > threshold);
        Self { threshold, samples: self.samples, all: above.copied().collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the smallest of the `count` largest values, and the exceedances below it; `None` if
    /// there are fewer.
    pub(super) fn without_largest(&self, count: usize) -> Option<(i64, Self)> {
        let values = sorted(&self.all);
        let smallest = *values.get(values.len().checked_sub(count)?)?;
        let others = self.all.iter().filter(|(_, value)| *value < smallest).copied().collect();
        Some((smallest, Self { all: others, ..*self }))
    }

    /// Splits into those that came in the first half of all samples, and the rest.
    pub(super) fn halves(&self) -> (&[Placed], &[Placed]) {
        let half = self.samples / 2;
        self.all.split_at(self.all.partition_point(|(place, _)| *place < half))
    }

    /// Returns the largest number of equal values above the threshold, which shows how coarse the
    /// values are.
    pub(super) fn most_equal(&self) -> usize {
        let values = sorted(&self.all);
        let equal = values.chunk_by(PartialEq::eq).map(<[i64]>::len);
        equal.max().unwrap_or(0)
    }

    /// Returns the largest exceedance of each cluster. The longest gaps separate clusters, as many
    /// as the extremal index implies (Ferro, Segers: Inference for clusters of extreme values, J.
    /// R. Statist. Soc. B 65, 2003).
    pub(super) fn peaks(&self) -> Self {
        let gaps = gaps(&self.all);
        let wanted = (extremal_index(&gaps) * gaps.len() as f64) as usize;
        let mut sorted = gaps.clone();
        sorted.sort_unstable();
        // Either all gaps of equal length separate clusters or none of them does.
        let longest_inside = match gaps.len().checked_sub(wanted + 1) {
            Some(place) => sorted[place],
            None => 0,
        };
        let mut peaks: Vec<Placed> = Vec::new();
        for (index, exceedance) in self.all.iter().enumerate() {
            match peaks.last_mut() {
                Some(peak) if gaps[index - 1] <= longest_inside => {
                    if exceedance.1 > peak.1 {
                        *peak = *exceedance;
                    }
                }
                _ => peaks.push(*exceedance),
            }
        }
        Self { all: peaks, ..*self }
    }

    /// Returns the share of exceedances that begin a cluster.
    pub(super) fn extremal_index(&self) -> f64 {
        extremal_index(&gaps(&self.all))
    }

    /// Returns the same if the rate of exceedances changes in the middle: the value of the half in
    /// which exceedances depend less on each other.
    pub(super) fn extremal_index_of_a_half(&self) -> f64 {
        let (first, second) = self.halves();
        let of_halves = [first, second].map(|half| extremal_index(&gaps(half)));
        of_halves.into_iter().fold(self.extremal_index(), f64::max)
    }
}

/// Returns the values from small to large.
pub(super) fn sorted(all: &[Placed]) -> Vec<i64> {
    let mut values: Vec<i64> = all.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values
}

/// Returns the distance in samples of each exceedance from the one before it.
fn gaps(all: &[Placed]) -> Vec<u64> {
    let gap = |pair: &[Placed]| (pair[1].0 - pair[0].0) as u64;
    all.windows(2).map(gap).collect()
}

/// The intervals estimator (Ferro and Segers 2003, equations 5 and 6): 1 if exceedances come
/// independently, 1/n if they come n at a time, 0 for fewer than two gaps.
fn extremal_index(gaps: &[u64]) -> f64 {
    let Some(longest @ 1..) = gaps.iter().max().filter(|_| gaps.len() > 1) else {
        return 0.0;
    };
    // Gaps within clusters bias the estimator, unless all gaps are short.
    let less = if *longest > 2 { [1.0, 2.0] } else { [0.0, 0.0] };
    let (mut sum, mut product) = (0.0, 0.0);
    for gap in gaps {
        let gap = *gap as f64;
        sum += gap - less[0];
        product += (gap - less[0]) * (gap - less[1]);
    }
    (2.0 * sum * sum / (gaps.len() as f64 * product)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_samples_keep_their_order() {
        let all = Exceedances::largest(&[5, 9, 1, 7, 8, 2], 3);
        assert_eq!((all.threshold, all.samples), (5, 6));
        assert_eq!(all.all, [(1, 9), (3, 7), (4, 8)]);
        let fewer = all.raised(1);
        assert_eq!((fewer.threshold, fewer.all.clone()), (8, vec![(1, 9)]));
        let tied = Exceedances::largest(&[5, 9, 7, 7, 7, 2], 3);
        assert_eq!((tied.threshold, tied.all.clone()), (7, vec![(1, 9)]));
        assert_eq!(tied.most_equal(), 1);
    }

    #[test]
    fn samples_that_come_five_at_a_time_are_one_cluster() {
        // A stall every 100 to 190 samples, in which five samples are late.
        let (mut values, mut place, mut stalls) = (vec![0; 20_000], 50, 0);
        while place + 5 < values.len() {
            for (index, late) in [50, 40, 30, 20, 10].into_iter().enumerate() {
                values[place + index] = late + stalls % 9;
            }
            stalls += 1;
            place += 100 + (stalls as usize * 37) % 90;
        }
        let all = Exceedances::largest(&values, stalls as usize * 5);
        let peaks = all.peaks();
        assert_eq!(peaks.len() as i64, stalls);
        assert!(peaks.all.iter().all(|(_, value)| *value >= 50));
    }
}
