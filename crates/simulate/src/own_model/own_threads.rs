//! Threads that a model starts itself: where they may run, and which it has left.

use base::{CpuSet, Policy};
use record::{Asked, Track, fact};
use rt::foreign_threads::{self, ForeignThread};
use rt::process::Pid;
use rt::sched;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The CPUs of a run, by what may use them.
#[derive(Debug, Clone)]
pub(super) struct Cpus {
    all: CpuSet,
    /// Those of the threads that step.
    steps: CpuSet,
}

impl Cpus {
    /// Returns the CPUs of a run in which `threads` threads step, on the first CPUs in turn.
    pub(super) fn of(asked: &Asked, threads: usize) -> Self {
        Self { all: asked.cpus.clone(), steps: asked.cpus.iter().take(threads).collect() }
    }

    /// Returns the CPUs of the model's own threads: those on which nothing steps, or all.
    fn apart(&self) -> CpuSet {
        let apart = self.all.without(&self.steps);
        if apart.is_empty() { self.all.clone() } else { apart }
    }

    /// Lets the calling thread use all CPUs for as long as the result lives, since a model may start
    /// as many threads as it counts CPUs when it is loaded.
    pub(super) fn widen(&self) -> Widened {
        // If this is refused, the CPUs stay as they are; what threads have is recorded.
        let before = sched::affinity().unwrap_or_default();
        let _ = sched::set_affinity(&self.all);
        Widened(before)
    }

    /// Moves the threads that a model has started in a process off the CPUs of the steps, if there
    /// are others, unless the model has chosen their CPUs itself. The calling thread has those that
    /// they have inherited.
    pub(super) fn move_threads(&self, process: Pid) {
        let inherited = sched::affinity().unwrap_or_default();
        let has_inherited = |one: &ForeignThread| one.cpus == self.all || one.cpus == inherited;
        let apart = self.apart();
        for one in foreign_threads::of(process).into_iter().filter(has_inherited) {
            // A thread that ends meanwhile needs no CPU.
            let _ = sched::set_affinity_of(one.id, &apart);
        }
    }

    /// Adds the number of these threads to a track, and where they may run with which policy.
    pub(super) fn onto(&self, track: Track, threads: &[ForeignThread]) -> Track {
        let mut places: Vec<Place> = Vec::new();
        for one in threads {
            let only_beside_steps = one.cpus.without(&self.steps).is_empty();
            let policy = match one.policy {
                // The kernel reports a slice that was not requested.
                Policy::Other { nice, .. } => {
                    let nice = nice.filter(|nice| *nice != 0);
                    Policy::Other { nice, slice: None }
                }
                other => other,
            };
            let (policy, cpus) = (policy.to_string(), one.cpus.to_string());
            let place = Place { policy, cpus, threads: 1, only_beside_steps };
            let is_same = |known: &&mut Place| Place { threads: 1, ..(*known).clone() } == place;
            match places.iter_mut().find(is_same) {
                Some(known) => known.threads += 1,
                None => places.push(place),
            }
        }
        places.sort();
        track
            .with(&fact::MODEL_THREADS, threads.len())
            .with(&fact::MODEL_THREADS_AT, serde_json::to_string(&places).ok())
    }
}

/// Where some threads of a model may run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    policy: String,
    cpus: String,
    threads: u64,
    only_beside_steps: bool,
}

/// Returns the places of a model's threads as a row has them, from the text that a track has.
pub(super) fn places(text: Option<Value>) -> Option<Value> {
    let places: Vec<Place> = serde_json::from_str(text?.as_str()?).ok()?;
    serde_json::to_value(places).ok()
}

/// A thread that may use all CPUs until this is dropped; these are its own.
pub(super) struct Widened(CpuSet);

impl Widened {
    /// Confines the first thread of a process to the CPUs that the calling thread had.
    pub(super) fn confine(&self, process: Pid) -> Result<(), String> {
        let confined = sched::set_affinity_of(process, &self.0);
        confined.map_err(|error| format!("it cannot be confined to CPU {}: {error}", self.0))
    }
}

impl Drop for Widened {
    fn drop(&mut self) {
        // The CPUs of a measuring thread are read back before it starts.
        let _ = sched::set_affinity(&self.0);
    }
}

/// Returns the threads that models have started in these processes, each process once.
pub(super) fn left_in(processes: impl IntoIterator<Item = Pid>) -> Vec<ForeignThread> {
    let mut processes: Vec<Pid> = processes.into_iter().collect();
    processes.sort_unstable_by_key(|process| process.as_raw_pid());
    processes.dedup();
    processes.into_iter().flat_map(foreign_threads::of).collect()
}
