//! The sum of all spokes' forces on the hub, the same in any order.

use crate::model::HUB_SHARE;
use crate::problem::Problem;

/// Largest force that a spoke can put on every mass at once and still be summed
/// exactly, in radii a step squared; a hundred times what the defaults ever reach.
const LARGEST_FORCE: f64 = 16.0;

/// Rounds forces to a grid so coarse that the sum of all of them is exact: then it
/// depends neither on the order nor on who sums which part (pre-rounding; Demmel and
/// Nguyen, Fast Reproducible Floating-Point Summation, 2013).
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    /// Added and taken away again, it leaves multiples of its last place.
    rounder: f64,
    per_weight: f64,
}

impl Grid {
    pub fn new(problem: &Problem) -> Self {
        let masses = problem.setup.masses as f64;
        let largest_sum = LARGEST_FORCE * problem.setup.parameters.radius * masses;
        // The largest sum is below 2^(ilogb + 1), and thus below 2^51 of the grid.
        Self {
            rounder: libm::ldexp(1.5, libm::ilogb(largest_sum) + 2),
            per_weight: 1.0 / (HUB_SHARE * masses),
        }
    }

    /// Adds the force of a spoke on the mass at its rim to a sum of such forces.
    #[inline(always)]
    pub fn add(&self, sum: [f64; 2], force: [f64; 2]) -> [f64; 2] {
        let [x, y] = force.map(|force| (force + self.rounder) - self.rounder);
        [sum[0] + x, sum[1] + y]
    }

    /// What the sum does to the displacement of the hub.
    #[inline(always)]
    pub fn on_hub(&self, sum: [f64; 2]) -> [f64; 2] {
        sum.map(|sum| -sum * self.per_weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Setup};

    #[test]
    fn the_order_of_a_sum_does_not_matter() {
        let masses = 40_000;
        let setup = Setup {
            masses,
            model: Model::Central,
            ..Setup::default()
        };
        let grid = Grid::new(&Problem::new(&setup));
        let force = |i: usize| [(i as f64).sin() / 3.0, (i as f64 * 0.7).cos() * 1e-3];
        let forwards = (0..masses)
            .map(force)
            .fold([0.0; 2], |sum, f| grid.add(sum, f));
        let backwards = (0..masses)
            .rev()
            .map(force)
            .fold([0.0; 2], |sum, f| grid.add(sum, f));
        assert_eq!(forwards, backwards);
        let plain: f64 = (0..masses).map(|i| force(i)[1]).sum();
        assert!((forwards[1] - plain).abs() < 1e-6);
    }
}
