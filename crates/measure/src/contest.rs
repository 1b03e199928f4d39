//! The contest for a lock that priority inversion and deadlock break share: the low-priority thread
//! holds the lock, the high-priority thread wants it, the medium-priority thread keeps the low one
//! from the CPU.

use std::sync::atomic::{AtomicU64, Ordering};

use base::{CpuSet, Nanos};
use bench::burst::spin_until;
use bench::columns::{self, Kinds};
use bench::measurement::UNAVAILABLE;
use bench::measuring_thread::{MeasuringThread, reason};
use bench::shape::{Holds, TrackShape};
use bench::{Abort, Bench};
use record::{Row, RunSpec, Track, fact, parameters};
use rt::clock;
use rt::lock::{Lock, LockKind, Semaphore, Taken};
use rt::memory::Samples;
use rt::sync::Meeting;

parameters! {
    pub(crate) PARAMETERS;
    "trials" Count(1, 10_000), "20", "contests per lock";
    "medium-run" Time, "10ms",
        "how long the medium thread runs; in priority_inversion, the longest of five times";
}

/// The columns of a contest: three of the high-priority thread, three of the medium one.
const CONTEST: Kinds<6> = [
    ("wish_ns", Holds::Stamps),
    ("granted_ns", Holds::Stamps),
    ("gave_up", Holds::UpTo(1)),
    ("medium_start_ns", Holds::Stamps),
    ("medium_end_ns", Holds::Stamps),
    ("medium_asked_ns", Holds::Times),
];
/// CPU time of the low-priority thread's critical section.
pub(crate) const SECTION_NS: u64 = 1_000_000;
/// Maximum run time of the medium thread: longer ones come near the limit on spinning.
const LONGEST_MEDIUM_RUN: Nanos = Nanos(200_000_000);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parties {
    /// Only the high-priority thread: the lock is free.
    HighAlone,
    /// The low thread holds the lock, the medium one starves it, the high one wants the lock.
    All,
}

/// Returns about how long all contests for the five locks take, given the mean medium run.
pub(crate) fn length(parameters: &record::Parameters, medium_run: u64) -> Nanos {
    let contests = LockKind::ALL.len() as u64 * parameters.trials();
    let contest = medium_run.saturating_mul(2).saturating_add(4 * SECTION_NS);
    Nanos(contest.saturating_mul(contests))
}

pub(crate) fn sample_bytes(spec: &RunSpec) -> u64 {
    const BYTES_A_TRIAL: u64 = 2 * 3 * 3 * 8;
    let bytes_a_round = LockKind::ALL.len() as u64 * BYTES_A_TRIAL;
    bytes_a_round.saturating_mul(spec.parameters.trials())
}

pub(crate) fn check(spec: &RunSpec) -> Result<(), String> {
    bench::measurement::with_priorities_below(spec, 2)?;
    let medium_run = spec.parameters.medium_run();
    if medium_run > LONGEST_MEDIUM_RUN {
        return Err(format!(
            "--medium-run: {medium_run} is too long; use at most {LONGEST_MEDIUM_RUN}, \
             because the thread occupies the CPU at real-time priority for that time"
        ));
    }
    Ok(())
}

/// Runs the contests for one lock and returns one row of stamps per contest. If the lock is not
/// available, the attribute `unavailable` says why. Each contest uses the next of `medium_runs`, in
/// nanoseconds, which wrap around.
pub(crate) fn contests(
    bench: &Bench,
    kind: LockKind,
    parties: Parties,
    medium_runs: &[u64],
) -> Result<Track, Abort> {
    let policy = bench.spec.asked.policy;
    let track = Track::new(kind.name());
    let lock = match kind.create(policy.priority().unwrap_or(0)) {
        Ok(lock) => lock,
        Err(error) => return Ok(track.with("unavailable", reason(&error))),
    };
    let contest = Contest {
        lock: &*lock,
        parties,
        trials: bench.spec.parameters.trials(),
        medium_runs,
        together: Meeting::new(3)?,
        wake_high: Semaphore::new(0)?,
        wake_medium: Semaphore::new(0)?,
        wish: AtomicU64::new(0),
    };
    let measuring = vec![
        thread(bench, kind, ("high", 0), || contest.high()),
        thread(bench, kind, ("medium", 1), || contest.medium()),
        thread(bench, kind, ("low", 2), || contest.low()),
    ];
    let stamps = bench.run(measuring)?;
    let [high, medium, _] = &stamps[..] else {
        return Err(Abort::Conditions);
    };
    Ok(columns::onto(track, CONTEST.map(|(name, _)| name), high.iter().chain(medium)))
}

