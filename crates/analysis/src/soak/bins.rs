//! The bins of a soak's histograms.

use stats::Distribution;

/// Upper bounds of the bins that pictures and metrics show, in nanoseconds: 1, 2 and 5 of each power
/// of ten from 1 µs to 1 s.
pub const BOUNDS_NS: [u64; 19] = {
    let mut bounds = [0; 19];
    let mut at = 0;
    while at < bounds.len() {
        bounds[at] = [1, 2, 5][at % 3] * 10_u64.pow(3 + at as u32 / 3);
        at += 1;
    }
    bounds
};
/// Bins between these bounds, and one above them.
pub const BINS: usize = BOUNDS_NS.len() + 1;

/// Returns the counts of these bins.
pub(super) fn histogram(latency: &Distribution) -> Vec<u64> {
    let through = |bound: &u64| latency.count_at_or_below(*bound as f64).unwrap_or(0);
    let up_to = BOUNDS_NS.iter().map(through).chain([latency.count()]);
    let mut below = 0;
    up_to.map(|count| count - std::mem::replace(&mut below, count)).collect()
}

pub(super) fn add_counts(all: &mut [u64], more: &[u64]) {
    all.iter_mut().zip(more).for_each(|(all, count)| *all += count);
}
