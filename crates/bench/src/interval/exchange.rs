//! The exchange of samples between a measured thread and its helper, in which neither waits for the
//! other: there are three sets of samples, the one that the measured thread fills, the one that the
//! helper reads, and one between them, which each side takes in exchange for its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base::{CpuSet, Nanos, Policy};
use record::{RunSpec, ThreadFound, Track};
use rt::counters::ThreadCounts;
use rt::process::{Pid, this_thread};
use rt::{sched, timer_slack};

use crate::columns::{Columns, Kinds};
use crate::measuring_thread::counters_of;
use crate::pace::Pace;
use crate::tally::Tally;

/// Attributes of the tracks of an interval: its number, from 0, and how many intervals right before
/// it passed without a single step, so that they have no recording.
pub(super) const NUMBER: &str = "interval";
pub(super) const STALLED: &str = "stalled_intervals";

/// The samples of one thread in one interval.
pub struct Samples<const N: usize> {
    pub columns: Columns<N>,
    pub tally: Tally,
    /// The stamp at which it began.
    pub t0: u64,
    pub(super) number: u64,
    stalled: u64,
    counts: Option<ThreadCounts>,
    thread: Pid,
}

impl<const N: usize> Samples<N> {
    fn clear(&mut self) {
        self.columns.clear();
        self.tally.clear();
    }

    pub fn cpu_time_ns(&self) -> u64 {
        self.counts.as_ref().map_or(0, |counts| counts.cpu_time_ns)
    }

    pub fn onto(&self, track: Track) -> Track {
        let track = track.with(NUMBER, self.number).with(STALLED, self.stalled);
        self.tally.onto(self.columns.onto(track.with("lost", self.columns.lost())))
    }
}

pub struct Exchange<const N: usize> {
    between: Mutex<Option<Samples<N>>>,
    /// Whether `between` is full, so that it belongs to the helper; otherwise it belongs to the
    /// measured thread. So neither side ever waits for the lock.
    is_full: AtomicBool,
    /// Whether the measured loop is over: its thread then leaves the conditions that were asked for.
    has_ended: AtomicBool,
    spare: Mutex<Option<Samples<N>>>,
    /// The slack of the measured thread's timers, which only that thread may read.
    timer_slack: OnceLock<Option<Nanos>>,
}

impl<const N: usize> Exchange<N> {
    pub fn new() -> Arc<Self> {
        let (between, spare) = (Mutex::default(), Mutex::default());
        let (is_full, has_ended) = (AtomicBool::new(false), AtomicBool::new(false));
        let timer_slack = OnceLock::new();
        Arc::new(Self { between, is_full, has_ended, spare, timer_slack })
    }

    /// Waits until the helper has taken the last interval, or for a second.
    fn await_helper(&self) {
        let end = Instant::now() + Duration::from_secs(1);
        while self.is_full.load(Ordering::Acquire) && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn swap(&self, own: &mut Samples<N>) {
        let mut between = self.between.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = between.as_mut() {
            mem::swap(other, own);
        }
    }
}

/// The end of an exchange in the measured thread.
pub struct Writer<const N: usize> {
    exchange: Arc<Exchange<N>>,
    own: Samples<N>,
    before: ThreadCounts,
    stalled: u64,
}

impl<const N: usize> Writer<N> {
    /// Allocates all samples of an interval with `periods` periods; the thread must call this itself.
    /// `runner` is the process that traces.
    pub fn prepared(
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
        let before = ThreadCounts::usage();
        let mut writer = Self { exchange, own: samples(), before, stalled: 0 };
        writer.touch_code();
        writer
    }

    /// Does once what the measured loop does, so that the pages of its code are there.
    fn touch_code(&mut self) {
        OnceLock::new().get_or_init(timer_slack::applied);
        self.push([0; N], 0, 0);
        self.exchange.swap(&mut self.own);
        self.exchange.swap(&mut self.own);
        self.own.clear();
    }

