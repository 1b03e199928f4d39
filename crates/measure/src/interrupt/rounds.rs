//! The rounds of two threads: one raises, the other waits, and every wait has a limit.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use base::CpuSet;
use bench::Bench;
use bench::measuring_thread::{MeasuringThread, reason};
use bench::pace::Pace;
use rt::clock;
use rt::interrupt_call::Nudge;
use rt::memory::Samples;

use super::source::{Raise, Wait};

/// An interrupt that has not arrived after this many naps counts as lost. The limit counts naps,
/// not time, because a machine that was suspended answers as soon as it continues.
const NAPS: u64 = 50;
const NAP_NS: u64 = 10_000_000;
/// A source that answers none of the first rounds does not work at all.
const TRIES: u64 = 3;
/// Maximum number of interrupts that were not raised here; more come from something else.
const MOST_SPURIOUS: u64 = 1_000;
/// Replaces a missing stamp.
const NONE: u64 = 0;

/// Progress of the two threads. Each number is written by only one of them.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Rounds that the raising thread has begun.
    raised: AtomicU64,
    /// Rounds that the waiting thread has ended.
    answered: AtomicU64,
    /// The last round that the raising thread gave up.
    given_up: AtomicU64,
    over: AtomicBool,
    waiter: OnceLock<Nudge>,
    waiter_left: AtomicBool,
}

/// Creates the waiting thread on the first requested CPU, and the raising thread, with the next
/// lower priority, on the second requested CPU if there is one.
pub(super) fn measuring<'a, R, W: FnOnce(u64) -> R + 'a, V: FnOnce(u64) -> R + 'a>(
    bench: &Bench,
    wait: impl FnOnce() -> W + Send + 'a,
    raise: impl FnOnce() -> V + Send + 'a,
) -> Vec<MeasuringThread<'a, R>> {
    let policy = bench.spec.asked.policy;
    let below = policy.lowered(1).unwrap_or(policy);
    let cpu = |index| CpuSet::one(bench.cpu(index));
    vec![
        MeasuringThread::prepared(cpu(0), policy, "waiting", wait),
        MeasuringThread::prepared(cpu(1), below, "raising", raise),
    ]
}

/// The results of the raising thread, per round.
pub(super) struct Raised {
    pub(super) t0: u64,
    pub(super) periods: Samples,
    /// The stamps from which the latencies count, 0 for a round without a latency.
    pub(super) stamps: Samples,
    pub(super) failure: Option<String>,
}

/// The results of the waiting thread, per round; 0 for a round without an interrupt.
pub(super) struct Woken {
    pub(super) stamps: Samples,
    /// Stamps of the kernel; 0 if the source has none.
    pub(super) kernel_stamps: Samples,
    /// Interrupts that were not raised here.
    pub(super) spurious: u64,
    pub(super) failure: Option<String>,
}

impl Rounds {
    /// The loop of the raising thread. Periods that come due before a round has ended are skipped.
    pub(super) fn raise(&self, pace: Pace, mut raise: Raise) -> impl FnOnce(u64) -> Raised {
        let (period, periods) = (pace.period_ns(), pace.periods);
        let room = || Samples::with_capacity(periods as usize);
        let mut raised = Raised { t0: 0, periods: room(), stamps: room(), failure: None };
        move |t0| {
            raised.t0 = t0;
            let (mut k, mut due, mut unanswered) = (0, t0, 0);
            let mut anything = false;
            while k < periods && (anything || unanswered < TRIES) && !self.has_waiter_left() {
                clock::sleep_until(due);
                let round = self.raised.fetch_add(1, Ordering::AcqRel) + 1;
                match raise() {
                    Ok(stamp) => {
                        raised.periods.push(k);
                        raised.stamps.push(stamp.unwrap_or(NONE));
                    }
                    Err(error) => {
                        raised.failure = Some(reason(&error));
                        break;
                    }
                }
                k += 1;
                due += period;
                clock::sleep_until(due);
                match self.see_through(round) {
                    true => anything = true,
                    false => unanswered += 1,
                }
                while due + period <= clock::now() && k < periods {
                    k += 1;
                    due += period;
                }
            }
            self.end();
            raised
        }
    }

