//! Measuring in intervals without a pause between them: a measured thread hands over the samples of
//! an interval to a helper thread, and neither waits for the other.

mod exchange;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use base::{Nanos, Rate};
use record::{RunSpec, ThreadFound, Track, Warning};
use rt::thread::start_in;

use crate::findings::findings;
use crate::measuring_thread::MeasuringThread;
use crate::{Abort, Bench};

pub use exchange::{Exchange, Reader, Samples, Writer};
use exchange::{NUMBER, STALLED};

/// How often the helper looks for samples. It never needs to be on time: it has a whole interval.
pub const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Takes the intervals, one after the other, in a separate thread.
pub type HandOver<'h> = &'h mut (dyn FnMut(Interval) + Send + 'h);

/// A measurement that can go on for days, in intervals.
pub trait Continuous {
    /// Refuses a run that cannot be cut into intervals.
    ///
    /// # Errors
    /// One line that names the option and the remedy.
    fn check_continuous(&self, spec: &RunSpec) -> Result<(), String>;

    /// Returns how often a period begins.
    ///
    /// # Errors
    /// If it has none.
    fn rate(&self, spec: &RunSpec) -> Result<Rate, String> {
        spec.parameters.rate().ok_or_else(|| "--interval: it has no periods".to_owned())
    }

    /// Makes the run as long as an interval, in whole periods.
    ///
    /// # Errors
    /// If an interval is shorter than a period.
    fn set_interval(&self, spec: &mut RunSpec, interval: Nanos) -> Result<(), String> {
        set_periods(spec, self.rate(spec)?, interval).map(drop)
    }

    /// Measures that many intervals, each as long as the run of `bench`, without a pause. Each is
    /// handed over while the next one is measured, by another thread.
    ///
    /// # Errors
    /// If conditions could not be set up, or the result is wrong.
    fn run_intervals(&self, bench: &Bench, count: u64, hand_over: HandOver) -> Result<(), Abort>;
}

/// Makes the run as long as an interval, in whole periods, and returns their number.
///
/// # Errors
/// Names `--interval` if it is shorter than a period.
pub fn set_periods(spec: &mut RunSpec, rate: Rate, interval: Nanos) -> Result<u64, String> {
    let periods = rate.periods_in(interval);
    if periods == 0 {
        let period = rate.period();
        return Err(format!("--interval: {interval} is shorter than a period of {period}"));
    }
    spec.asked.duration = rate.time_of(periods);
    Ok(periods)
}

#[derive(Debug, Default)]
pub struct Interval {
    pub tracks: Vec<Track>,
    /// The conditions of the threads, read back at its end.
    pub threads: Vec<ThreadFound>,
    pub warnings: Vec<Warning>,
}

/// The place of a recorded interval in its watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 0.
    pub number: u64,
    /// How many intervals right before it had no step.
    pub stalled: u64,
    /// The stamp of its begin.
    pub began: u64,
}

impl Place {
    /// Returns the place of an interval with these tracks; all of them have the same.
    pub fn of(tracks: &[Track]) -> Option<Self> {
        let first = tracks.first()?;
        let number = |name| u64::try_from(first.number(name)).ok();
        let stalled = tracks.iter().map(|track| track.number(STALLED)).max();
        Some(Self {
            number: number(NUMBER)?,
            stalled: u64::try_from(stalled?).ok()?,
            began: number("t0_ns")?,
        })
    }
}

/// Runs the threads, with a helper that reads their samples; `track` makes a track of them.
///
/// # Errors
/// As [`Bench::run`].
pub fn run_threads<'a, R: Send, const N: usize>(
    bench: &Bench,
    measuring: Vec<MeasuringThread<'a, R>>,
    readers: &mut [Reader<N>],
    interval_ns: u64,
    track: impl Fn(usize, &Samples<N>) -> Track + Send,
    hand_over: HandOver,
) -> Result<Vec<R>, Abort> {
    let is_over = AtomicBool::new(false);
    let ended = &is_over;
    thread::scope(|scope| {
        let read = move || read_all(readers, interval_ns, ended, track, hand_over);
        start_in(scope, "intervals", read)?;
        let done = bench.run(measuring);
        is_over.store(true, Ordering::Release);
        done
    })
}

/// Hands over each interval that all threads have, until `is_over`; `track` makes each track.
pub fn read_all<const N: usize>(
    readers: &mut [Reader<N>],
    interval_ns: u64,
    is_over: &AtomicBool,
    track: impl Fn(usize, &Samples<N>) -> Track,
    hand_over: &mut dyn FnMut(Interval),
) {
    loop {
        // Read before looking, so that what came before the end is not missed.
        let is_last = is_over.load(Ordering::Acquire);
        readers.iter_mut().for_each(Reader::look);
        let numbers = readers.iter().map(|reader| reader.fresh().map(|samples| samples.number));
        match numbers.collect::<Option<Vec<u64>>>() {
            None if is_last => return,
            None => thread::sleep(LOOK_EVERY),
            Some(numbers) => {
                let newest = numbers.iter().max().copied().unwrap_or(0);
                let are_all_newest = numbers.iter().all(|number| *number == newest);
                if are_all_newest {
                    let samples = readers.iter().filter_map(Reader::fresh).enumerate();
                    let tracks = samples.map(|(place, samples)| track(place, samples)).collect();
                    let found = |reader: &mut Reader<N>| reader.found(interval_ns);
                    let threads: Vec<_> = readers.iter_mut().filter_map(found).collect();
                    let warnings = findings(&threads);
                    hand_over(Interval { tracks, threads, warnings });
                }
                // An interval that not all threads have is dropped.
                for (reader, number) in readers.iter_mut().zip(&numbers) {
                    reader.is_fresh = !are_all_newest && *number == newest;
                }
            }
        }
    }
}
