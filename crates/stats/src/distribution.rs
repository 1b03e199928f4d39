//! The distribution of one quantity over one run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;

use crate::bins::{Bins, SIGNIFICANT_DIGITS, place};
use crate::{Dependence, Part, Sample, Tail, histogram_v2};

/// All values of a run: counts in a histogram, and exact extremes.
///
/// Values from 0 up are in an HdrHistogram with three significant digits (quantiles are at most 0.1
/// % above the true value, with no upper limit). Values below zero are counted separately as
/// `early`: they are part of counts, mean and minimum, and a quantile that falls among them reads
/// 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Number of values below zero.
    pub early: u64,
    /// The smallest sample, exact.
    pub min: Sample,
    /// The largest sample, exact; of equal ones the first.
    pub max: Sample,
    /// Exact sum of all values, in nanoseconds; saturates at the largest number that fits (292
    /// years).
    pub sum_ns: i64,
    /// What the largest samples say about larger ones. Computing it needs the samples in their
    /// original order, so it is `None` in a merged distribution.
    pub tail: Option<Tail>,
    /// How much the samples depend on each other; `None` if their order is unknown, as in results of
    /// older versions.
    pub dependence: Option<Dependence>,
    /// The run in parts of equal time; empty if there are few samples, and in a merged
    /// distribution.
    pub parts: Vec<Part>,
    bins: Bins,
}

/// The largest value, in nanoseconds, for which a histogram need not grow.
const HIGHEST_AT_FIRST: u64 = 1_000_000_000;

/// Why a stored distribution cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADistribution {
    /// The bytes are not a histogram of three significant digits.
    #[error("the histogram's bytes are damaged")]
    Damaged,
    /// An extreme lies outside of the bin that should hold it.
    #[error("its smallest or largest value contradicts the histogram")]
    Contradiction,
}

impl Distribution {
    /// Computes the distribution of all samples; `None` if there are none.
    ///
    /// # Panics
    /// Never panics: the histogram grows to hold any value.
    pub fn of(samples: impl IntoIterator<Item = Sample>) -> Option<Self> {
        let mut samples: Vec<Sample> = samples.into_iter().collect();
        let first = *samples.first()?;
        let mut all = Self {
            early: 0,
            min: first,
            max: first,
            sum_ns: 0,
            tail: None,
            dependence: None,
            parts: Vec::new(),
            bins: Bins::default(),
        };
        let mut histogram = empty();
        for sample in &samples {
            all.add(*sample, &mut histogram);
        }
        all.bins = Bins::of(&histogram);
        // Samples of several threads may be sorted by thread.
        samples.sort_by_key(|sample| sample.at_ns);
        all.tail = Some(Tail::of(&samples));
        all.dependence = Some(Dependence::of(&samples));
        all.parts = Part::of(&samples);
        Some(all)
    }

    /// Builds the distribution of values that are known only as counts, such as those of another tool's histogram, with
    /// this sum; values and sum in nanoseconds. Times and indices of its extremes are unknown, and 0. `None` for no
    /// value, or for more values than can be counted.
    ///
    /// # Panics
    /// Never panics: the histogram grows to hold any value.
    pub fn of_counts(counts: &[(i64, u64)], sum_ns: i64) -> Option<Self> {
        let filled = || counts.iter().filter(|(_, count)| *count > 0);
        let at = |value_ns| Sample { value_ns, index: 0, at_ns: 0 };
        let min = at(filled().map(|(value, _)| *value).min()?);
        let max = at(filled().map(|(value, _)| *value).max()?);
        filled().try_fold(0u64, |all, (_, count)| all.checked_add(*count))?;
        let (mut early, mut histogram) = (0, empty());
        for (value, count) in filled() {
            match u64::try_from(*value) {
                Ok(value) => histogram
                    .record_n(value, *count)
                    .expect("the histogram grows to hold any value"),
                Err(_) => early += count,
            }
        }
        let bins = Bins::of(&histogram);
        Some(Self {
            early,
            min,
            max,
            sum_ns,
            tail: None,
            dependence: None,
            parts: Vec::new(),
            bins,
        })
    }

