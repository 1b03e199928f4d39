//! Measuring in intervals without a pause between them: a measured thread hands over the samples of
//! an interval to a helper thread, and neither waits for the other.
//!
//! There are three sets of samples: the one that the measured thread fills, the one that the helper
//! reads, and one between them, which each side takes in exchange for its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use plan::{Counters, RunSpec, ThreadFound, Track, Warning};
use rt::counters::ThreadCounts;
use rt::process::{Pid, this_thread};
use rt::sched;
use rt::thread::start_in;
use units::{CpuSet, Nanos, Policy};

use crate::columns::{Columns, Kinds};
use crate::findings::findings;
use crate::measuring_thread::MeasuringThread;
use crate::pace::Pace;
use crate::tally::Tally;
use crate::{Abort, Bench};

/// Attributes of the tracks of an interval: its number, from 0, and how many intervals right before
/// it passed without a single step, so that they have no recording.
const NUMBER: &str = "interval";
const STALLED: &str = "stalled_intervals";
/// How often the helper looks for samples. It never needs to be on time: it has a whole interval.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A measurement that can go on for days, in intervals.
pub trait Continuous {
    /// Refuses a run that cannot be cut into intervals.
    ///
    /// # Errors
    /// One line that names the option and the remedy.
    fn check_continuous(&self, spec: &RunSpec) -> Result<(), String>;

    /// Makes the run as long as an interval.
    ///
    /// # Errors
    /// If an interval is shorter than a period.
    fn set_interval(&self, spec: &mut RunSpec, interval: Nanos) -> Result<(), String> {
        spec.asked.duration = interval;
        Ok(())
    }

    /// Measures that many intervals, each as long as the run of `bench`, without a pause. Each is
    /// handed over while the next one is measured, by another thread.
    ///
    /// # Errors
    /// If conditions could not be set up, or the result is wrong.
    fn run_in_intervals(
        &self,
        bench: &Bench,
        intervals: u64,
        hand_over: &mut (dyn FnMut(Interval) + Send),
    ) -> Result<(), Abort>;
}

/// What was recorded in one interval.
#[derive(Debug)]
pub struct Interval {
    pub tracks: Vec<Track>,
    /// The conditions of the threads, read back at its end.
    pub threads: Vec<ThreadFound>,
    pub warnings: Vec<Warning>,
}

impl Interval {
    pub(crate) fn of(tracks: Vec<Track>, threads: Vec<ThreadFound>) -> Self {
        let warnings = findings(&threads);
        Self { tracks, threads, warnings }
    }
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
    #[must_use]
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

/// The samples of one thread in one interval.
pub(crate) struct Samples<const N: usize> {
    pub(crate) columns: Columns<N>,
    pub(crate) tally: Tally,
    /// The stamp at which it began.
    pub(crate) t0: u64,
    number: u64,
    stalled: u64,
    counts: Option<ThreadCounts>,
    thread: Pid,
}

impl<const N: usize> Samples<N> {
    fn clear(&mut self) {
        self.columns.clear();
        self.tally.clear();
    }

    /// Returns the CPU time that the thread used.
    pub(crate) fn cpu_time_ns(&self) -> u64 {
        self.counts.as_ref().map_or(0, |counts| counts.cpu_time_ns)
    }

    /// Adds the samples to the track of their thread.
    pub(crate) fn onto(&self, track: Track) -> Track {
        let track = track.with(NUMBER, self.number).with(STALLED, self.stalled);
        self.tally.onto(self.columns.onto(track.with("lost", self.columns.lost())))
    }
}

/// Connects a measured thread with its helper.
pub(crate) struct Exchange<const N: usize> {
    between: Mutex<Option<Samples<N>>>,
    /// Whether `between` is full, so that it belongs to the helper; otherwise it belongs to the
    /// measured thread. So neither side ever waits for the lock.
    is_full: AtomicBool,
    spare: Mutex<Option<Samples<N>>>,
}

impl<const N: usize> Exchange<N> {
    pub(crate) fn new() -> Arc<Self> {
        let (between, spare) = (Mutex::default(), Mutex::default());
        Arc::new(Self { between, is_full: AtomicBool::new(false), spare })
    }

