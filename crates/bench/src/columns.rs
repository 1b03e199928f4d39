//! Columns of samples: each row holds one value per column.

use record::Track;
use rt::memory::Samples;

use crate::shape::Holds;

/// Names of columns, and the numbers that each holds; the shape of a track uses the same type.
pub type Kinds<const N: usize> = [(&'static str, Holds); N];

/// Samples of several columns, in memory that is allocated before the first sample.
pub struct Columns<const N: usize> {
    kinds: &'static Kinds<N>,
    samples: [Samples; N],
}

impl<const N: usize> Columns<N> {
    pub fn with_room(kinds: &'static Kinds<N>, rows: u64) -> Self {
        let room = |_| Samples::with_capacity(rows as usize);
        Self { kinds, samples: kinds.map(room) }
    }

    /// Adds a row without waiting or allocating.
    #[inline]
    pub fn push(&mut self, row: [u64; N]) {
        for (samples, value) in self.samples.iter_mut().zip(row) {
            samples.push(value);
        }
    }

    pub fn values(&self) -> [&[u64]; N] {
        self.samples.each_ref().map(Samples::values)
    }

    pub fn clear(&mut self) {
        self.samples.iter_mut().for_each(Samples::clear);
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.samples.first().map_or(0, |samples| samples.values().len() as u64)
    }

    pub fn lost(&self) -> u64 {
        self.samples.iter().map(Samples::lost).max().unwrap_or(0)
    }

    pub fn onto(&self, track: Track) -> Track {
        onto(track, self.kinds.map(|(name, _)| name), &self.samples)
    }
}

pub fn onto<'s>(
    track: Track,
    names: impl IntoIterator<Item = &'static str>,
    samples: impl IntoIterator<Item = &'s Samples>,
) -> Track {
    let columns = names.into_iter().zip(samples);
    columns.fold(track, |track, (name, samples)| track.column(name, samples.to_column()))
}
