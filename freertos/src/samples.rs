//! Room for the times of one test, in ticks of the board's clock.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Times of one test; tasks of one CPU write them, one after the other.
pub struct Samples {
    values: [AtomicU32; Self::ROOM],
    used: AtomicUsize,
}

impl Samples {
    /// As many as a test makes at most.
    pub const ROOM: usize = 10_000;

    /// Without times.
    pub const fn new() -> Self {
        Self {
            values: [const { AtomicU32::new(0) }; Self::ROOM],
            used: AtomicUsize::new(0),
        }
    }

    /// Keeps a time; beyond the room it is dropped, which the count of a test shows.
    #[inline(always)]
    pub fn push(&self, ticks: u32) {
        let place = self.used.load(Relaxed);
        if let Some(value) = self.values.get(place) {
            value.store(ticks, Relaxed);
            self.used.store(place + 1, Relaxed);
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Writes a line with a name and all times, and has room again.
    pub fn tell(&self, name: &str, to: &mut impl Write) -> fmt::Result {
        write!(to, "{name}")?;
        for value in &self.values[..self.count()] {
            write!(to, " {}", value.load(Relaxed))?;
        }
        self.used.store(0, Relaxed);
        writeln!(to)
    }
}