    /// Reassembles a stored distribution, without tail and parts.
    ///
    /// # Errors
    /// Fails if the bytes are not a V2 histogram of three significant digits, or if the extremes do
    /// not lie in its first and last bin.
    pub fn from_parts(
        early: u64,
        min: Sample,
        max: Sample,
        sum_ns: i64,
        histogram_v2: &[u8],
    ) -> Result<Self, NotADistribution> {
        let bins = histogram_v2::bins(histogram_v2).ok_or(NotADistribution::Damaged)?;
        let ends = bins.ends();
        let largest = match u64::try_from(max.value_ns) {
            Ok(max) => ends.is_some_and(|[_, last]| place(max) == last),
            Err(_) => ends.is_none() && early > 0,
        };
        let smallest = match u64::try_from(min.value_ns) {
            Ok(min) => early == 0 && ends.is_some_and(|[first, _]| place(min) == first),
            Err(_) => early > 0,
        };
        if !largest || !smallest || min.value_ns > max.value_ns {
            return Err(NotADistribution::Contradiction);
        }
        Ok(Self { early, min, max, sum_ns, tail: None, dependence: None, parts: Vec::new(), bins })
    }

    fn add(&mut self, sample: Sample, histogram: &mut Histogram<u64>) {
        if sample.value_ns < self.min.value_ns {
            self.min = sample;
        }
        if sample.value_ns > self.max.value_ns {
            self.max = sample;
        }
        self.sum_ns = self.sum_ns.saturating_add(sample.value_ns);
        match u64::try_from(sample.value_ns) {
            Ok(value) => histogram.record(value).expect("the histogram grows to hold any value"),
            Err(_) => self.early += 1,
        }
    }

    /// Adds the samples of another distribution. Of equal extremes it keeps its own. The order of
    /// all samples is unknown afterwards; they depend on each other as in the worse of both.
    pub fn merge(&mut self, other: &Self) {
        if other.min.value_ns < self.min.value_ns {
            self.min = other.min;
        }
        if other.max.value_ns > self.max.value_ns {
            self.max = other.max;
        }
        self.early = self.early.saturating_add(other.early);
        self.tail = None;
        self.dependence = self.dependence.zip(other.dependence).map(|(one, other)| one.or(other));
        self.parts.clear();
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.bins = self.bins.merged(&other.bins);
    }

    /// Returns the number of samples.
    pub fn count(&self) -> u64 {
        self.early.saturating_add(self.bins.total)
    }

    /// Returns the exact mean in nanoseconds.
    pub fn mean_ns(&self) -> f64 {
        self.sum_ns as f64 / self.count() as f64
    }

    /// Returns the smallest value that at least the share `q` (0 to 1) of all samples does not
    /// exceed, in nanoseconds; exact at 0 and 1.
    pub fn quantile_ns(&self, q: f64) -> i64 {
        self.ranked_ns((q.clamp(0.0, 1.0) * self.count() as f64).ceil() as u64)
    }

    /// Returns the sample of this rank, from 1 for the smallest, in nanoseconds; exact at both
    /// ends.
    pub(crate) fn ranked_ns(&self, rank: u64) -> i64 {
        if rank <= 1 {
            return self.min.value_ns;
        }
        if rank <= self.early {
            return 0;
        }
        let value = self.value_at_rank(rank - self.early);
        value.clamp(self.min.value_ns, self.max.value_ns)
    }

    /// Returns how many samples do not exceed the bound, in nanoseconds. The bin that the bound
    /// falls into counts as a whole, so the bound effectively is up to 0.1 % higher; early samples
    /// are below every bound from 0 up. Returns `None` for a bound below 0, since early samples
    /// have no bins.
    pub fn count_at_or_below(&self, bound_ns: f64) -> Option<u64> {
        (bound_ns >= 0.0)
            .then(|| self.early.saturating_add(self.bins.count_through(bound_ns as u64)))
    }

