//! What the loops of wake-ups share: their threads, their timer and their track.

use std::io;

use base::{CpuSet, Policy};
use bench::columns::Kinds;
use bench::pace::Pace;
use bench::shape::{Holds, MOST_COUNTED};
use record::{RunSpec, Track, fact};
use rt::clock;
use rt::timer::Timer;

pub(super) const INTERVAL: &str = "interval";
pub(super) const WOKEN: Kinds<2> =
    [("period_index", Holds::RisingUpTo(MOST_COUNTED)), ("woke_ns", Holds::Stamps)];

/// The next period and when it is due.
pub(super) struct Next {
    pub(super) period: u64,
    pub(super) due: u64,
}

/// Wakes in each period before period `over`; `keep` gets each one's number, when it was due and when it woke. A period
/// that is over at the wake-up is left out, so the next one may be beyond `over`.
#[inline]
pub(super) fn wake_until(
    over: u64,
    next: &mut Next,
    pace: Pace,
    timer: &mut Timer,
    mut keep: impl FnMut(u64, u64, u64),
) {
    let period = pace.period_ns();
    let Next { period: mut k, mut due } = *next;
    while k < over {
        timer.wait(k, due);
        let woke = clock::now();
        keep(k, due, woke);
        k += 1;
        due += period;
        while due <= woke {
            k += 1;
            due += period;
        }
    }
    *next = Next { period: k, due };
}

pub(super) fn track_of(pace: Pace, name: &str, cpus: &CpuSet, t0: u64, skipped: u64) -> Track {
    let track = Track::new(name).with(&fact::CPUS, cpus.to_string());
    pace.onto(track, t0).with("skipped", skipped)
}

pub(super) fn timer(spec: &RunSpec) -> io::Result<Timer> {
    let is_interval = spec.parameters.timer() == INTERVAL;
    if is_interval { Timer::interval() } else { Ok(Timer::Sleep) }
}

/// Returns one thread per CPU; a deadline thread cannot be pinned, so there is only one.
pub(super) fn places(spec: &RunSpec) -> Vec<(String, CpuSet)> {
    let cpus = &spec.asked.cpus;
    match spec.asked.policy {
        Policy::Deadline { .. } => vec![(format!("CPUs {cpus}"), cpus.clone())],
        _ => cpus.iter().map(|cpu| (format!("CPU {cpu}"), CpuSet::one(cpu))).collect(),
    }
}
