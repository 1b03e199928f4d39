//! The load role: the process that does the work.

use std::thread;
use std::time::Instant;

use plan::LoadSpec;
use rt::shared::SharedCounter;
use rt::{role, sched};
use units::CpuSet;

use crate::pace::Pace;
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
