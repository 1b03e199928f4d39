//! What a paced loop keeps of each step.

use plan::Track;
use rt::memory::Samples;

use crate::shape::{Holds, TrackShape};

/// When each step was due, started and ended.
pub(crate) struct Stamps {
    dues: Samples,
    starts: Samples,
    ends: Samples,
}

/// What [`Stamps`] take for each step, in bytes.
pub(crate) const BYTES_A_STEP: u64 = 24;

impl Stamps {
    /// Room for so many steps.
    pub(crate) fn for_steps(steps: u64) -> Self {
        let room = || Samples::with_capacity(steps as usize);
        Self {
            dues: room(),
            starts: room(),
            ends: room(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, due: u64, start: u64, end: u64) {
        self.dues.push(due);
        self.starts.push(start);
        self.ends.push(end);
    }

    /// The shape of a track with the stamps of so many steps at most.
    pub(crate) fn shape(shape: TrackShape, most: u64) -> TrackShape {
        let columns = ["due_ns", "start_ns", "end_ns"].map(|name| (name, Holds::Stamps));
        shape.rows(most, &columns)
    }

    /// Adds the stamps to the track of their thread.
    pub(crate) fn onto(&self, track: Track) -> Track {
        track
            .column("due_ns", self.dues.to_column())
            .column("start_ns", self.starts.to_column())
            .column("end_ns", self.ends.to_column())
    }
}
