//! The papers' solver made exact.

use std::sync::Arc;

use super::semaphore;
use crate::Error;
use crate::problem::Problem;
use crate::worker::Work;

/// MPE algorithm 1 with barriers: no thread writes before all have read, and none reads before all
/// have written.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    semaphore::divide(problem, Some(problem.barrier()))
}