    /// Returns the upper edge of the bin that has the value of this rank, from 1.
    fn value_at_rank(&self, rank: u64) -> i64 {
        let mut below = 0;
        let edge = self.bins().find_map(|(edge, count)| {
            below = count.saturating_add(below);
            (below >= rank).then_some(edge)
        });
        edge.and_then(|edge| i64::try_from(edge).ok()).unwrap_or(i64::MAX)
    }

    /// Iterates over the histogram's filled bins from low to high: upper edge in nanoseconds,
    /// count.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.bins.iter()
    }

    /// Returns the histogram in HdrHistogram's V2 format, deflated.
    pub fn histogram_v2(&self) -> Vec<u8> {
        histogram_v2::bytes(&self.bins, HIGHEST_AT_FIRST)
    }

    /// Returns the same as base64, as in a line of HdrHistogram's log. Values below zero have no place in it.
    pub fn histogram_v2_base64(&self) -> String {
        STANDARD.encode(self.histogram_v2())
    }

    pub(crate) fn histogram(&self) -> Histogram<u64> {
        let mut histogram = empty();
        for (edge, count) in self.bins() {
            histogram.record_n(edge, count).expect("the histogram grows to hold any value");
        }
        histogram
    }
}

/// Returns the upper edge of the bin that a value falls into, in nanoseconds; 0 for a value below 0.
pub(crate) fn edge_ns(value_ns: i64) -> u64 {
    empty().highest_equivalent(value_ns.max(0).cast_unsigned())
}

