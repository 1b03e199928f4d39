//! Columns of samples: a value each for the same things.

use plan::Track;
use rt::memory::Samples;

use crate::shape::Holds;

/// The names of columns, and which numbers each holds; a shape of a track has the same.
pub(crate) type Kinds<const N: usize> = [(&'static str, Holds); N];

/// Samples of several columns, in memory that is there before the first one.
pub(crate) struct Columns<const N: usize> {
    kinds: &'static Kinds<N>,
    samples: [Samples; N],
}

impl<const N: usize> Columns<N> {
    /// Room for so many rows.
    pub(crate) fn with_room(kinds: &'static Kinds<N>, rows: u64) -> Self {
        let room = |_| Samples::with_capacity(rows as usize);
        Self { kinds, samples: kinds.map(room) }
    }

    /// Adds a row: neither waits nor allocates.
    #[inline]
    pub(crate) fn push(&mut self, row: [u64; N]) {
        for (samples, value) in self.samples.iter_mut().zip(row) {
            samples.push(value);
        }
    }

    /// Rows that did not fit.
    pub(crate) fn lost(&self) -> u64 {
        self.samples.iter().map(Samples::lost).max().unwrap_or(0)
    }

    /// Adds the columns to the track of their thread.
    pub(crate) fn onto(&self, track: Track) -> Track {
        let columns = self.kinds.iter().zip(&self.samples);
        columns.fold(track, |track, ((name, _), samples)| track.column(name, samples.to_column()))
    }
}
