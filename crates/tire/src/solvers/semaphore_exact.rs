//! The papers' solver made exact.

use std::sync::Arc;

use super::{Solver, semaphore};
use crate::Error;
use crate::problem::Problem;
use crate::worker::Work;

/// MPE algorithm 1 with barriers: nobody writes before all have read, and nobody reads
/// before all have written.
pub struct SemaphoreExact;

impl Solver for SemaphoreExact {
    fn name(&self) -> &'static str {
        "semaphore-exact"
    }

    fn about(&self) -> &'static str {
        "the papers' algorithm with a barrier between reading and writing; exact"
    }

    fn work(&self, problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
        semaphore::divide(problem, Some(problem.barrier()))
    }
}
