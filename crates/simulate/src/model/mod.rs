//! Models: simulated step by step, as fast as possible or paced at a rate.
//!
//! A model is a value of [`Model`]; the loops here know it only by that trait. Calls in a measured
//! loop are made on the model's own type, so that nothing is looked up while a step is measured.

pub(crate) mod fast;
pub(crate) mod hash;
pub(crate) mod held;
pub(crate) mod intervals;
pub(crate) mod paced;
pub(crate) mod phases;
pub(crate) mod recorded;
pub(crate) mod schedule;
pub(crate) mod team;
pub(crate) mod warm_up;

use base::Policy;
use bench::{Abort, Bench};
use record::{Mode, RunSpec, Track, Warning};
use rt::progress::Phase;
use rt::sync::Stopped;

use phases::{PhaseKind, PhaseStamps};

/// A model that can be measured: created at the start, stepped by threads, checked at the end.
pub(crate) trait Model {
    type Part: Part;

    /// The phases of a step that its threads stamp, by number.
    const PHASES: &'static [PhaseKind];

    /// Creates the model in its initial state: one part per thread.
    fn parts(&mut self) -> Result<Vec<Self::Part>, Abort>;

    /// Returns a thread's CPU and policy: the requested ones, unless the threads differ in urgency.
    fn conditions(&self, bench: &Bench, thread: usize) -> (usize, Policy) {
        (bench.cpu(thread), bench.spec.asked.policy)
    }

    /// Checks the model after its last step, and returns the track `state` with the hashes of its
    /// state and its outputs. Fails if the result is wrong, because its times would mean nothing.
    fn state(&self, parts: Vec<Self::Part>) -> Result<Track, Abort>;

    /// Registers the inputs of these names, and returns the position of each among the values.
    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        match names.first() {
            Some(name) => Err(format!("it has no input `{name}`")),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the position of the output of that name among those of its parts.
    fn output(&self, name: &str) -> Result<usize, String> {
        Err(format!("it has no output `{name}`"))
    }
}

/// The reason why a thread stops stepping its part of a model.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another thread ended first.
    Others,
    /// The warning invalidates the run. It is boxed so that a step returns only one word.
    Failed(Box<Warning>),
}

impl Stop {
    /// A failure in this phase; only measured steps have numbers.
    pub(crate) fn of_model(phase: Phase, number: u64, what: String) -> Self {
        let step = (phase == Phase::Step).then_some(number);
        Self::Failed(Box::new(Warning::model_failed(phase.name(), step, what)))
    }
}

impl From<Stopped> for Stop {
    fn from(_: Stopped) -> Self {
        Self::Others
    }
}

/// One thread's part of a model. All parts that share a schedule compute the same steps, each in a
/// separate thread. A part that is dropped in a panic ends the waits of all others.
pub(crate) trait Part: Send {
    /// Creates its state at the start of the model's time, with the inputs that are known then, in
    /// the order of [`Model::take_inputs`]; called once, on its CPU, by the thread that will step.
    fn initialise(&mut self, _inputs: &[Option<f64>]) -> Result<(), Stop> {
        Ok(())
    }

    /// Allocates memory and fills it; called after [`Self::initialise`], by the same thread.
    fn settle(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    fn phases_per_step(&self) -> u64;

    /// Computes one step and stamps the end of each phase.
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop>;

    /// Sets the inputs that come from other models, before a step.
    fn set_inputs(&mut self, _values: &[f64]) -> Result<(), Stop> {
        Ok(())
    }

    /// Returns the outputs at the start or after the last step, if other models may use them.
    fn outputs(&self) -> &[f64] {
        &[]
    }

    /// Computes several steps in one call, without input or output between them.
    fn run(&mut self, steps: u64) -> Result<(), Stop>;

    /// Returns whether all measured steps were made as requested, such as not discarded.
    fn all_steps_are_made(&self) -> bool {
        true
    }

    /// Keeps the requested data of a step that ended, outside of its measured time; neither waits
    /// nor allocates. A paced step has its number and its stamps: due, start, end.
    fn after(&mut self, _paced: Option<(u64, [u64; 3])>) {}

    /// Reads a piece of the state without changing it, the next one at each call, to bring it into
    /// the caches; called before a paced step if requested.
    fn touch(&mut self) {}

    /// Prepares the end of the part; called once, after the last step, by the thread that stepped.
    fn finish(&mut self) {}

    /// Adds the kept data to the track of the part's thread.
    fn onto(&self, track: Track) -> Track {
        track
    }
}

pub(crate) fn is_paced(spec: &RunSpec) -> bool {
    spec.parameters.mode() == Some(Mode::RealTime)
}

/// Returns how many steps a run has at its rate: the parameter `steps`, or else the number of periods in
/// its time, at least 1.
pub fn steps(spec: &RunSpec) -> u64 {
    match spec.parameters.get("steps") {
        Some(_) => spec.parameters.steps(),
        None => spec.periods().max(1),
    }
}
