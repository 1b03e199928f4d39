//! The part of a tire that one thread does.

use std::ops::Range;
use std::sync::Arc;

use rt::sync::Stopped;

use crate::physics::Raw;
use crate::problem::Problem;

/// A part of a step, as the papers show it on their time lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading neighbours or writing own masses through their semaphores.
    Lock,
    /// Forces, and also integration in solvers that do both in one sweep.
    Compute,
    /// Integration alone.
    Integrate,
    /// Waiting for other threads.
    Wait,
}

/// Receives the end of each phase. It is called in the measured loop, so it must neither wait nor
/// allocate.
pub trait Observer {
    /// Called when a phase of this thread's step has just ended.
    fn phase(&mut self, phase: Phase);
}

/// Observes nothing: for steps whose phases are not recorded.
impl Observer for () {
    fn phase(&mut self, _: Phase) {}
}

/// The part of a tire that one thread does. All workers of one [`crate::prepare`] must do the same
/// number of steps, each in a separate thread.
#[derive(Debug)]
pub struct Worker {
    problem: Arc<Problem>,
    work: Box<dyn Work>,
    is_settled: bool,
    steps: u64,
}

/// What a solver does in one thread.
pub trait Work: Send + std::fmt::Debug {
    /// Does sub-steps, at the same time as the other threads.
    fn advance(&mut self, substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped>;
    /// Returns the numbers of the masses that this thread owns.
    fn own(&self) -> Vec<Range<usize>>;
    /// Returns an own mass after the last step. Called between steps of a paced run, so it must
    /// neither wait nor allocate.
    fn mass(&self, i: usize) -> Raw<f64>;
    /// Allocates and fills this thread's memory; called before the first step.
    fn settle(&mut self);
    /// Reads the next piece of this thread's state, so that it is in the cache; changes nothing.
    /// Does nothing in solvers that do not implement it.
    fn touch(&mut self) {}
    /// Ends the waits of all other threads.
    fn leave(&self);
}

impl Worker {
    pub(crate) fn new(problem: Arc<Problem>, work: Box<dyn Work>) -> Self {
        Self { problem, work, is_settled: false, steps: 0 }
    }

    /// Allocates memory and fills it, unless that was done before. Call it on the thread that will
    /// step, on its CPU: the memory is then local to that CPU, and the first step is like all
    /// others.
    pub fn settle(&mut self) {
        if !self.is_settled {
            self.work.settle();
            self.is_settled = true;
        }
    }

    /// Does one step, which may consist of sub-steps, and reports the end of each phase.
    ///
    /// # Errors
    /// Fails if another worker has left.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<(), Stopped> {
        self.settle();
        let substeps = u64::from(self.problem.setup.substeps);
        self.work.advance(substeps, observer)?;
        self.steps += 1;
        Ok(())
    }

    /// Reads the next piece of this worker's state, so that it is in the cache when the next step
    /// comes. The state does not change; in solvers without vectors nothing happens.
    pub fn touch(&mut self) {
        self.work.touch();
    }

    /// Does several steps at once, with nothing read or written between them: faster for a solver
    /// that fuses steps.
    ///
    /// # Errors
    /// Fails if another worker has left.
    pub fn run(&mut self, steps: u64) -> Result<(), Stopped> {
        self.settle();
        let substeps = u64::from(self.problem.setup.substeps);
        self.work.advance(steps * substeps, &mut ())?;
        self.steps += steps;
        Ok(())
    }

    /// Ends the waits of all other workers, now and from now on; the tire is lost. A worker that is
    /// dropped in a panic does this automatically.
    pub fn leave(&self) {
        self.work.leave();
    }

    /// Returns the number of steps done so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the numbers of this worker's masses, as ranges.
    pub fn own(&self) -> Vec<Range<usize>> {
        self.work.own()
    }

    /// Returns one of this worker's masses after its last step: position in metres, displacement
    /// per sub-step in metres. Neither waits nor allocates, whatever other workers do.
    ///
    /// # Panics
    /// May panic if another worker owns the mass.
    pub fn mass(&self, i: usize) -> [f64; 4] {
        self.work.mass(i)
    }

    pub(crate) fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.work.leave();
        }
    }
}