    pub(super) fn wait(
        &self,
        Pace { periods, .. }: Pace,
        mut wait: Wait,
    ) -> impl FnOnce(u64) -> Woken {
        self.enter();
        let room = || Samples::with_capacity(periods as usize);
        let mut woken = Woken { stamps: room(), kernel_stamps: room(), spurious: 0, failure: None };
        move |_| {
            while !self.is_over() && woken.failure.is_none() {
                let result = (wait.interrupt)();
                let woke = clock::now();
                let outcome = match result {
                    Ok(kernel) if self.is_raised() => {
                        woken.end_round(woke, kernel.unwrap_or(NONE));
                        (wait.rearm)().map(|()| self.end_round())
                    }
                    Ok(_) if woken.spurious < MOST_SPURIOUS => {
                        woken.spurious += 1;
                        (wait.rearm)()
                    }
                    Ok(_) => Err(io::Error::other("it interrupts without being raised")),
                    Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
                    Err(_) if self.is_given_up() => {
                        woken.end_round(NONE, NONE);
                        self.end_round();
                        Ok(())
                    }
                    Err(_) => Ok(()),
                };
                woken.failure = outcome.err().as_ref().map(reason);
            }
            self.leave();
            woken
        }
    }

    /// Ends a source that interrupts by itself when its time is over, or if no interrupt arrives.
    pub(super) fn end_after(&self, t0: u64, pace: Pace) {
        clock::sleep_until(t0 + pace.period_ns());
        if self.comes(1) {
            clock::sleep_until(t0 + pace.span());
            self.comes(pace.periods);
        }
        self.end();
    }

    /// Waits for a round and returns whether it was answered; an unanswered one is given up.
    fn see_through(&self, round: u64) -> bool {
        if self.comes(round) || self.has_waiter_left() {
            return self.has_ended(round);
        }
        self.given_up.store(round, Ordering::Release);
        self.nudge_until(|| self.has_ended(round) || self.has_waiter_left());
        false
    }

    /// Waits for the end of a round as long as it may come, and returns whether it came.
    fn comes(&self, round: u64) -> bool {
        for _ in 0..NAPS {
            if self.has_ended(round) || self.has_waiter_left() {
                break;
            }
            clock::sleep_until(clock::now() + NAP_NS);
        }
        self.has_ended(round)
    }

    fn nudge_until(&self, reached: impl Fn() -> bool) {
        while !reached() {
            if let Some(waiter) = self.waiter.get() {
                waiter.nudge();
            }
            clock::sleep_until(clock::now() + NAP_NS);
        }
    }

    fn has_ended(&self, round: u64) -> bool {
        self.answered.load(Ordering::Acquire) >= round
    }

    fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Acquire) > self.answered.load(Ordering::Relaxed)
    }

    fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Acquire) > self.answered.load(Ordering::Relaxed)
    }

    pub(super) fn end_round(&self) {
        self.answered.fetch_add(1, Ordering::AcqRel);
    }

    /// Registers the waiting thread with the other one.
    pub(super) fn enter(&self) {
        let nudge =
            Nudge::of_this_thread().expect("installing a signal handler needs no privilege");
        self.waiter.get_or_init(|| nudge);
    }

    /// Records that the waiting thread has stopped waiting.
    pub(super) fn leave(&self) {
        self.waiter_left.store(true, Ordering::Release);
    }

    fn has_waiter_left(&self) -> bool {
        self.waiter_left.load(Ordering::Acquire)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Makes the waiting thread leave, and waits until it has left.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        self.nudge_until(|| self.has_waiter_left());
    }
}

impl Woken {
    fn end_round(&mut self, woke: u64, kernel: u64) {
        self.stamps.push(woke);
        self.kernel_stamps.push(kernel);
    }
}
