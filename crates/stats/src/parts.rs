//! A run in parts of equal time: how much it varies within itself.

use serde::{Deserialize, Serialize};

use crate::{Sample, median};

/// One part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[i64; 3]", from = "[i64; 3]")]
pub struct Part {
    /// Number of samples in it; above 0.
    pub count: i64,
    /// Their sum, in nanoseconds.
    pub sum_ns: i64,
    /// Their median, in nanoseconds.
    pub median_ns: i64,
}

/// Number of parts of a run. Batches of dependent samples are less dependent on each other the
/// fewer and longer they are (Schmeiser, Batch size effects in the analysis of simulation output,
/// Oper. Res. 30, 1982, recommends 10 to 30).
const PARTS: u64 = 10;
/// Runs with fewer samples are not divided.
const LEAST_SAMPLES: usize = 100;

impl Part {
    /// Returns the mean of its samples, in nanoseconds.
    pub fn mean_ns(&self) -> f64 {
        self.sum_ns as f64 / self.count as f64
    }

    /// Divides samples, sorted by time, into parts. Parts without a sample are left out; there are
    /// no parts if there are few samples.
    pub(crate) fn of(samples: &[Sample]) -> Vec<Self> {
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
            return Vec::new();
        };
        if samples.len() < LEAST_SAMPLES {
            return Vec::new();
        }
        let span = last.at_ns - first.at_ns + 1;
        let place = |sample: &Sample| {
            u128::from(sample.at_ns - first.at_ns) * u128::from(PARTS) / u128::from(span)
        };
        let parts = samples.chunk_by(|one, next| place(one) == place(next));
        parts.map(part).collect()
    }
}

fn part(samples: &[Sample]) -> Part {
    let values: Vec<i64> = samples.iter().map(|sample| sample.value_ns).collect();
    let sum = values.iter().fold(0, |sum: i64, value| sum.saturating_add(*value));
    Part { count: values.len() as i64, sum_ns: sum, median_ns: median(&values).unwrap_or_default() }
}

impl From<Part> for [i64; 3] {
    fn from(part: Part) -> Self {
        [part.count, part.sum_ns, part.median_ns]
    }
}

impl From<[i64; 3]> for Part {
    fn from([count, sum_ns, median_ns]: [i64; 3]) -> Self {
        Self { count, sum_ns, median_ns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: u64) -> Vec<Sample> {
        let sample =
            |index: u64| Sample { value_ns: index as i64, index, at_ns: 5 + index * 1_000 };
        (0..count).map(sample).collect()
    }

    #[test]
    fn parts_are_of_equal_time_and_lose_no_sample() {
        let parts = Part::of(&samples(1000));
        assert_eq!(parts.len(), PARTS as usize);
        assert_eq!(parts.iter().map(|part| part.count).sum::<i64>(), 1000);
        assert_eq!((parts[0].mean_ns(), parts[0].median_ns), (49.5, 49));
        assert_eq!(Part::of(&samples(99)), []);
    }

    #[test]
    fn a_part_without_a_sample_is_left_out() {
        let mut samples = samples(1000);
        samples.retain(|sample| !(300..500).contains(&sample.index));
        assert_eq!(Part::of(&samples).len(), PARTS as usize - 2);
        // Samples that all have the same time form one part.
        samples.iter_mut().for_each(|sample| sample.at_ns = 7);
        assert_eq!(Part::of(&samples).len(), 1);
    }
}
