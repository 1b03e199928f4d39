//! The load role: the process that does the work.

use std::thread;
use std::time::{Duration, Instant};

use base::CpuSet;
use record::LoadSpec;
use rt::shared::SharedCounter;
use rt::{role, sched};

use crate::typed::{argument, known};
use crate::{Processes, Work};

/// Works on the given CPUs until the process that started it ends, and counts in the counter that
/// it inherited under this descriptor. It may use up to `granted` bytes of memory.
///
/// # Errors
/// One line if it cannot start or continue; otherwise it never returns.
pub fn serve(spec: &LoadSpec, cpus: &CpuSet, descriptor: i32, granted: u64) -> Result<(), String> {
    let load = known(&spec.name)?;
    if load.processes != Processes::Guard {
        // A guard outlives its parent for as long as it needs to clean up.
        role::die_with_starter().map_err(|error| error.to_string())?;
    }
    let counter = SharedCounter::inherited(descriptor).map_err(|error| error.to_string())?;
    sched::set_affinity(cpus).map_err(|error| {
        format!("it may not use CPU {cpus} ({error}); name CPUs that are in this process's cpuset")
    })?;
    sched::leave_real_time().map_err(|error| error.to_string())?;
    let work = (load.prepare)(argument(load, spec), granted)?;
    count(work, &counter, Pace::new(spec.intensity_percent))
}

fn count(mut work: Work, counter: &SharedCounter, mut pace: Pace) -> Result<(), String> {
    loop {
        let started = Instant::now();
        counter.add(work()?);
        if let Some(rest) = pace.rest_after(started.elapsed()) {
            thread::sleep(rest);
        }
    }
}

/// Works for a share of each slice of 10 ms, and rests for the remainder.
struct Pace {
    percent: u32,
    worked: Duration,
}

const SLICE: Duration = Duration::from_millis(10);
const FULL: u32 = LoadSpec::FULL as u32;

impl Pace {
    /// Works for `percent` (1 to 100) of the time.
    fn new(percent: u8) -> Self {
        Self { percent: u32::from(percent), worked: Duration::ZERO }
    }

    /// How long to rest, if it is time to; work beyond the slice's share extends it in proportion.
    fn rest_after(&mut self, work: Duration) -> Option<Duration> {
        self.worked += work;
        if self.percent == FULL || self.worked < SLICE * self.percent / FULL {
            return None;
        }
        let rest = self.worked * (FULL - self.percent) / self.percent;
        self.worked = Duration::ZERO;
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of time worked, in percent, if each unit takes this long.
    fn share(percent: u8, unit: Duration) -> f64 {
        let mut pace = Pace::new(percent);
        let rests: Duration = (0..10_000).filter_map(|_| pace.rest_after(unit)).sum();
        let worked = unit * 10_000;
        100.0 * worked.as_secs_f64() / (worked + rests).as_secs_f64()
    }

    #[test]
    fn the_share_is_kept_for_short_and_long_units() {
        for percent in [1, 10, 50, 99, 100] {
            for micros in [10, 1_000, 50_000] {
                let share = share(percent, Duration::from_micros(micros));
                assert!((share - f64::from(percent)).abs() < 1.0, "{percent}: {share}");
            }
        }
    }

    #[test]
    fn a_rest_ends_a_slice() {
        let mut pace = Pace::new(50);
        let unit = Duration::from_millis(1);
        let rests: Vec<Option<Duration>> = (0..5).map(|_| pace.rest_after(unit)).collect();
        assert_eq!(rests[..4], [None; 4]);
        assert_eq!(rests[4], Some(SLICE / 2));
    }
}
