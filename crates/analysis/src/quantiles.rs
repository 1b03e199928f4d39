//! Which quantiles a number of samples supports.

use stats::Distribution;

/// A quantile in nanoseconds, where at least one sample lies beyond it.
pub fn supported(latency: &Distribution, share: f64) -> Option<f64> {
    (latency.count() >= needed(share)).then(|| latency.quantile_ns(share) as f64)
}

/// The fewest samples of which one lies beyond the share.
pub fn needed(share: f64) -> u64 {
    (1.0 / (1.0 - share)).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Sample;

    #[test]
    fn a_quantile_needs_a_sample_beyond_it() {
        let of = |count: i64| {
            let samples = (0..count).map(|value_ns| Sample { value_ns, index: 0, at_ns: 0 });
            Distribution::of(samples).unwrap()
        };
        assert_eq!(needed(0.999), 1000);
        assert_eq!(supported(&of(999), 0.999), None);
        assert_eq!(supported(&of(1000), 0.999), Some(998.0));
    }
}
