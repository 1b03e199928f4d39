//! From raw stamps to samples.

use plan::Track;
use stats::Sample;

/// The time from each stamp of one column to the stamp beside it in another.
pub(crate) fn between(track: &Track, from: &str, to: &str) -> Vec<Sample> {
    let starts = track.values(from);
    let first = starts.first().copied().unwrap_or(0);
    starts
        .iter()
        .zip(track.values(to))
        .enumerate()
        .map(|(index, (start, end))| Sample {
            value_ns: end - start,
            index: index as u64,
            at_ns: (start - first) as u64,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_knows_its_place() {
        let track = Track::new("pairs")
            .column("from_ns", vec![100, 200])
            .column("to_ns", vec![107, 203]);
        let second = Sample {
            value_ns: 3,
            index: 1,
            at_ns: 100,
        };
        assert_eq!(between(&track, "from_ns", "to_ns")[1], second);
    }
}
