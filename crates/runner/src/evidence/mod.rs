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
use rt::{clock, counters, idle, sched};
use units::{CpuSet, Policy};

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
        let idle_exit_ns = match asked.cpu_dma_latency {
            LatencyHold::Hold => 0,
            LatencyHold::Leave => idle::longest_exit_ns(&asked.cpus),
        };
        let mut cost = None;
        let tracing = Tracing::set_up(&asked.cpus, calls_of).and_then(|tracing| {
            cost = cost::measured(&tracing, asked).map(cost_track);
            tracing.go()?;
            Ok(tracing)
        });
        let (stop, cpus) = (Arc::<AtomicBool>::default(), asked.cpus.clone());
        let (stopped, (requests, requested)) = (stop.clone(), mpsc::channel());
        let reader = rt::thread::start("evidence", move || {
            keep_up(&cpus);
            let group = GroupWatch::start(2 * READ_EVERY.as_nanos() as i64);
            let steal = Vec::new();
            Gatherer { cpus, tracing, group, steal, idle_exit_ns }.gather(&stopped, &requested)
        });
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

/// Gives this thread the lowest real-time priority, so that ordinary tasks on its CPUs do not make
/// it read too late, unless it shares a CPU with the measured threads. Without the right to that, it
/// remains an ordinary thread.
fn keep_up(measured: &CpuSet) {
    let is_apart = sched::affinity().is_ok_and(|own| own.iter().all(|cpu| !measured.contains(cpu)));
    if is_apart {
        let _ = sched::set_policy(Policy::Fifo(1));
    }
}

/// What the separate thread has gathered and not yet handed over.
struct Gatherer {
    cpus: CpuSet,
    tracing: Result<Tracing, String>,
    group: GroupWatch,
    steal: Vec<[i64; 3]>,
    idle_exit_ns: i64,
}

impl Gatherer {
    fn gather(mut self, stop: &AtomicBool, requested: &Receiver<Sender<Vec<Track>>>) -> Vec<Track> {
        for round in 0u32.. {
            let is_last = stop.load(Ordering::Relaxed);
            if let Ok(tracing) = &mut self.tracing {
                tracing.read();
            }
            self.group.read();
            let request = requested.try_recv().ok();
            if is_last || request.is_some() || round.is_multiple_of(STEAL_EVERY) {
                self.steal.extend(stolen(&self.cpus));
            }
            if let Some(answer) = request {
                // The receiver may have gone.
                let _ = answer.send(self.tracks());
                // The next interval begins with the same reading.
                self.steal.drain(..self.steal.len().saturating_sub(self.cpus.len()));
            }
            if is_last {
                break;
            }
            thread::sleep(READ_EVERY);
        }
        if let Ok(tracing) = &self.tracing {
            // If it cannot be turned off, removing the instance stops it.
            let _ = tracing.turn(false);
        }
        self.tracks()
    }

    fn tracks(&mut self) -> Vec<Track> {
        let mut trace = match &mut self.tracing {
            Ok(tracing) => tracing.hand_over(),
            Err(why) => vec![Track::new(TRACE).with("unavailable", why.clone())],
        };
        trace[0] = std::mem::take(&mut trace[0]).with("idle_exit_ns", self.idle_exit_ns);
        trace.extend([steal_track(&self.steal), group_track(&self.group.hand_over())]);
        trace
    }
}

fn stolen(cpus: &CpuSet) -> Vec<[i64; 3]> {
    let at = clock::now() as i64;
    let reading = |cpu| [at, cpu as i64, counters::steal_ns(cpu) as i64];
    cpus.iter().map(reading).collect()
}