    fn swap(&self, own: &mut Samples<N>) {
        let mut between = self.between.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = between.as_mut() {
            mem::swap(other, own);
        }
    }
}

/// The end of an exchange in the measured thread.
pub(crate) struct Writer<const N: usize> {
    exchange: Arc<Exchange<N>>,
    own: Samples<N>,
    before: ThreadCounts,
    stalled: u64,
}

impl<const N: usize> Writer<N> {
    /// Allocates all samples of an interval with `periods` periods; the thread must call this itself.
    /// `runner` is the process that traces.
    pub(crate) fn prepared(
        exchange: Arc<Exchange<N>>,
        kinds: &'static Kinds<N>,
        spec: &RunSpec,
        periods: u64,
        runner: Pid,
    ) -> Self {
        let samples = || Samples {
            columns: Columns::with_room(kinds, periods),
            tally: Tally::of(spec, periods, runner),
            t0: 0,
            number: 0,
            stalled: 0,
            counts: None,
            thread: this_thread(),
        };
        let fill = |place: &Mutex<Option<Samples<N>>>| {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(samples());
        };
        fill(&exchange.between);
        fill(&exchange.spare);
        Self { exchange, own: samples(), before: ThreadCounts::usage(), stalled: 0 }
    }

    /// Begins the first interval.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.before = ThreadCounts::usage();
        self.own.tally.begin();
    }

    /// Keeps the stamps of a period that was due and done at these stamps.
    #[inline]
    pub(crate) fn push(&mut self, row: [u64; N], due: u64, end: u64) {
        self.own.columns.push(row);
        self.own.tally.after(due, end);
    }

    /// Ends interval number `number`, which began at the stamp `t0`. If it had no step, it is
    /// counted with the next one; if the helper has not taken the one before, it is lost, which
    /// the numbers show.
    #[inline]
    pub(crate) fn hand_over(&mut self, number: u64, t0: u64) {
        let own = &mut self.own;
        if own.columns.len() == 0 {
            self.stalled += 1;
            return;
        }
        let now = ThreadCounts::usage();
        (own.number, own.t0, own.counts) = (number, t0, Some(now - self.before));
        own.stalled = mem::take(&mut self.stalled);
        self.before = now;
        if !self.exchange.is_full.load(Ordering::Acquire) {
            self.exchange.swap(own);
            self.exchange.is_full.store(true, Ordering::Release);
        }
        self.own.clear();
        self.own.tally.begin();
    }
}

impl Writer<3> {
    /// Makes the steps of that many intervals: `make` gets when a step is due, and returns when it
    /// started and ended. Periods that came due while a step was late belong to the interval in which
    /// they were due.
    #[inline]
    pub(crate) fn run<E>(
        mut self,
        pace: &Pace,
        intervals: u64,
        t0: u64,
        mut make: impl FnMut(u64) -> Result<(u64, u64), E>,
    ) -> Result<(), E> {
        self.begin();
        let mut due = t0;
        for number in 0..intervals {
            let began = t0 + number * pace.span();
            while due < began + pace.span() {
                let (start, end) = make(due)?;
                self.push([due, start, end], due, end);
                due = pace.overrun.next_due(due, end, pace.period).unwrap_or(end);
            }
            self.hand_over(number, began);
        }
        Ok(())
    }
}

/// The end of an exchange in the helper.
pub(crate) struct Reader<const N: usize> {
    exchange: Arc<Exchange<N>>,
    name: String,
    asked: (Policy, CpuSet),
    /// The conditions when they were last read; a thread that has just ended has none.
    last: (Policy, CpuSet),
    own: Option<Samples<N>>,
    is_fresh: bool,
}

impl<const N: usize> Reader<N> {
    /// Creates the reader of a thread with that name, policy and CPUs.
    pub(crate) fn of(
        exchange: &Arc<Exchange<N>>,
        name: &str,
        policy: Policy,
        cpus: CpuSet,
    ) -> Self {
        let (exchange, asked) = (Arc::clone(exchange), (policy, cpus));
        let last = asked.clone();
        Self { exchange, name: name.to_owned(), asked, last, own: None, is_fresh: false }
    }

    /// Takes the samples of the next interval, unless the last ones were not used yet.
    fn look(&mut self) {
        if self.is_fresh || !self.exchange.is_full.load(Ordering::Acquire) {
            return;
        }
        if self.own.is_none() {
            let mut spare = self.exchange.spare.lock().unwrap_or_else(PoisonError::into_inner);
            self.own = spare.take();
        }
        if let Some(own) = &mut self.own {
            own.clear();
            self.exchange.swap(own);
            self.exchange.is_full.store(false, Ordering::Release);
            self.is_fresh = true;
        }
    }

    fn fresh(&self) -> Option<&Samples<N>> {
        self.own.as_ref().filter(|_| self.is_fresh)
    }

