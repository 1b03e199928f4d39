//! Evidence of what took the measured CPUs, gathered during a run by a separate thread: what the
//! kernel counts in every run with deadlines, and its trace in runs that search for causes.

mod cost;
mod counts;
mod group;
mod keeper;
mod log;
mod tracing;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::{CpuSet, Observed, Policy};
use blame::{TRACE, cost_track, with_idle_exit};
use measure::{Announce, Measured, Measurement};
use record::{LatencyHold, RunSpec, ThreadFound, Track};
use rt::{clock, idle, role, sched, system};

use counts::Counts;
use group::GroupWatch;
use tracing::Tracing;

/// Interval between readings of counters, most of which count in hundredths of a second.
const COUNT_EVERY: Duration = Duration::from_millis(50);
/// Interval between reads of a trace; a buffer of 1 MiB or more has room for the events in between.
const TRACE_EVERY: Duration = Duration::from_millis(10);

/// A gathering in progress. Dropping it removes the trace.
pub(crate) struct Gathering {
    reader: Option<JoinHandle<()>>,
    cost: Option<Track>,
    messages: Sender<Message>,
}

enum Message {
    /// A measured thread is about to start.
    Measured(Measured),
    /// The evidence so far is requested; the measured threads that have ended, and the place for the
    /// answer.
    HandOver(Vec<ThreadFound>, Sender<Vec<Track>>),
    Stop,
}

impl Gathering {
    /// Starts on the measured CPUs if the run has deadlines. If the run searches for causes, it also
    /// traces, and the system calls of models too; if nothing can be traced, the evidence says why.
    /// In the lab a run without a search has no evidence: reading it would change what is measured.
    pub(crate) fn of_run(spec: &RunSpec, measurement: &dyn Measurement) -> Option<Self> {
        let searches = spec.blame_beyond.is_some();
        let counts_only = measurement.usual_limit(&spec.parameters).is_some()
            && clock::is_of_linux()
            && !role::is_in_lab();
        if !searches && !counts_only {
            return None;
        }
        let (mut cost, mut tracing) = (None, None);
        if searches {
            let set_up = traced(spec, measurement);
            cost = set_up.as_ref().ok().and_then(|(_, cost)| cost.clone());
            tracing = Some(set_up.map(|(tracing, _)| tracing));
        }
        let gatherer = Gatherer::of(spec, tracing);
        let (messages, received) = mpsc::channel();
        let measured = spec.asked.cpus.clone();
        let reader = rt::thread::start("evidence", move || {
            if searches {
                keep_up(&measured);
            }
            gatherer.gather(&received);
        });
        Some(Self { reader: reader.ok(), cost, messages })
    }

    /// Returns what takes the measured threads of the run.
    pub(crate) fn announce(&self) -> Announce {
        let messages = self.messages.clone();
        // If the thread could not start or failed, there is no evidence.
        Announce(Arc::new(move |measured| drop(messages.send(Message::Measured(measured)))))
    }

    /// Returns the evidence since the last call, and continues. `ended` are the measured threads that
    /// have ended.
    pub(crate) fn hand_over(&self, ended: Vec<ThreadFound>) -> Vec<Track> {
        let (answer, evidence) = mpsc::channel();
        // If the thread could not start or failed, there is no evidence.
        let mut tracks = match self.messages.send(Message::HandOver(ended, answer)) {
            Ok(()) => evidence.recv().unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        tracks.extend(self.cost.clone());
        tracks
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        // If the thread could not start or failed, nothing is left to end.
        let _ = self.messages.send(Message::Stop);
        let _ = self.reader.take().map(JoinHandle::join);
    }
}

/// Starts a trace, and returns it with the track of its cost.
fn traced(
    spec: &RunSpec,
    measurement: &dyn Measurement,
) -> Result<(Tracing, Option<Track>), String> {
    let calls_of = measurement.runs_others(spec).then_some(measure::MODEL_THREADS);
    let tracing = Tracing::set_up(&spec.asked.cpus, calls_of)?;
    let cost = cost::measured(&tracing, &spec.asked).map(cost_track);
    tracing.go()?;
    Ok((tracing, cost))
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
    /// `None` if the run does not search for causes; the reason if nothing can be traced.
    tracing: Option<Result<Tracing, String>>,
    group: GroupWatch,
    counts: Counts,
    idle_exit_ns: Observed<i64>,
    granted_percent: Option<u64>,
}

impl Gatherer {
    fn of(spec: &RunSpec, tracing: Option<Result<Tracing, String>>) -> Self {
        let asked = &spec.asked;
        let every = if tracing.is_some() { TRACE_EVERY } else { COUNT_EVERY };
        let planned = spec.longest().as_nanos() / COUNT_EVERY.as_nanos();
        let threads = spec.parameters.threads().max(spec.parameters.processes());
        let threads = (threads as usize).max(asked.cpus.len()).max(spec.members.len());
        Self {
            tracing,
            group: GroupWatch::start(2 * every.as_nanos() as i64),
            counts: Counts::of(&asked.cpus, threads, planned as usize),
            idle_exit_ns: match asked.cpu_dma_latency {
                LatencyHold::Hold => Observed::Seen(0),
                LatencyHold::Leave => idle::longest_exit_ns(&asked.cpus),
            },
            granted_percent: match system::may_hide_rt_budget() {
                true => Some(0),
                false => system::rt_grant(&asked.cpus).map(|grant| grant.percent),
            },
        }
    }

    fn gather(mut self, messages: &Receiver<Message>) {
        let every = if self.tracing.is_some() { TRACE_EVERY } else { COUNT_EVERY };
        let mut counted = Instant::now();
        self.counts.read();
        loop {
            match messages.recv_timeout(every) {
                Ok(Message::Measured(measured)) => self.counts.add(measured),
                Ok(Message::HandOver(ended, answer)) => {
                    self.read();
                    self.counts.read();
                    self.counts.close(&ended);
                    // The receiver may have gone.
                    let _ = answer.send(self.hand_over());
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.read();
                    if counted.elapsed() >= COUNT_EVERY {
                        self.counts.read();
                        counted = Instant::now();
                    }
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if let Some(Ok(tracing)) = &self.tracing {
            // If it cannot be turned off, removing the instance stops it.
            let _ = tracing.turn(false);
        }
    }

    fn read(&mut self) {
        if let Some(Ok(tracing)) = &mut self.tracing {
            tracing.read();
        }
        self.group.read();
    }

    fn hand_over(&mut self) -> Vec<Track> {
        let mut tracks = match &mut self.tracing {
            None => Vec::new(),
            Some(Ok(tracing)) => tracing.hand_over(),
            Some(Err(why)) => vec![Track::new(TRACE).with("unavailable", why.clone())],
        };
        if let Some(trace) = tracks.first_mut() {
            *trace = with_idle_exit(std::mem::take(trace), &self.idle_exit_ns);
        }
        tracks.extend(self.counts.hand_over());
        tracks.push(self.group.hand_over(self.granted_percent));
        tracks
    }
}
