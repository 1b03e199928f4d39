//! How a process waits for its next frame, and what uses the CPU in that time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};

use base::{CpuSet, Policy};
use bench::burst::spin_until;
use rt::sched;
use rt::timer::Timer;

use super::helper::HelperThread;
use super::parameters::{HYBRID, SPIN};
use super::work::integer;

/// Waits for due times: on an interval timer, if it uses one, then by spinning.
pub(super) struct Start {
    timer: Option<Timer>,
    /// How long before the due time of a frame the timer expires, in nanoseconds.
    lead: u64,
    period: u64,
    first: u64,
}

/// A hybrid start spins for this long, or a tenth of a shorter period: timers are late by less.
const HYBRID_SPIN_NS: u64 = 200_000;

/// Returns how long before each frame a start of that name begins to spin, in nanoseconds.
pub(super) fn lead(name: &str, period: u64) -> u64 {
    match name {
        HYBRID => HYBRID_SPIN_NS.min(period / 10),
        SPIN => period,
        _ => 0,
    }
}

impl Start {
    pub(super) fn by(name: &str, period: u64) -> io::Result<Self> {
        let timer = (name != SPIN).then(Timer::interval).transpose()?;
        Ok(Self { timer, lead: lead(name, period), period, first: 0 })
    }

    /// Whether the process sleeps while it waits, so that another thread can use the time.
    pub(super) fn sleeps(&self) -> bool {
        self.timer.is_some()
    }

    /// Sets the stamp `first` at which period 0 is due.
    pub(super) fn arm(&mut self, first: u64) {
        self.first = first;
        if let Some(timer) = &mut self.timer {
            timer.start(first - self.lead, self.period).expect("the period is above 0");
        }
    }

    /// Waits until the stamp `due`. If that is not a multiple of the period, the timer is set again.
    #[inline]
    pub(super) fn wait(&mut self, due: u64) {
        if !(due - self.first).is_multiple_of(self.period) {
            self.arm(due);
        }
        if let Some(timer) = &mut self.timer {
            timer.wait((due - self.first) / self.period, due - self.lead);
        }
        spin_until(due);
    }
}

/// A thread that works on the process's CPUs whenever the process is idle, and counts its work.
pub(super) struct Background {
    turns: Arc<AtomicU64>,
    go: Sender<()>,
    _thread: HelperThread,
}

/// Iterations of one unit of work, which takes some ten microseconds.
const ITERATIONS_A_TURN: u64 = 10_000;

impl Background {
    /// Starts a thread on these CPUs that waits for [`Self::go`], at the lowest usual priority.
    pub(super) fn on(cpus: CpuSet) -> io::Result<Self> {
        let turns = Arc::<AtomicU64>::default();
        let counted = turns.clone();
        let (go, start_signal) = mpsc::channel();
        let thread = HelperThread::start("background", move |stop| {
            if start_signal.recv().is_err() {
                return;
            }
            // Frames report refused CPUs. Lowering the priority needs no privilege.
            let _ = sched::set_affinity(&cpus);
            let _ = sched::set_policy(Policy::Other { nice: Some(19), slice: None });
            while !stop.load(Ordering::Relaxed) {
                integer(ITERATIONS_A_TURN);
                counted.fetch_add(1, Ordering::Relaxed);
            }
        })?;
        Ok(Self { turns, go, _thread: thread })
    }

    pub(super) fn go(&self) {
        // The thread listens until this value is dropped.
        let _ = self.go.send(());
    }

    pub(super) fn turns(&self) -> u64 {
        self.turns.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::parameters::TIMER;
    use rt::clock;
    use std::thread;

    #[test]
    fn no_frame_starts_early_and_a_slipped_one_starts_anew() {
        for name in [TIMER, SPIN, HYBRID] {
            let mut start = Start::by(name, 500_000).unwrap();
            assert_eq!(start.sleeps(), name != SPIN);
            let first = clock::now() + 1_000_000;
            start.arm(first);
            for due in [0, 500_000, 1_500_000, 1_700_000, 2_200_000].map(|after| first + after) {
                start.wait(due);
                assert!(clock::now() >= due, "{name}");
            }
        }
    }

    #[test]
    fn the_background_counts_its_turns_until_it_is_dropped() {
        drop(Background::on(sched::affinity().unwrap()).unwrap());
        let background = Background::on(sched::affinity().unwrap()).unwrap();
        assert_eq!(background.turns(), 0);
        background.go();
        while background.turns() < 3 {
            thread::yield_now();
        }
        let turns = background.turns.clone();
        drop(background);
        let at_end = turns.load(Ordering::Relaxed);
        thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(turns.load(Ordering::Relaxed), at_end);
    }
}
