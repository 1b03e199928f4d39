//! The solvers: one trait, one file each, one table.

mod barrier;
mod fused;
pub(crate) mod ring;
mod seams;
mod semaphore;
mod semaphore_exact;
mod simd;
mod strand;
mod sweep;

pub(crate) use sweep::{Block, FETCH_AHEAD};

use std::fmt;
use std::sync::Arc;

use crate::problem::Problem;
use crate::worker::Work;
use crate::{Error, Setup};

/// A way to move the tire.
pub trait Solver: Sync {
    /// Its name, as typed.
    fn name(&self) -> &'static str;
    /// What it does, in one line.
    fn about(&self) -> &'static str;
    /// Whether the same setup gives the same bits with this many threads, every time
    /// and for every number of threads for which this holds.
    fn is_exact(&self, _threads: usize) -> bool {
        true
    }
    /// The most threads that can share a ring of this many masses.
    fn most_threads(&self, masses: usize) -> usize {
        masses
    }
    /// Steps that a thread does in one pass over its state, wherever nothing goes in or out
    /// between them.
    fn steps_a_pass(&self, _masses: usize, _threads: usize) -> usize {
        1
    }
    /// Checks what only this solver needs.
    ///
    /// # Errors
    /// Names what it cannot do.
    fn check(&self, _setup: &Setup) -> Result<(), Error> {
        Ok(())
    }
    /// Divides the work, one part a thread.
    ///
    /// # Errors
    /// Where the kernel has no room for what the solver shares.
    #[doc(hidden)]
    fn work(&self, problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error>;
}

/// Every solver, the papers' own first.
pub static SOLVERS: [&dyn Solver; 5] = [
    &semaphore::Semaphore,
    &semaphore_exact::SemaphoreExact,
    &barrier::DoubleBuffer,
    &simd::Simd,
    &fused::Fused,
];

/// Looks a solver up by name.
///
/// # Errors
/// Says which names there are.
pub fn solver(name: &str) -> Result<&'static dyn Solver, Error> {
    let found = SOLVERS
        .into_iter()
        .find(|solver| solver.name() == name.trim());
    found.ok_or_else(|| Error::Solver {
        name: name.trim().to_owned(),
    })
}

pub(crate) fn names() -> String {
    SOLVERS.map(Solver::name).join(", ")
}

impl fmt::Debug for dyn Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
