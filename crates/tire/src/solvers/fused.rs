//! Several steps at a time while the data is near: the speed of the arithmetic units at
//! every size.

use std::sync::Arc;

use super::{Solver, simd};
use crate::problem::Problem;
use crate::worker::Work;
use crate::{Error, Setup};

/// As [`simd::Simd`], but several steps a tile, wherever nothing goes in or out between.
pub struct Fused;

/// Most steps that are fused: beyond, the data is used often enough that memory does not
/// count.
const MOST_FUSED: usize = 32;
/// Steps fused are at most this share of a lane, since halos are computed twice.
const SHARE_OF_LANE: usize = 16;

impl Solver for Fused {
    fn name(&self) -> &'static str {
        "fused"
    }

    fn about(&self) -> &'static str {
        "as simd, but up to 32 steps at a time while the data is in the cache; exact"
    }

    fn most_threads(&self, masses: usize) -> usize {
        simd::Simd.most_threads(masses)
    }

    fn check(&self, setup: &Setup) -> Result<(), Error> {
        simd::check(self.name(), setup)
    }

    fn steps_a_pass(&self, masses: usize, threads: usize) -> usize {
        let cells_of_a_lane = masses / 2 / threads / 16;
        (cells_of_a_lane / SHARE_OF_LANE).clamp(1, MOST_FUSED)
    }

    fn work(&self, problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
        let setup = &problem.setup;
        let steps = self.steps_a_pass(setup.masses, setup.threads);
        Ok(simd::divide(problem, steps))
    }
}