fn empty() -> Histogram<u64> {
    let mut histogram = Histogram::new_with_bounds(1, HIGHEST_AT_FIRST, SIGNIFICANT_DIGITS)
        .expect("the bounds are constants in range");
    histogram.auto(true);
    histogram
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use hdrhistogram::serialization::Deserializer;

    /// Computes the distribution of these values, in this order.
    pub(crate) fn of(values: &[i64]) -> Distribution {
        let sample = |(value_ns, index)| Sample { value_ns, index, at_ns: index * 10 };
        Distribution::of(values.iter().copied().zip(0..).map(sample)).unwrap()
    }

    #[test]
    fn a_reader_of_the_base64_finds_every_bin() {
        let values: Vec<i64> = (-3..5_000).map(|value| value * 977).collect();
        let values = of(&values);
        let bytes = STANDARD.decode(values.histogram_v2_base64()).unwrap();
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut &*bytes).unwrap();
        assert_eq!(read.len() + values.early, values.count());
        let bins = read.iter_recorded().map(|bin| (bin.value_iterated_to(), bin.count_at_value()));
        assert!(bins.eq(values.bins()));
    }

    #[test]
    fn counts_of_a_damaged_store_do_not_wrap() {
        let mut all = Distribution { early: u64::MAX, ..of(&[-1, 7]) };
        all.merge(&of(&[-1, 7]));
        assert_eq!((all.count(), all.count_at_or_below(9.0)), (u64::MAX, Some(u64::MAX)));
    }

    #[test]
    fn extremes_are_exact_whatever_their_size_and_know_their_place() {
        for largest in [123_456_789, 3_600_000_000_000] {
            let all = of(&[5, largest, 3, largest]);
            assert_eq!((all.max.value_ns, all.max.index, all.max.at_ns), (largest, 1, 10));
            assert_eq!((all.min.value_ns, all.min.index), (3, 2));
            assert_eq!((all.quantile_ns(1.0), all.count()), (largest, 4));
        }
        assert_eq!(Distribution::of([]), None);
    }

    #[test]
    fn quantiles_follow_ranks() {
        let all = of(&(1..=1000).collect::<Vec<_>>());
        let quantiles = [0.0, 0.5, 0.99, 0.999].map(|q| all.quantile_ns(q));
        assert_eq!(quantiles, [1, 500, 990, 999]);
        assert!((all.mean_ns() - 500.5).abs() < 1e-9);
    }

    #[test]
    fn the_median_of_any_number_is_its_middle_value() {
        for count in 1..=400 {
            let all = of(&(1..=count).collect::<Vec<_>>());
            assert_eq!(all.quantile_ns(0.5), (count + 1) / 2, "{count}");
        }
    }

    #[test]
    fn early_values_are_counted_apart_and_not_lost() {
        let all = of(&[-7, -3, 4, 8]);
        assert_eq!((all.early, all.count()), (2, 4));
        assert_eq!(all.quantile_ns(0.5), 0);
        assert_eq!(all.quantile_ns(0.75), 4);
        assert_eq!(all.min.value_ns, -7);
        assert!((all.mean_ns() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn counts_up_to_a_bound_take_its_whole_bin() {
        let all = of(&[-7, 0, 999, 1_000, 100_000, 100_030]);
        let counts = [-0.5, 0.0, 999.9, 1_000.0, 99_000.0, 100_000.0, 1e300]
            .map(|bound| all.count_at_or_below(bound));
        // 100 000 and 100 030 share a bin that is 64 ns wide.
        assert_eq!(counts, [None, Some(2), Some(3), Some(4), Some(4), Some(6), Some(6)]);
    }

    #[test]
    fn merging_equals_measuring_together() {
        let mut left = of(&[1, 5_000_000_000, -2]);
        left.merge(&of(&[7, 9_000_000_000]));
        let together = of(&[1, 5_000_000_000, -2, 7, 9_000_000_000]);
        assert_eq!(left.count(), together.count());
        assert_eq!(left.sum_ns, together.sum_ns);
        assert!(left.bins().eq(together.bins()));
        assert_eq!(left.max.value_ns, together.max.value_ns);
    }

    #[test]
    fn counts_equal_their_samples() {
        let counted =
            Distribution::of_counts(&[(7, 2), (-1, 1), (90_000, 3), (8, 0)], 270_013).unwrap();
        let sampled = of(&[7, 7, -1, 90_000, 90_000, 90_000]);
        assert!(counted.bins().eq(sampled.bins()));
        assert_eq!((counted.early, counted.count(), counted.sum_ns), (1, 6, sampled.sum_ns));
        assert_eq!([counted.min.value_ns, counted.max.value_ns], [-1, 90_000]);
        assert_eq!(Distribution::of_counts(&[(1, 0)], 0), None);
        assert_eq!(Distribution::of_counts(&[(1, u64::MAX), (2, 1)], 0), None);
    }

    #[test]
    fn stored_and_read_back_it_is_the_same() {
        let all = of(&[0, 17, 65_000, 12_000_000_000, -4]);
        let histogram = all.histogram_v2();
        let back = Distribution::from_parts(all.early, all.min, all.max, all.sum_ns, &histogram);
        let back = back.unwrap();
        assert!(back.bins().eq(all.bins()));
        assert_eq!(back.quantile_ns(0.5), all.quantile_ns(0.5));
        let damaged = Distribution::from_parts(0, all.min, all.max, 0, b"text");
        assert_eq!(damaged, Err(NotADistribution::Damaged));
    }

    #[test]
    fn extremes_outside_of_their_bins_are_refused() {
        let all = of(&[17, 65_000, 12_000_000_000]);
        let at = |value_ns| Sample { value_ns, ..all.min };
        let read = |early, min, max| {
            let back = Distribution::from_parts(early, at(min), at(max), 0, &all.histogram_v2());
            back.map(|_| ())
        };
        assert_eq!(read(0, 17, 12_000_000_000), Ok(()));
        assert_eq!(read(1, -3, 12_000_000_000), Ok(()));
        let contradictions = [
            (0, 17, 1_000),
            (0, 18, 12_000_000_000),
            (0, -3, 12_000_000_000),
            (1, 17, 12_000_000_000),
            (0, 17, -1),
            (0, 12_000_000_000, 17),
        ];
        for (early, min, max) in contradictions {
            let refused = Err(NotADistribution::Contradiction);
            assert_eq!(read(early, min, max), refused, "{early} {min} {max}");
        }
    }
}
