//! One thread's part of a tire.

use std::ops::Range;
use std::sync::Arc;

use rt::sync::Stopped;

use crate::physics::Raw;
use crate::problem::Problem;

/// A part of a step, as the papers draw it on the time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading neighbours or writing own masses through their semaphores.
    Lock,
    /// Forces, and integration where the solver does both in one sweep.
    Compute,
    /// Integration.
    Integrate,
    /// Waiting for other threads.
    Wait,
}

/// Who wants to know when a phase ends. Called in the measured loop: it must neither
/// wait nor allocate.
pub trait Observer {
    /// A phase of this thread's step has just ended.
    fn phase(&mut self, phase: Phase);
}

/// The unit observes nothing: for steps whose phases nobody wants to know.
impl Observer for () {
    fn phase(&mut self, _: Phase) {}
}

/// One thread's part of a tire. All workers of one [`crate::prepare`] must do the same
/// number of steps, each in a thread of its own.
#[derive(Debug)]
pub struct Worker {
    problem: Arc<Problem>,
    work: Box<dyn Work>,
    is_settled: bool,
    steps: u64,
}

/// What a solver does in one thread.
pub trait Work: Send + std::fmt::Debug {
    /// Does sub-steps, which other threads do at the same time.
    fn advance(&mut self, substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped>;
    /// Numbers of own masses.
    fn own(&self) -> Vec<Range<usize>>;
    /// An own mass after the last step. Called between steps of a paced run: it must
    /// neither wait nor allocate.
    fn mass(&self, i: usize) -> Raw<f64>;
    /// Takes own memory and fills it; called before the first step.
    fn settle(&mut self);
    /// Reads a piece of the own state, the next one at each call, so that it is near; changes
    /// nothing of it, and does nothing where the solver knows no way.
    fn touch(&mut self) {}
    /// Ends the waits of all other threads.
    fn leave(&self);
}

impl Worker {
    pub(crate) fn new(problem: Arc<Problem>, work: Box<dyn Work>) -> Self {
        Self { problem, work, is_settled: false, steps: 0 }
    }

    /// Takes memory and fills it, unless that was done. Call it from the thread that
    /// will step, on its CPU: the memory then lies beside that CPU, and the first step
    /// is like all others.
    pub fn settle(&mut self) {
        if !self.is_settled {
            self.work.settle();
            self.is_settled = true;
        }
    }

    /// Does one step, which may be made of sub-steps, and tells when each phase ends.
    ///
    /// # Errors
    /// When another worker has left.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<(), Stopped> {
        self.settle();
        let substeps = u64::from(self.problem.setup.substeps);
        self.work.advance(substeps, observer)?;
        self.steps += 1;
        Ok(())
    }

    /// Reads a piece of this worker's state, the next one at each call, so that caches hold it
    /// when the next step comes. The state stays as it is, to the last bit; solvers without
    /// vectors do nothing.
    pub fn touch(&mut self) {
        self.work.touch();
    }

    /// Does several steps in one go, with nothing in or out between them: faster for a
    /// solver that fuses steps.
    ///
    /// # Errors
    /// When another worker has left.
    pub fn run(&mut self, steps: u64) -> Result<(), Stopped> {
        self.settle();
        let substeps = u64::from(self.problem.setup.substeps);
        self.work.advance(steps * substeps, &mut ())?;
        self.steps += steps;
        Ok(())
    }

    /// Ends the waits of all other workers, now and from now on; the tire is lost. A
    /// worker that is dropped in a panic does this by itself.
    pub fn leave(&self) {
        self.work.leave();
    }

    /// Steps done so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Numbers of this worker's masses, in stretches.
    #[must_use]
    pub fn own(&self) -> Vec<Range<usize>> {
        self.work.own()
    }

    /// One of this worker's masses after its last step: position in metres, displacement
    /// a sub-step in metres. Neither waits nor allocates, whatever other workers do.
    ///
    /// # Panics
    /// When another worker owns the mass.
    #[must_use]
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