pub(crate) fn shape(spec: &RunSpec, kind: LockKind) -> TrackShape {
    let shape = TrackShape::named(kind.name());
    shape.rows(spec.parameters.trials(), &CONTEST).or_why_not(UNAVAILABLE)
}

pub(crate) fn unavailable(track: &Track) -> Option<Row> {
    Some(bench::measurement::unavailable(track)?.with(&fact::LOCK, &*track.name))
}

pub(crate) fn gave_up(track: &Track) -> i64 {
    track.values("gave_up").iter().sum()
}

/// Creates the thread of a party, with a priority `steps` below the highest.
fn thread<'a, W: FnOnce(u64) -> [Samples; 3] + 'a>(
    bench: &Bench,
    kind: LockKind,
    (party, steps): (&str, u8),
    prepare: impl FnOnce() -> W + Send + 'a,
) -> MeasuringThread<'a, [Samples; 3]> {
    let highest = bench.spec.asked.policy;
    let policy = highest.lowered(steps).unwrap_or(highest);
    let name = format!("{} {party}", kind.name());
    MeasuringThread::prepared(CpuSet::one(bench.cpu(0)), policy, name, prepare)
}

struct Contest<'a> {
    lock: &'a dyn Lock,
    parties: Parties,
    trials: u64,
    medium_runs: &'a [u64],
    together: Meeting,
    wake_high: Semaphore,
    wake_medium: Semaphore,
    wish: AtomicU64,
}

impl Contest<'_> {
    fn room(&self) -> [Samples; 3] {
        std::array::from_fn(|_| Samples::with_capacity(self.trials as usize))
    }

    /// Runs the trials and passes each the run time of the medium thread. Rests half as long as
    /// each contest took, so that a starved machine recovers and the kernel does not throttle.
    fn in_trials(&self, mut trial: impl FnMut(u64)) {
        let medium_runs = self.medium_runs.iter().cycle();
        for (_, medium_run) in (0..self.trials).zip(medium_runs) {
            self.together.wait();
            let start = clock::now();
            trial(*medium_run);
            let end = clock::now();
            clock::sleep_until(end + (end - start) / 2);
        }
    }

    fn high(&self) -> impl FnOnce(u64) -> [Samples; 3] {
        let [mut wish, mut granted, mut gave_up] = self.room();
        move |_| {
            self.in_trials(|medium_run| {
                self.wake_high.wait();
                let give_up_at = clock::now() + 2 * medium_run + 2 * SECTION_NS;
                let taken = self.lock.lock(give_up_at);
                granted.push(clock::now());
                if taken != Taken::GaveUp {
                    self.lock.unlock();
                }
                wish.push(self.wish.load(Ordering::Relaxed));
                gave_up.push(u64::from(taken == Taken::GaveUp));
            });
            [wish, granted, gave_up]
        }
    }

    fn medium(&self) -> impl FnOnce(u64) -> [Samples; 3] {
        let [mut started, mut ended, mut asked] = self.room();
        move |_| {
            self.in_trials(|medium_run| {
                self.wake_medium.wait();
                let start = clock::now();
                if self.parties == Parties::All {
                    spin_until(start + medium_run);
                }
                started.push(start);
                ended.push(clock::now());
                asked.push(medium_run);
            });
            [started, ended, asked]
        }
    }

    /// Wakes the high thread, which takes the CPU and finds the lock held; then the medium one,
    /// which takes the CPU unless the low thread was raised above it. The high thread's request
    /// counts from its wake-up, since a priority ceiling keeps it from running at all.
    fn low(&self) -> impl FnOnce(u64) -> [Samples; 3] {
        let unused = self.room();
        move |_| {
            self.in_trials(|_| {
                let contended = self.parties == Parties::All;
                if contended {
                    self.lock.lock(u64::MAX);
                }
                self.wish.store(clock::now(), Ordering::Relaxed);
                self.wake_high.post();
                self.wake_medium.post();
                if contended {
                    let until = clock::thread_cpu_time() + SECTION_NS;
                    while clock::thread_cpu_time() < until {
                        std::hint::spin_loop();
                    }
                    self.lock.unlock();
                }
            });
            unused
        }
    }
}
