//! Models: what is simulated step after step, as fast as possible or paced at a rate.
//!
//! A model is a value of [`Model`]; the loops here know nothing else of it. What is called in
//! a measured loop is called on its own type, so that nothing is looked up while a step is
//! measured.

pub(crate) mod fast;
pub(crate) mod hash;
pub(crate) mod held;
pub(crate) mod paced;
pub(crate) mod phases;
pub(crate) mod recorded;
pub(crate) mod schedule;
pub(crate) mod team;
pub(crate) mod warm_up;

use plan::{RunSpec, Track, Warning};
use rt::sync::Stopped;
use units::{Nanos, Policy};

use crate::{Abort, Bench};
use phases::{PhaseKind, PhaseStamps};

pub(crate) const REAL_TIME: &str = "real-time";

/// A model that can be measured: made at its start, stepped by threads, judged at its end.
pub(crate) trait Model {
    /// The part of the model that one thread steps.
    type Part: Part;

    /// The phases of a step that its threads stamp, by number.
    const PHASES: &'static [PhaseKind];

    /// Makes the model at its start: one part a thread.
    fn parts(&mut self) -> Result<Vec<Self::Part>, Abort>;

    /// The CPU and the policy of a thread: those asked for, unless the model's threads are of
    /// different urgency.
    fn conditions(&self, bench: &Bench, thread: usize) -> (usize, Policy) {
        (bench.cpu(thread), bench.spec.asked.policy)
    }

    /// Judges the model after its last step, and tells the hash of its state and its outputs:
    /// the track `state`. Times of a result that is none mean nothing.
    fn state(&self, parts: Vec<Self::Part>) -> Result<Track, Abort>;

    /// Takes inputs of these names, which are set before each step: where each stands among the
    /// values that its parts are given.
    ///
    /// # Errors
    /// The first that it does not have.
    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        match names.first() {
            Some(name) => Err(format!("it has no input `{name}`")),
            None => Ok(Vec::new()),
        }
    }

    /// Where the output of that name stands among those of its parts.
    ///
    /// # Errors
    /// Where it has no such output.
    fn output(&self, name: &str) -> Result<usize, String> {
        Err(format!("it has no output `{name}`"))
    }
}

/// Why a thread no longer steps its part of a model.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another thread ended before it.
    Others,
    /// The model failed: what invalidates the run. In a box, so that a step returns a word.
    Failed(Box<Warning>),
}

impl From<Stopped> for Stop {
    fn from(_: Stopped) -> Self {
        Self::Others
    }
}

/// One thread's part of a model. All parts that share a schedule do the same steps, each in a
/// thread of its own; one that is dropped in a panic ends the waits of all others.
pub(crate) trait Part: Send {
    /// Takes memory and fills it: called once by the thread that will step, on its CPU.
    fn settle(&mut self) -> Result<(), Stop>;

    /// How many phases a step has at most.
    fn phases_a_step(&self) -> u64;

    /// Does one step, and stamps the end of each phase.
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop>;

    /// Sets the inputs that it takes from others, before a step.
    fn set_inputs(&mut self, _values: &[f64]) -> Result<(), Stop> {
        Ok(())
    }

    /// Its outputs after the last step, where others may have them.
    fn outputs(&self) -> &[f64] {
        &[]
    }

    /// Does several steps in one go, with nothing in or out between them.
    fn run(&mut self, steps: u64) -> Result<(), Stop>;

    /// Keeps what was asked for of a step that ended, outside of its time: neither waits nor
    /// allocates. A paced step has its number and its stamps: due, start, end.
    fn after(&mut self, _paced: Option<(u64, [u64; 3])>) {}

    /// Brings a piece of the own state near, the next one at each call, without a change to it:
    /// called before a paced step where that is asked for.
    fn touch(&mut self) {}

    /// Prepares the part's end: called once by the thread that stepped, after its last step.
    fn finish(&mut self) {}

    /// Adds what was kept to the track of the part's thread.
    fn onto(&self, track: Track) -> Track {
        track
    }
}

/// Whether steps are paced at a rate.
pub(crate) fn is_paced(spec: &RunSpec) -> bool {
    spec.parameters.word("mode") == REAL_TIME
}

/// How many steps a run has: as its parameters say, else as many as its time has periods.
pub(crate) fn steps(spec: &RunSpec) -> u64 {
    match spec.parameters.get("steps") {
        Some(_) => spec.parameters.count("steps"),
        None => {
            let Nanos(period) = spec.parameters.time("rate");
            (spec.asked.duration.0 / period.max(1)).max(1)
        }
    }
}
