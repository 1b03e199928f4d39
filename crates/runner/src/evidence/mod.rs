//! Evidence of what took the measured CPUs, gathered during a run by a separate thread: the
//! kernel's trace if it can be read, the time that a hypervisor took, and the time for which the
//! control group held threads back.

mod cost;
mod group;
mod keeper;
mod tracing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use blame::{TRACE, cost_track, group_track, steal_track};
use plan::{LatencyHold, RunSpec, Track};
use probe::Measurement;
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
    /// Requests the evidence so far; each request has the place for the answer.
    requests: Sender<Sender<Vec<Track>>>,
}

impl Gathering {
    /// Starts on the measured CPUs if the run searches for causes, and traces the system calls of
    /// models too. If nothing can be traced, the evidence says why.
    pub(crate) fn of_run(spec: &RunSpec, measurement: &dyn Measurement) -> Option<Self> {
        spec.blame_beyond?;
        let asked = &spec.asked;
        let calls_of = measurement.runs_others(spec).then_some(probe::MODEL_THREADS);
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
        let (requests, requested) = mpsc::channel();
        let gather = move || gather(&stopped, &requested, &cpus, tracing, idle_exit_ns);
        let reader = rt::thread::start("evidence", gather);
        Some(Self { reader: reader.ok(), stop, cost, requests })
    }

    /// Returns the evidence since the last call, and continues.
    pub(crate) fn hand_over(&self) -> Vec<Track> {
        let (answer, evidence) = mpsc::channel();
        // If the thread could not start or failed, there is no evidence.
        let mut tracks = match self.requests.send(answer) {
            Ok(()) => evidence.recv().unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        tracks.extend(self.cost.clone());
        tracks
    }

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

fn gather(
    stop: &AtomicBool,
    requested: &Receiver<Sender<Vec<Track>>>,
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
        let request = requested.try_recv().ok();
        if is_last || request.is_some() || round.is_multiple_of(STEAL_EVERY) {
            steal.extend(stolen(cpus));
        }
        if let Some(answer) = request {
            // The next interval begins with the same reading.
            let next = steal.split_off(steal.len().saturating_sub(cpus.len()));
            steal.extend_from_slice(&next);
            // The receiver may have gone.
            let _ = answer.send(tracks(&mut tracing, &steal, &group.hand_over(), idle_exit_ns));
            steal = next;
        }
        if is_last {
            break;
        }
        thread::sleep(READ_EVERY);
    }
    if let Ok(tracing) = &tracing {
        // If it cannot be turned off, removing the instance stops it.
        let _ = tracing.turn(false);
    }
    tracks(&mut tracing, &steal, &group.hand_over(), idle_exit_ns)
}

fn tracks(
    tracing: &mut Result<Tracing, String>,
    steal: &[[i64; 3]],
    held: &[[i64; 4]],
    idle_exit_ns: i64,
) -> Vec<Track> {
    let mut trace = match tracing {
        Ok(tracing) => tracing.hand_over(),
        Err(why) => vec![Track::new(TRACE).with("unavailable", why.clone())],
    };
    trace[0] = std::mem::take(&mut trace[0]).with("idle_exit_ns", idle_exit_ns);
    trace.push(steal_track(steal));
    trace.push(group_track(held));
    trace
}

fn stolen(cpus: &CpuSet) -> Vec<[i64; 3]> {
    let at = clock::now() as i64;
    let reading = |cpu| [at, cpu as i64, counters::steal_ns(cpu) as i64];
    cpus.iter().map(reading).collect()
}
