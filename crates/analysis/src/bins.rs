//! Bins of equal width on a logarithmic axis.

use serde::Serialize;
use stats::Distribution;

const BINS_A_DECADE: f64 = 20.0;

/// Samples above `from_ns` and at or below `to_ns`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bin {
    /// Lower edge of the bin, in nanoseconds; exclusive.
    pub from_ns: f64,
    /// Upper edge of the bin, in nanoseconds; inclusive.
    pub to_ns: f64,
    /// Samples in the bin; early ones are in no bin.
    pub count: u64,
}

/// Returns the samples from 1 ns up in logarithmic bins, including empty bins between them. Samples
/// at 0 count in the lowest bin, early ones in none.
pub fn log_bins(distribution: &Distribution) -> Vec<Bin> {
    let mut counts: Vec<(i64, u64)> = Vec::new();
    for (upper_ns, count) in distribution.bins() {
        let place = place(upper_ns);
        match counts.last_mut() {
            Some((last, sum)) if *last == place => *sum += count,
            Some((last, _)) => {
                let gap = *last + 1..place;
                counts.extend(gap.map(|empty| (empty, 0)));
                counts.push((place, count));
            }
            None => counts.push((place, count)),
        }
    }
    counts
        .into_iter()
        .map(|(place, count)| Bin { from_ns: edge(place - 1), to_ns: edge(place), count })
        .collect()
}

fn place(ns: u64) -> i64 {
    // The small subtraction keeps an edge's value below its rounded logarithm.
    ((ns.max(1) as f64).log10() * BINS_A_DECADE - 1e-9).ceil() as i64
}

fn edge(place: i64) -> f64 {
    10f64.powf(place as f64 / BINS_A_DECADE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::distribution;

    fn of(values: &[i64]) -> Distribution {
        distribution(values).unwrap()
    }

    #[test]
    fn every_sample_that_is_not_early_has_a_bin() {
        let distribution = of(&[-5, 0, 1, 9, 10, 11, 5_000, 3_600_000_000_000]);
        let total: u64 = log_bins(&distribution).iter().map(|bin| bin.count).sum();
        assert_eq!(total + distribution.early, distribution.count());
    }

    #[test]
    fn bins_touch_and_hold_what_lies_between_their_edges() {
        let bins = log_bins(&of(&[1000, 1001, 20_000]));
        assert!(bins.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
        assert_eq!((bins[0].count, bins[1].count), (1, 1));
        assert!((bins[0].to_ns - 1000.0).abs() < 1e-6);
    }

    #[test]
    fn a_wide_distribution_stays_a_light_figure() {
        let values: Vec<i64> = (0..100_000).map(|k| k * k).collect();
        assert!(log_bins(&of(&values)).len() < 300);
    }
}
