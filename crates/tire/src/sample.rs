//! A few masses of a tire that show its shape and its forces.

use std::sync::Arc;

use crate::physics::Raw;
use crate::problem::Problem;
use crate::solvers::ring::Ring;
use crate::{Error, Model, Setup};

/// Some masses of the ring at equal distances, with all masses that their springs are connected to.
///
/// The size does not grow with the tire: see [`Sample::seen`]. For each shown mass, the mass half
/// the ring away is shown half of the list later.
#[derive(Debug)]
pub struct Sample {
    problem: Arc<Problem>,
    ring: Ring<f64>,
    shown: Vec<usize>,
    seen: Vec<usize>,
}

/// The position and force of one mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// Horizontal position and height above the floor, in metres.
    pub position: [f64; 2],
    /// Magnitude of the total force of its springs and dampers, in newtons, without gravity and
    /// without the floor.
    pub force: f64,
}

impl Sample {
    /// Selects at most `most` masses of the ring, 4 or more, and for the central model its hub.
    ///
    /// # Errors
    /// Names what is wrong in the setup; see [`Setup::check`].
    pub fn new(setup: &Setup, most: usize) -> Result<Self, Error> {
        setup.check()?;
        let problem = Arc::new(Problem::new(setup));
        let ring = Ring::new(&problem);
        let masses = setup.masses;
        // A multiple of 4, as `masses` is, so opposite masses are shown in pairs.
        let places = masses.min(most / 4 * 4);
        let shown: Vec<usize> = (0..places).map(|j| j * masses / places).collect();
        let around = shown.iter().flat_map(|i| {
            let [next, previous, across] = ring.neighbours(*i);
            [*i, next, previous, across]
        });
        let mut seen: Vec<usize> = around.collect();
        seen.sort_unstable();
        seen.dedup();
        Ok(Self { problem, ring, shown, seen })
    }

    /// Returns the numbers of the masses whose state is needed, in rising order: at most a few
    /// times as many as are shown.
    pub fn seen(&self) -> &[usize] {
        &self.seen
    }

    /// Returns the shown masses of the ring. `states` are those of the masses in [`Sample::seen`],
    /// as [`crate::Worker::mass`] returns them.
    ///
    /// # Panics
    /// Panics if `states` has fewer entries than [`Sample::seen`].
    pub fn show(&self, states: &[Raw<f64>]) -> impl Iterator<Item = Shown> {
        // From displacement per sub-step to force: F = m u / h².
        let newtons = self.problem.setup.parameters.mass / self.problem.step.powi(2);
        self.shown.iter().map(move |i| {
            let [x, y] = self.ring.push(*i, |j| self.state(states, j));
            let [across, height, ..] = self.state(states, *i);
            Shown { position: [across, height], force: newtons * x.hypot(y) }
        })
    }

    /// Returns the position of the hub in metres, or `None` for the balanced model; takes the same
    /// states as [`Sample::show`].
    ///
    /// # Panics
    /// As [`Sample::show`].
    pub fn hub(&self, states: &[Raw<f64>]) -> Option<[f64; 2]> {
        let setup = &self.problem.setup;
        (setup.model == Model::Central).then(|| {
            let [x, y, ..] = self.state(states, setup.masses);
            [x, y]
        })
    }

    fn state(&self, states: &[Raw<f64>], i: usize) -> Raw<f64> {
        // All masses that a shown mass has springs to are in `seen`.
        let place = self.seen.binary_search(&i).unwrap_or_default();
        states[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Worker, prepare, solver};

    fn setup(model: Model, masses: usize) -> Setup {
        let solver = solver("barrier").unwrap();
        Setup { model, masses, solver, ..Setup::default() }
    }

    fn states(sample: &Sample, worker: &Worker) -> Vec<Raw<f64>> {
        sample.seen().iter().map(|i| worker.mass(*i)).collect()
    }

    #[test]
    fn what_is_seen_does_not_grow_with_the_tire() {
        for model in [Model::Balanced, Model::Central] {
            for masses in [4, 40, 200, 204, 5900, 57_000] {
                let sample = Sample::new(&setup(model, masses), 200).unwrap();
                assert_eq!(sample.shown.len(), masses.min(200));
                assert!(sample.seen().len() <= 601, "{model:?} {masses}");
                let half = sample.shown.len() / 2;
                for (one, other) in sample.shown.iter().zip(&sample.shown[half..]) {
                    assert_eq!(other - one, masses / 2);
                }
            }
        }
    }

    #[test]
    fn a_tire_in_free_fall_is_round_and_without_force() {
        for model in [Model::Balanced, Model::Central] {
            let setup = setup(model, 400);
            let mut workers = prepare(&setup).unwrap();
            workers[0].run(10).unwrap();
            let sample = Sample::new(&setup, 40).unwrap();
            let states = states(&sample, &workers[0]);
            let fallen = setup.parameters.gravity * setup.parameters.step.powi(2) * 45.0;
            let middle = setup.parameters.drop + setup.parameters.radius - fallen;
            for Shown { position, force } in sample.show(&states) {
                let radius = position[0].hypot(position[1] - middle);
                assert!((radius - setup.parameters.radius).abs() < 1e-9);
                assert!(force < 1e-9, "{force} N");
            }
            let hub = sample.hub(&states).map(|[x, y]| [x, (y - middle).abs()]);
            assert!(hub.is_none_or(|[x, y]| x == 0.0 && y < 1e-9), "{hub:?}");
            assert_eq!(hub.is_some(), model == Model::Central);
        }
    }

    /// A spring moves a mass as Newton says: in the air, a step's change of velocity minus gravity
    /// is force over mass.
    #[test]
    fn a_force_is_what_changes_the_velocity() {
        let setup = setup(Model::Balanced, 40);
        let mut workers = prepare(&setup).unwrap();
        let sample = Sample::new(&setup, 40).unwrap();
        workers[0].run(60).unwrap();
        let before = states(&sample, &workers[0]);
        workers[0].run(1).unwrap();
        let after = states(&sample, &workers[0]);
        let step = setup.parameters.step;
        let mut compared = 0;
        let all = sample.show(&before).zip(&before).zip(&after);
        let is_in_the_air = |before: &Raw<f64>| before[1] + before[3] > 0.0;
        for ((shown, before), after) in all.filter(|((_, before), _)| is_in_the_air(before)) {
            let gravity = setup.parameters.gravity * step * step;
            let [u, v] = [after[2] - before[2], after[3] - before[3] + gravity];
            let force = setup.parameters.mass * u.hypot(v) / (step * step);
            assert!((force - shown.force).abs() < 1e-9);
            assert!(force > 1e-4, "it was squashed: {force} N");
            compared += 1;
        }
        assert!(compared > 10);
    }

    #[test]
    fn every_solver_gives_single_masses_before_and_after_it_is_settled() {
        for solver in crate::SOLVERS {
            let setup = Setup { masses: 400, solver, ..Setup::default() };
            let mut workers = prepare(&setup).unwrap();
            let sample = Sample::new(&setup, 40).unwrap();
            let start = states(&sample, &workers[0]);
            workers[0].settle();
            assert_eq!(states(&sample, &workers[0]), start, "{solver:?}");
        }
    }
}
