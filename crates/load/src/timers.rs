//! Timer load: many armed timers, which expire one after the other.

use std::io;

use rt::clock;
use rt::timer::Timer;

use crate::Load;

const TIMERS: u64 = 100;
/// The period of each timer in nanoseconds; the timers are evenly spread over it.
const PERIOD_NS: u64 = 10_000_000;
/// Timers awaited per unit of work: a millisecond.
const AT_ONCE: u64 = 10;

pub(crate) const LOAD: Load = Load {
    name: "timers",
    summary: "wakes 10 000 times per second on each CPU, by 100 timers",
    unit: |_| "timers expired",
    is_aggressor: true,
    prepare: |_, _| {
        let failed = |error: io::Error| format!("timerfd: {error}");
        let mut timers = (0..TIMERS)
            .map(|_| Timer::interval())
            .collect::<io::Result<Vec<_>>>()
            .map_err(failed)?;
        let first = clock::now() + PERIOD_NS;
        for (timer, place) in timers.iter_mut().zip(0..) {
            let due = first + place * PERIOD_NS / TIMERS;
            timer.start(due, PERIOD_NS).map_err(failed)?;
        }
        let mut expired = 0;
        Ok(Box::new(move || {
            for _ in 0..AT_ONCE {
                let (timer, turn) = (expired % TIMERS, expired / TIMERS);
                let due = first + turn * PERIOD_NS + timer * PERIOD_NS / TIMERS;
                timers[timer as usize].wait(turn, due);
                expired += 1;
            }
            Ok(AT_ONCE)
        }))
    },
    ..Load::PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel_counts::interrupts;

    #[test]
    fn every_timer_is_awaited_and_none_comes_early() {
        let before = (clock::now(), interrupts("LOC"));
        let mut work = (LOAD.prepare)("", u64::MAX).unwrap();
        let done: u64 = (0..30).map(|_| work().unwrap()).sum();
        let after = (clock::now(), interrupts("LOC"));
        assert_eq!(done, 30 * AT_ONCE);
        assert!(after.0 - before.0 >= (done - 1) * PERIOD_NS / TIMERS);
        if let Some(counted) = after.1.zip(before.1).map(|(after, before)| after - before) {
            assert!(counted > 0, "no interrupt of a local timer");
        }
    }
}
