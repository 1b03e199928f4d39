//! Values over time: the shortest and longest in each interval of a run, so that no peak is lost.

use std::collections::BTreeMap;

use record::shape::{StolenBin, StripBin};
use stats::Sample;

/// Maximum number of intervals of a run.
const MOST_BINS: u64 = 400;

/// Returns intervals of equal length with at least one sample each, in the order of time.
pub fn strip(samples: impl IntoIterator<Item = Sample>) -> Vec<StripBin> {
    let samples: Vec<Sample> = samples.into_iter().collect();
    let width = width(samples.iter().map(|sample| sample.at_ns).max().unwrap_or(0));
    let mut bins: BTreeMap<u64, StripBin> = BTreeMap::new();
    for Sample { value_ns, at_ns, .. } in samples {
        let first = StripBin { at_ns, min_ns: value_ns, max_ns: value_ns };
        let bin = bins.entry(at_ns / width).or_insert(first);
        bin.at_ns = bin.at_ns.min(at_ns);
        bin.min_ns = bin.min_ns.min(value_ns);
        bin.max_ns = bin.max_ns.max(value_ns);
    }
    bins.into_values().collect()
}

/// Intervals of equal length with the stolen time, from pairs of time and stolen time, in ns.
pub fn taken(samples: &[(u64, i64)]) -> Vec<StolenBin> {
    let width = width(samples.iter().map(|(at, _)| *at).max().unwrap_or(0));
    let mut bins: BTreeMap<u64, i64> = BTreeMap::new();
    for (at, taken) in samples.iter().filter(|(_, taken)| *taken > 0) {
        let bin = bins.entry(at / width).or_default();
        *bin = bin.saturating_add(*taken);
    }
    let bin = |(bin, stolen_ns)| StolenBin { at_ns: bin * width, stolen_ns };
    bins.into_iter().map(bin).collect()
}

fn width(last_ns: u64) -> u64 {
    last_ns / MOST_BINS + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample((index, value_ns): (u64, i64)) -> Sample {
        Sample { value_ns, index, at_ns: index * 1_000_000 }
    }

    #[test]
    fn no_peak_is_lost() {
        let values = (0..5000).map(|k| (k, if k == 3333 { 9_999 } else { 8_000 }));
        let strip = strip(values.map(sample));
        assert!(strip.len() <= MOST_BINS as usize);
        let highest = strip.iter().max_by_key(|bin| bin.max_ns).unwrap();
        assert_eq!((highest.min_ns, highest.max_ns), (8_000, 9_999));
        assert!((3_320_000_000..=3_333_000_000).contains(&highest.at_ns), "{highest:?}");
    }

    #[test]
    fn threads_share_intervals_and_empty_ones_are_left_out() {
        let both = [(0, 5), (400, 7), (0, 3), (400, 9)].map(sample);
        let bin = |at_ns, min_ns, max_ns| StripBin { at_ns, min_ns, max_ns };
        assert_eq!(strip(both), [bin(0, 3, 5), bin(400_000_000, 7, 9)]);
        assert_eq!(strip([]), []);
    }

    #[test]
    fn stolen_times_add_up() {
        let readings = [(0, 0), (100, 20), (150, 5), (40_000, 10)];
        let bins = taken(&readings);
        let all: i64 = bins.iter().map(|bin| bin.stolen_ns).sum();
        assert_eq!((bins.len(), all), (3, 35));
    }
}
