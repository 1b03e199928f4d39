//! The cost of tracing: wake-ups alternately without and with tracing, before the run.

use std::thread;

use base::{CpuSet, Policy};
use record::Asked;
use rt::thread::start_in;
use rt::{clock, sched};

use super::tracing::Tracing;

/// Turns of each kind, and wake-ups per turn.
const TURNS: usize = 10;
const A_TURN: usize = 20;
/// Time from one wake-up to the next: long enough to fall asleep.
const PERIOD_NS: u64 = 200_000;

/// Measures latencies without and with tracing, in nanoseconds, on the first measured CPU under the
/// requested policy. Returns `None` if that is refused; the run itself is then refused too.
pub(super) fn measured(tracing: &Tracing, asked: &Asked) -> Option<[Vec<i64>; 2]> {
    let cpus = match asked.policy {
        // The kernel refuses to pin deadline threads.
        Policy::Deadline { .. } => asked.cpus.clone(),
        _ => CpuSet::one(asked.cpus.iter().next()?),
    };
    let policy = asked.policy;
    thread::scope(|scope| {
        let timed = start_in(scope, "cost", move || {
            sched::set_affinity(&cpus).ok()?;
            sched::set_policy(policy).ok()?;
            let mut latencies = [Vec::new(), Vec::new()];
            for _ in 0..TURNS {
                for (on, latencies) in [false, true].into_iter().zip(&mut latencies) {
                    tracing.turn(on).ok()?;
                    latencies.extend(wake_ups());
                }
            }
            tracing.turn(false).ok()?;
            Some(latencies)
        });
        timed.ok()?.join().ok().flatten()
    })
}

fn wake_ups() -> impl Iterator<Item = i64> {
    (0..A_TURN).map(|_| {
        let due = clock::now() + PERIOD_NS;
        clock::sleep_until(due);
        clock::now() as i64 - due as i64
    })
}
