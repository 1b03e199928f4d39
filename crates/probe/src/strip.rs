//! Values over time: the shortest and longest in each interval of a run, so that no peak is lost.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stats::Sample;

/// Maximum number of intervals of a run.
const MOST_BINS: u64 = 400;

struct Bin {
    at_ns: u64,
    min_ns: i64,
    max_ns: i64,
}

/// Returns intervals of equal length with at least one sample each, in the order of time.
pub(crate) fn strip(samples: impl IntoIterator<Item = Sample>) -> Value {
    let samples: Vec<Sample> = samples.into_iter().collect();
    let width = width(samples.iter().map(|sample| sample.at_ns).max().unwrap_or(0));
    let mut bins: BTreeMap<u64, Bin> = BTreeMap::new();
    for Sample { value_ns, at_ns, .. } in samples {
        let bin =
            bins.entry(at_ns / width).or_insert(Bin { at_ns, min_ns: value_ns, max_ns: value_ns });
        bin.at_ns = bin.at_ns.min(at_ns);
        bin.min_ns = bin.min_ns.min(value_ns);
        bin.max_ns = bin.max_ns.max(value_ns);
    }
    let interval =
        |bin: &Bin| json!({ "at_ns": bin.at_ns, "min_ns": bin.min_ns, "max_ns": bin.max_ns });
    bins.values().map(interval).collect()
}

/// Intervals of equal length with the stolen time, from pairs of time and stolen time, in ns.
pub(crate) fn taken(samples: &[(u64, i64)]) -> Value {
    let width = width(samples.iter().map(|(at, _)| *at).max().unwrap_or(0));
    let mut bins: BTreeMap<u64, i64> = BTreeMap::new();
    for (at, taken) in samples.iter().filter(|(_, taken)| *taken > 0) {
        let bin = bins.entry(at / width).or_default();
        *bin = bin.saturating_add(*taken);
    }
    bins.iter().map(|(bin, taken)| json!({ "at_ns": bin * width, "stolen_ns": taken })).collect()
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
        let bins = strip.as_array().unwrap();
        assert!(bins.len() <= MOST_BINS as usize);
        let highest = bins.iter().max_by_key(|bin| bin["max_ns"].as_i64()).unwrap();
        assert_eq!((&highest["min_ns"], &highest["max_ns"]), (&json!(8_000), &json!(9_999)));
        let after = highest["at_ns"].as_u64().unwrap();
        assert!((3_320_000_000..=3_333_000_000).contains(&after), "{after}");
    }

    #[test]
    fn threads_share_intervals_and_empty_ones_are_left_out() {
        let both = [(0, 5), (400, 7), (0, 3), (400, 9)].map(sample);
        let bin = |at_ns: u64, min_ns: i64, max_ns: i64| json!({ "at_ns": at_ns, "min_ns": min_ns, "max_ns": max_ns });
        assert_eq!(strip(both), json!([bin(0, 3, 5), bin(400_000_000, 7, 9)]));
        assert_eq!(strip([]), json!([]));
    }

    #[test]
    fn stolen_times_add_up() {
        let readings = [(0, 0), (100, 20), (150, 5), (40_000, 10)];
        let intervals = taken(&readings);
        let bins = intervals.as_array().unwrap();
        let all: i64 = bins.iter().filter_map(|bin| bin["stolen_ns"].as_i64()).sum();
        assert_eq!((bins.len(), all), (3, 35));
    }
}
