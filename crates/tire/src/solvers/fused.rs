//! Several steps at a time while the data is in the cache: the speed of the arithmetic units at
//! every size.

use std::sync::Arc;

use super::simd;
use crate::Error;
use crate::problem::Problem;
use crate::worker::Work;

/// As [`simd::work`], but does several steps per tile as long as nothing is read or written between
/// them.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    let setup = &problem.setup;
    let steps = setup.solver.steps_a_pass(setup.masses, setup.threads);
    Ok(simd::divide(problem, steps))
}