    #[inline]
    pub fn begin(&mut self) {
        self.exchange.timer_slack.get_or_init(timer_slack::applied);
        self.before = ThreadCounts::usage();
        self.own.tally.begin();
    }

    /// Keeps the stamps of a period that was due and done at these stamps.
    #[inline]
    pub fn push(&mut self, row: [u64; N], due: u64, end: u64) {
        self.own.columns.push(row);
        self.own.tally.after(due, end);
    }

    /// Ends a slice of a run: hands over its samples, or keeps them for the next slice while the helper has not taken
    /// those before. `t0` is the stamp of the start of the run. After the `last` one, the loop is over and gives the helper time; returns how many samples it did
    /// not take then.
    #[inline]
    pub fn offer(&mut self, t0: u64, last: bool) -> u64 {
        if last {
            self.exchange.await_helper();
        }
        let own = &mut self.own;
        if self.exchange.is_full.load(Ordering::Acquire) {
            return if last { own.columns.rows() } else { 0 };
        }
        own.t0 = t0;
        self.exchange.swap(own);
        self.exchange.is_full.store(true, Ordering::Release);
        own.clear();
        own.tally.begin();
        0
    }

    /// Ends interval number `number`, which began at the stamp `t0`. If it had no step, it is
    /// counted with the next one; if the helper has not taken the one before, it is lost, which
    /// the numbers show. No interval counts a `last` one, so it is handed over without a step too,
    /// and the loop, which is over, gives the helper time to take the one before.
    #[inline]
    pub fn hand_over(&mut self, number: u64, t0: u64, last: bool) {
        if last {
            self.exchange.await_helper();
        } else if self.own.columns.rows() == 0 {
            self.stalled += 1;
            return;
        }
        let own = &mut self.own;
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

impl<const N: usize> Drop for Writer<N> {
    fn drop(&mut self) {
        self.exchange.has_ended.store(true, Ordering::SeqCst);
    }
}

impl Writer<3> {
    /// Makes the steps of that many intervals: `make` gets when a step is due, and returns when it
    /// started and ended. Periods that came due while a step was late belong to the interval in which
    /// they were due.
    ///
    /// # Errors
    /// The error of the first step that has one.
    #[inline]
    pub fn run<E>(
        mut self,
        pace: &Pace,
        intervals: u64,
        t0: u64,
        mut make: impl FnMut(u64) -> Result<(u64, u64), E>,
    ) -> Result<(), E> {
        self.begin();
        let mut due = t0;
        for number in 0..intervals {
            let [began, over] =
                [number, number + 1].map(|number| t0 + pace.period.begin(number * pace.periods));
            while due < over {
                let (start, end) = make(due)?;
                self.push([due, start, end], due, end);
                let index = || pace.period.nearest(due - t0);
                due = pace.next_due(t0, due, end, index).unwrap_or(end);
            }
            self.hand_over(number, began, number + 1 == intervals);
        }
        Ok(())
    }
}

/// The end of an exchange in the helper.
pub struct Reader<const N: usize> {
    exchange: Arc<Exchange<N>>,
    name: String,
    asked: (Policy, CpuSet),
    /// The conditions when they were last read in the measured loop.
    last: (Policy, CpuSet),
    own: Option<Samples<N>>,
    pub(super) is_fresh: bool,
}

impl<const N: usize> Reader<N> {
    pub fn of(exchange: &Arc<Exchange<N>>, name: &str, policy: Policy, cpus: CpuSet) -> Self {
        let (exchange, asked) = (Arc::clone(exchange), (policy, cpus));
        let last = asked.clone();
        Self { exchange, name: name.to_owned(), asked, last, own: None, is_fresh: false }
    }

    /// Takes the samples of the next interval, unless the last ones were not used yet.
    pub(super) fn look(&mut self) {
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

    /// Takes the samples that are there, if any, and leaves the place to the next ones.
    pub fn take(&mut self) -> Option<&Samples<N>> {
        self.is_fresh = false;
        self.look();
        self.fresh()
    }

    pub(super) fn fresh(&self) -> Option<&Samples<N>> {
        self.own.as_ref().filter(|_| self.is_fresh)
    }

    /// Reads the conditions of the thread back, from outside: it does not stop for that.
    pub(super) fn found(&mut self, interval_ns: u64) -> Option<ThreadFound> {
        let samples = self.own.as_ref().filter(|_| self.is_fresh)?;
        let (asked_policy, asked_cpus) = self.asked.clone();
        let thread = samples.thread;
        let policy = sched::policy_of(thread.as_raw_nonzero().get());
        let cpus = sched::affinity_of(Some(thread));
        // Asked after the reading, so that what was read belongs to the loop.
        let has_ended = self.exchange.has_ended.load(Ordering::SeqCst);
        if let (Ok(policy), Ok(cpus), false) = (policy, cpus, has_ended) {
            self.last = (policy, cpus);
        }
        let (policy, cpus) = self.last.clone();
        let counters = samples.counts.map(|counts| counters_of(counts, interval_ns));
        let timer_slack = self.exchange.timer_slack.get().copied().flatten();
        Some(ThreadFound {
            name: self.name.clone(),
            asked_policy,
            asked_cpus,
            policy,
            cpus: cpus.clone(),
            policy_at_end: policy,
            cpus_at_end: cpus,
            timer_slack_ns: timer_slack.map(|slack| slack.0),
            counters: counters.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_run::bare;
    use crate::pace::STAMPS;
    use base::{Nanos, Rate};

    #[test]
    fn a_stall_until_the_end_is_in_the_last_interval() {
        let mut spec = bare("frame");
        spec.parameters.set_rate(Rate::of_period(Nanos(1_000_000)));
        let exchange = Exchange::new();
        let pace = Pace::of(&spec.parameters, 2);
        let (own, cpus) = (sched::policy().unwrap(), sched::affinity().unwrap());
        let mut reader = Reader::of(&exchange, "one", own, cpus);
        let measured = || {
            let writer = Writer::prepared(exchange, &STAMPS, &spec, 2, this_thread());
            // The first step takes longer than all intervals.
            let step = |due| Ok::<_, ()>((due, due + 9 * pace.period_ns()));
            writer.run(&pace, 4, 0, step).unwrap();
        };
        thread::scope(|scope| {
            scope.spawn(measured);
            let mut intervals = Vec::new();
            while intervals.len() < 2 {
                reader.look();
                let fresh = reader.fresh();
                intervals.extend(fresh.map(|one| (one.number, one.stalled, one.columns.rows())));
                reader.is_fresh = false;
            }
            assert_eq!(intervals, [(0, 0, 1), (3, 2, 0)]);
        });
    }

    #[test]
    fn the_conditions_of_an_interval_are_those_within_the_measured_loop() {
        let measured = || {
            let exchange = Exchange::new();
            let (own, cpus) = (sched::policy().unwrap(), sched::affinity().unwrap());
            assert_ne!(own, Policy::Idle);
            // Asked for another policy than it has, so that a reading differs from what was asked.
            let mut reader = Reader::of(&exchange, "one", Policy::Idle, cpus);
            let mut writer = Writer::prepared(exchange, &STAMPS, &bare("frame"), 1, this_thread());
            writer.begin();
            writer.push([0, 1, 2], 0, 2);
            writer.hand_over(0, 0, false);
            reader.look();
            assert_eq!(reader.found(1).unwrap().policy, own);
            drop(writer);
            // A change that needs no right, of a thread that ends afterwards.
            sched::set_policy(Policy::Idle).unwrap();
            assert_eq!(reader.found(1).unwrap().policy, own);
        };
        thread::scope(|scope| scope.spawn(measured).join()).unwrap();
    }
}
