//! Evidence of what took the measured CPUs, gathered during a run by a separate thread: the
//! kernel's trace if it can be read, the time that a hypervisor took, and the time for which the
//! control group held threads back.

mod cost;
mod group;
mod keeper;
mod tracing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use blame::{TRACE, cost_track, group_track, steal_track};
use plan::{Asked, LatencyHold, Track};
use rt::{clock, counters, idle};
use units::CpuSet;

use group::GroupWatch;
use tracing::Tracing;

/// Interval between reads; a buffer of 1 MiB or more has room for the events in between.
const READ_EVERY: Duration = Duration::from_millis(10);
/// Steal is read every this many rounds, since it is counted in hundredths of a second.
const STEAL_EVERY: u32 = 5;

/// A gathering in progress. Dropping it removes the trace.
pub(crate) struct Gathering {
    stop: Arc<AtomicBool>,
    reader: Option<JoinHandle<Vec<Track>>>,
    cost: Option<Track>,
}

impl Gathering {
    /// Starts on the measured CPUs; if they cannot be traced, the evidence says why. System calls
    /// are traced too for threads whose names match the pattern `calls_of`.
    pub(crate) fn begin(asked: &Asked, calls_of: Option<&str>) -> Self {
        let mut cost = None;
        let idle_exit_ns = match asked.cpu_dma_latency {
            LatencyHold::Hold => 0,
            LatencyHold::Leave => idle::longest_exit_ns(&asked.cpus),
        };
        let tracing = Tracing::set_up(&asked.cpus, calls_of).and_then(|tracing| {
            cost = cost::measured(&tracing, asked).map(cost_track);
            tracing.go()?;
            Ok(tracing)
        });
        let stop = Arc::<AtomicBool>::default();
        let (stopped, cpus) = (stop.clone(), asked.cpus.clone());
        let gather = move || gather(&stopped, &cpus, tracing, idle_exit_ns);
        let reader = rt::thread::start("evidence", gather);
        Self { reader: reader.ok(), stop, cost }
    }

    /// Stops, and returns the evidence.
    pub(crate) fn finish(mut self) -> Vec<Track> {
        let mut tracks = self.end();
        tracks.extend(self.cost.take());
        tracks
    }

    fn end(&mut self) -> Vec<Track> {
        self.stop.store(true, Ordering::Relaxed);
        let reader = self.reader.take().map(JoinHandle::join);
        // If the thread could not start or failed, there is no evidence.
        reader.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads until `stop` is set.
fn gather(
    stop: &AtomicBool,
    cpus: &CpuSet,
    mut tracing: Result<Tracing, String>,
    idle_exit_ns: i64,
) -> Vec<Track> {
    let mut steal = Vec::new();
    let mut group = GroupWatch::start(2 * READ_EVERY.as_nanos() as i64);
    for round in 0u32.. {
        let is_last = stop.load(Ordering::Relaxed);
        if let Ok(tracing) = &mut tracing {
            tracing.read();
        }
        group.read();
        if is_last || round.is_multiple_of(STEAL_EVERY) {
            steal.extend(stolen(cpus));
        }
        if is_last {
            break;
        }
        thread::sleep(READ_EVERY);
    }
    let mut tracks = match tracing {
        Ok(tracing) => tracing.finish(),
        Err(why) => vec![Track::new(TRACE).with("unavailable", why)],
    };
    tracks[0] = std::mem::take(&mut tracks[0]).with("idle_exit_ns", idle_exit_ns);
    tracks.push(steal_track(&steal));
    tracks.push(group_track(&group.finish()));
    tracks
}

fn stolen(cpus: &CpuSet) -> Vec<[i64; 3]> {
    let at = clock::now() as i64;
    let reading = |cpu| [at, cpu as i64, counters::steal_ns(cpu) as i64];
    cpus.iter().map(reading).collect()
}
