//! Bursts: busy periods with rests between them.
//!
//! A real-time thread that never rests is throttled by the kernel (after 95 % of a second) and
//! starves the rest of the machine. Work that never waits is therefore cut into short bursts; the
//! rests are not measured.

use std::hint::spin_loop;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use base::Nanos;
use record::fact::{BURSTS, BURSTS_MADE, BURSTS_PLANNED};
use record::{Row, Track};
use rt::clock;
use rt::memory::Samples;
use rt::sync::Meeting;

use crate::shape::{Holds, MOST_COUNTED, TrackShape};

/// Time from the start of one burst to the start of the next, if a burst is shorter than that.
const BURST_PERIOD_NS: u64 = 5_000_000;

/// Returns how many bursts fit into the time, at least one.
pub fn bursts_in(time: Nanos) -> u64 {
    (time.0 / BURST_PERIOD_NS).max(1)
}

/// Bursts that threads run in step: as many as fit into the time, fewer if they take longer.
pub struct Bursts {
    planned: u64,
    /// Equals `planned` until a thread finds that the time is up.
    made: AtomicU64,
    time: Nanos,
    together: Meeting,
}

impl Bursts {
    /// Plans the bursts of that many threads.
    ///
    /// # Errors
    /// If the kernel refuses the barrier at which the threads meet.
    pub fn within(time: Nanos, threads: usize) -> io::Result<Self> {
        let planned = bursts_in(time);
        Ok(Self { planned, made: AtomicU64::new(planned), time, together: Meeting::new(threads)? })
    }

    pub fn planned(&self) -> u64 {
        self.planned
    }

    pub fn room_for(&self, samples_a_burst: u64) -> Samples {
        Samples::with_capacity((self.planned * samples_a_burst) as usize)
    }

    /// Runs `burst` repeatedly in step with the other threads. After each burst all threads rest
    /// for at least a quarter of its length. When the time is up, no further burst begins; a burst
    /// that may itself take long can end early at the stamp that it is given.
    pub fn run(&self, mut burst: impl FnMut(u64)) {
        let first = clock::now();
        let time_is_up = first.saturating_add(self.time.0);
        for number in 0..self.planned {
            if number > 0 && clock::now() >= time_is_up {
                // A thread that leaves an earlier barrier late still runs its burst: all threads
                // leave at the same number.
                self.made.fetch_min(number, Ordering::Relaxed);
            }
            self.together.wait();
            if number >= self.made() {
                return;
            }
            let start = clock::now();
            burst(time_is_up);
            let end = clock::now();
            let rest = (end - start) / 4;
            clock::sleep_until((first + (number + 1) * BURST_PERIOD_NS).max(end + rest));
        }
    }

    /// Returns how many bursts were run, once the threads have ended.
    #[inline]
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Records on a track how many of the planned bursts were run.
    pub fn noted_on(&self, track: Track) -> Track {
        track.with(&BURSTS_PLANNED, self.planned).with(&BURSTS_MADE, self.made())
    }
}

/// Adds to the shape of a track what [`Bursts::noted_on`] records.
pub fn bursts_shape(shape: TrackShape) -> TrackShape {
    let most = Holds::UpTo(MOST_COUNTED);
    shape.fact(&BURSTS_PLANNED, most).fact(&BURSTS_MADE, most)
}

/// Copies what [`Bursts::noted_on`] recorded into a row.
pub fn with_bursts(row: Row, track: &Track) -> Row {
    BURSTS.iter().fold(row, |row, fact| row.with(fact, track.number(fact)))
}

#[inline]
pub fn spin_until(stamp: u64) {
    while clock::now() < stamp {
        spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Returns how many bursts each of three threads ran, of which the first sleeps for `asleep`.
    fn counts(bursts: &Bursts, asleep: Nanos) -> Vec<u64> {
        thread::scope(|scope| {
            let count = |sleeps: bool| {
                move || {
                    let mut count = 0;
                    bursts.run(|_| {
                        count += 1;
                        if sleeps {
                            clock::sleep_until(clock::now() + asleep.0);
                        }
                    });
                    count
                }
            };
            let threads = [true, false, false].map(|sleeps| scope.spawn(count(sleeps)));
            threads.map(|thread| thread.join().unwrap()).into()
        })
    }

    #[test]
    fn every_burst_runs_in_every_thread() {
        let bursts = Bursts {
            time: Nanos(u64::MAX),
            ..Bursts::within(Nanos(7 * BURST_PERIOD_NS), 3).unwrap()
        };
        assert_eq!(counts(&bursts, Nanos(0)), [7, 7, 7]);
        assert_eq!(bursts.made(), 7);
    }

    #[test]
    fn bursts_that_take_too_long_end_with_the_time_in_all_threads_at_once() {
        let bursts = Bursts::within(Nanos(20 * BURST_PERIOD_NS), 3).unwrap();
        let counts = counts(&bursts, Nanos(6 * BURST_PERIOD_NS));
        assert_eq!(counts, [bursts.made(); 3]);
        assert!((1..=4).contains(&bursts.made()), "{}", bursts.made());
    }

    #[test]
    fn one_burst_is_always_made() {
        assert_eq!(counts(&Bursts::within(Nanos(0), 3).unwrap(), Nanos(0)), [1; 3]);
    }
}
