//! Conversion of raw stamps to samples.

use record::{Row, Track};
use rt::memory::Samples;
use stats::{Distribution, Sample};

use crate::burst::{Bursts, bursts_shape, with_bursts};
use crate::shape::{Holds, TrackShape};

/// The columns of two stamps; bursts measure the time between them.
#[derive(Debug, Clone, Copy)]
pub struct Pair(pub &'static str, pub &'static str);

impl Pair {
    /// Adds the stamps of one or two threads to their track, with the number of lost ones.
    pub fn onto(self, track: Track, bursts: &Bursts, stamps: [&Samples; 2]) -> Track {
        let [from, to] = stamps;
        bursts
            .noted_on(track)
            .with("lost", from.lost() + to.lost())
            .column(self.0, from.to_column())
            .column(self.1, to.to_column())
    }

    pub fn shape(self, shape: TrackShape, most: u64) -> TrackShape {
        let columns = [(self.0, Holds::Stamps), (self.1, Holds::Stamps)];
        bursts_shape(shape.rows(most, &columns))
    }

    /// Returns the row of a track: every time between the two stamps.
    pub fn row(self, track: &Track) -> Row {
        let times = between(track, self.0, self.1);
        with_bursts(Row::of(&*track.name, Distribution::of(times)), track)
    }
}

/// Returns the time from each stamp of one column to the stamp in the same row of another.
pub fn between(track: &Track, from: &str, to: &str) -> Vec<Sample> {
    let starts = track.values(from);
    let first = starts.first().copied().unwrap_or(0);
    let sample = |(index, (start, end)): (usize, (&i64, &i64))| {
        let (value_ns, at_ns) = (end - start, (start - first) as u64);
        Sample { value_ns, index: index as u64, at_ns }
    };
    starts.iter().zip(track.values(to)).enumerate().map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_position() {
        let track =
            Track::new("pairs").column("from_ns", vec![100, 200]).column("to_ns", vec![107, 203]);
        let second = Sample { value_ns: 3, index: 1, at_ns: 100 };
        assert_eq!(between(&track, "from_ns", "to_ns")[1], second);
    }
}
