//! The implementations of the solvers.

mod barrier;
mod halo;
pub(crate) mod ring;
mod semaphore;
mod simd;
mod subdomain;
mod sweep;
mod two_phase;

pub(crate) use sweep::{Block, FETCH_AHEAD};

use std::sync::Arc;

use crate::problem::Problem;
use crate::solver::unknown;
use crate::worker::{Work, Worker};
use crate::{Error, Setup};

/// Divides the work of a solver into one part per thread. Fails if the kernel has no room for what
/// the threads share.
type Divide = fn(&Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error>;

/// The function of each solver, by name.
const WORK: [(&str, Divide); 6] = [
    ("semaphore", semaphore::work),
    ("semaphore-exact", semaphore::work_exactly),
    ("two-phase", two_phase::work),
    ("barrier", barrier::work),
    ("simd", simd::work),
    ("fused", simd::work_fused),
];

/// Prepares a tire at rest above the floor. Returns one worker per thread.
///
/// # Errors
/// Names what is wrong in the setup; see [`Setup::check`].
pub fn prepare(setup: &Setup) -> Result<Vec<Worker>, Error> {
    setup.check()?;
    let problem = Arc::new(Problem::new(setup));
    let worker = |work| Worker::new(Arc::clone(&problem), work);
    let named = WORK.iter().find(|(name, _)| *name == setup.solver.name);
    let (_, divide) = named.ok_or_else(|| unknown(setup.solver.name))?;
    Ok(divide(&problem)?.into_iter().map(worker).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_does_its_work() {
        assert_eq!(WORK.map(|(name, _)| name), crate::SOLVERS.map(|solver| solver.name));
    }
}
