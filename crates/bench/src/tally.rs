//! Counters that a measuring thread reads after each period if causes of lateness are searched for:
//! in the slack after the last stamp, never within the measured time.

use blame::USED;
use blame::trace::Mark;
use record::{RunSpec, Track};
use rt::counters::ThreadUse;
use rt::memory::Samples;
use rt::process::{Pid, this_thread};
use rt::tracefs::Marker;

use crate::columns;
use crate::shape::{Holds, MOST_COUNTED, TrackShape};

/// The counters of a thread; `None` if no causes are searched for.
pub struct Tally(Option<Readings>);

struct Readings {
    limit: u64,
    thread: i64,
    marker: Option<Marker>,
    readings: [Samples; USED.len()],
}

/// Returns the memory of a period if causes are searched for, in bytes.
pub fn bytes_a_period(spec: &RunSpec) -> u64 {
    spec.blame_beyond.map_or(0, |_| USED.len() as u64 * 8)
}

impl Tally {
    /// Creates the tally of a thread with `periods` periods; the thread must call this itself.
    /// `runner` is the process that traces.
    pub fn of(spec: &RunSpec, periods: u64, runner: Pid) -> Self {
        let room = |_| Samples::with_capacity(periods as usize + 1);
        Self(spec.blame_beyond.map(|limit| Readings {
            limit: limit.0,
            thread: i64::from(this_thread().as_raw_nonzero().get()),
            marker: Marker::into_instance_of(runner),
            readings: USED.map(room),
        }))
    }

    /// Takes the first reading, right before the first period.
    #[inline]
    pub fn begin(&mut self) {
        if let Some(readings) = &mut self.0 {
            readings.take();
        }
    }

    pub fn clear(&mut self) {
        if let Some(readings) = &mut self.0 {
            readings.readings.iter_mut().for_each(Samples::clear);
        }
    }

    /// Takes the reading after a period that was due and done at these stamps.
    #[inline]
    pub fn after(&mut self, due: u64, end: u64) {
        if let Some(readings) = &mut self.0 {
            readings.after(due, end);
        }
    }

    /// Keeps the readings of the first `periods` periods, and the one before them.
    pub fn truncate(&mut self, periods: usize) {
        if let Some(readings) = &mut self.0 {
            readings.readings.iter_mut().for_each(|readings| readings.truncate(periods + 1));
        }
    }

    /// Adds the readings of the periods that follow.
    pub fn extend(&mut self, more: &Self) {
        let (Some(readings), Some(more)) = (&mut self.0, &more.0) else { return };
        readings.thread = more.thread;
        for (readings, more) in readings.readings.iter_mut().zip(&more.readings) {
            // The first reading is that after the last period.
            let known = usize::from(!readings.values().is_empty());
            more.values().iter().skip(known).for_each(|value| readings.push(*value));
        }
    }

    pub fn onto(&self, track: Track) -> Track {
        let Some(readings) = &self.0 else { return track };
        columns::onto(track.with("thread_number", readings.thread), USED, &readings.readings)
    }
}

impl Readings {
    #[inline]
    fn take(&mut self) {
        let ThreadUse { cpu_time_ns, faults, voluntary_switches, involuntary_switches, cpu } =
            ThreadUse::now();
        let values = [cpu_time_ns, faults, voluntary_switches, involuntary_switches, cpu];
        for (readings, value) in self.readings.iter_mut().zip(values) {
            readings.push(value);
        }
    }

    /// Takes a reading; if the period took too long, marks the trace so that its events are kept.
    #[inline]
    fn after(&mut self, due: u64, end: u64) {
        self.take();
        if let (true, Some(marker)) = (end > due + self.limit, &self.marker) {
            let mark = Mark { thread: self.thread, due: due as i64, end: end as i64 };
            let (line, length) = mark.line();
            marker.write(&line[..length]);
        }
    }
}

/// Returns the shape of the track of a thread that counts if causes are searched for.
pub fn shape(spec: &RunSpec, periods: u64, shape: TrackShape) -> TrackShape {
    if spec.blame_beyond.is_none() {
        return shape;
    }
    shape
        .fact("thread_number", Holds::UpTo(u64::from(u32::MAX)))
        .rows(periods.saturating_add(1), &USED.map(|name| (name, Holds::UpTo(MOST_COUNTED))))
}