    /// Reads the conditions of the thread back, from outside: it does not stop for that.
    fn found(&mut self, interval_ns: u64) -> Option<ThreadFound> {
        let samples = self.own.as_ref().filter(|_| self.is_fresh)?;
        let (asked_policy, asked_cpus) = self.asked.clone();
        let thread = samples.thread;
        let policy = sched::policy_of(thread.as_raw_nonzero().get());
        if let (Ok(policy), Ok(cpus)) = (policy, sched::affinity_of(Some(thread))) {
            self.last = (policy, cpus);
        }
        let (policy, cpus) = self.last.clone();
        let counts = samples.counts;
        let count = |of: fn(&ThreadCounts) -> u64| counts.as_ref().map_or(0, of);
        Some(ThreadFound {
            name: self.name.clone(),
            asked_policy,
            asked_cpus,
            policy,
            cpus: cpus.clone(),
            policy_at_end: policy,
            cpus_at_end: cpus,
            counters: Counters {
                minor_faults: count(|counts| counts.minor_faults),
                major_faults: count(|counts| counts.major_faults),
                voluntary_switches: count(|counts| counts.voluntary_switches),
                involuntary_switches: count(|counts| counts.involuntary_switches),
                migrations: None,
                mode_switches: None,
                cpu_time_ns: count(|counts| counts.cpu_time_ns),
                wall_time_ns: interval_ns,
            },
        })
    }
}

/// Runs the threads, with a helper that reads their samples: `track` makes a track of the samples of
/// the thread at that place.
pub(crate) fn run_threads<'a, R: Send, const N: usize>(
    bench: &Bench,
    measuring: Vec<MeasuringThread<'a, R>>,
    readers: &mut [Reader<N>],
    interval_ns: u64,
    track: impl Fn(usize, &Samples<N>) -> Track + Send,
    hand_over: &mut (dyn FnMut(Interval) + Send),
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

/// The helper of several threads: hands over each interval that all of them have, until `is_over`.
/// `track` makes a track of the samples of the thread at that place.
pub(crate) fn read_all<const N: usize>(
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
                    let threads = readers.iter_mut().filter_map(found).collect();
                    hand_over(Interval::of(tracks, threads));
                }
                // An interval that not all threads have is dropped.
                for (reader, number) in readers.iter_mut().zip(&numbers) {
                    reader.is_fresh = !are_all_newest && *number == newest;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};
    use plan::Value;

    const INTERVALS: u64 = 8;
    const PERIODS: u64 = 50;

    /// A small tire with as many steps per interval as the wake-up has periods.
    fn tire(threads: u64, overrun: &str) -> RunSpec {
        let mut spec = spec("tire");
        for (name, value) in [
            ("mode", Value::Word("real-time".to_owned())),
            ("rate", Value::Rate("1kHz".parse().unwrap())),
            ("overrun", Value::Word(overrun.to_owned())),
            ("masses", Value::Count(40)),
            ("threads", Value::Count(threads)),
        ] {
            spec.parameters.set(name, value);
        }
        spec
    }

    #[test]
    fn intervals_follow_each_other_and_conserve_what_is_due() {
        for mut spec in [spec("wakeup"), tire(1, "skip"), tire(2, "catch-up")] {
            let measurement = crate::find(&spec.measurement).unwrap();
            let continuous = measurement.continuous().unwrap();
            continuous.check_continuous(&spec).unwrap();
            let asked = spec.asked.duration;
            continuous.set_interval(&mut spec, asked).unwrap();
            let length = spec.asked.duration.0;
            let bench = Bench::new(spec.clone());
            let mut intervals = Vec::new();
            let mut hand_over = |interval: Interval| {
                intervals.push((Place::of(&interval.tracks).unwrap(), interval));
            };
            continuous.run_in_intervals(&bench, INTERVALS, &mut hand_over).unwrap();
            let mut expected = 0;
            let start = intervals[0].0.began - intervals[0].0.number * length;
            for (place, Interval { tracks, threads, .. }) in intervals {
                assert!(place.number >= expected + place.stalled);
                expected = place.number + 1;
                assert_eq!(place.began, start + place.number * length);
                assert_eq!(threads[0].asked_cpus, threads[0].cpus);
                let rows = measurement.rows(&recording(spec.clone(), tracks));
                assert_eq!(rows[0].due, PERIODS);
                assert_eq!(rows[0].executed + rows[0].skipped, PERIODS);
            }
            assert!(expected <= INTERVALS);
        }
    }
}
