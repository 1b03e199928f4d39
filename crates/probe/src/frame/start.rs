//! How a frame is waited for, and who uses the time meanwhile.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};

use rt::sched;
use rt::timer::Timer;
use units::{CpuSet, Policy};

use super::helper::HelperThread;
use super::parameters::{HYBRID, SPIN};
use super::work::integer;
use crate::burst::spin_until;

/// Waits for due times: on an interval timer where there is one, then by spinning.
pub(super) struct Start {
    timer: Option<Timer>,
    /// How long before a frame is due the timer expires.
    lead: u64,
    period: u64,
    first: u64,
}

/// A hybrid start spins for this long, or for a tenth of a shorter period: timers
/// are late by less than that on a machine that is of any use.
const HYBRID_SPIN_NS: u64 = 200_000;

/// How long before each frame the way of starting by that name begins to spin.
pub(super) fn lead(name: &str, period: u64) -> u64 {
    match name {
        HYBRID => HYBRID_SPIN_NS.min(period / 10),
        SPIN => period,
        _ => 0,
    }
}

impl Start {
    /// The way of starting by its name.
    ///
    /// # Errors
    /// Without descriptors for a timer.
    pub(super) fn by(name: &str, period: u64) -> io::Result<Self> {
        let timer = (name != SPIN).then(Timer::interval).transpose()?;
        Ok(Self { timer, lead: lead(name, period), period, first: 0 })
    }

    /// Whether the process sleeps while it waits, so that something else can use
    /// its idle time.
    pub(super) fn sleeps(&self) -> bool {
        self.timer.is_some()
    }

    /// Period 0 is due at the stamp `first`.
    pub(super) fn arm(&mut self, first: u64) {
        self.first = first;
        if let Some(timer) = &mut self.timer {
            timer.start(first - self.lead, self.period).expect("the period is above 0");
        }
    }

    /// Waits until the stamp `due`. A run that slipped is off its timer's beat,
    /// which then starts anew.
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

/// A thread that works whenever its process does not, on the same CPUs, and counts
/// what it does.
pub(super) struct Background {
    turns: Arc<AtomicU64>,
    go: Sender<()>,
    _thread: HelperThread,
}

/// Work of one turn: some ten microseconds.
const ITERATIONS_A_TURN: u64 = 10_000;

impl Background {
    /// Stands by on these CPUs, at the lowest priority of the default policy.
    ///
    /// # Errors
    /// Without room for a thread.
    pub(super) fn on(cpus: CpuSet) -> io::Result<Self> {
        let turns = Arc::<AtomicU64>::default();
        let counted = turns.clone();
        let (go, told) = mpsc::channel();
        let thread = HelperThread::start("background", move |stop| {
            if told.recv().is_err() {
                return;
            }
            // CPUs that are refused are reported by the frames, which need them too; anybody may
            // step back.
            let _ = sched::set_affinity(&cpus);
            let _ = sched::set_policy(Policy::Other { nice: Some(19), slice: None });
            while !stop.load(Ordering::Relaxed) {
                integer(ITERATIONS_A_TURN);
                counted.fetch_add(1, Ordering::Relaxed);
            }
        })?;
        Ok(Self { turns, go, _thread: thread })
    }

    /// Begins to work.
    pub(super) fn go(&self) {
        // It listens until this value is dropped.
        let _ = self.go.send(());
    }

    /// Turns done so far.
    pub(super) fn turns(&self) -> u64 {
        self.turns.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::clock;
    use std::thread;

    #[test]
    fn no_frame_starts_early_and_a_slipped_one_starts_anew() {
        for name in [super::super::parameters::TIMER, SPIN, HYBRID] {
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
