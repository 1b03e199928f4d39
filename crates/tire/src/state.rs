//! The state of a whole tire, and quantities derived from it.

use std::sync::Arc;

use crate::physics::Raw;
use crate::problem::Problem;
use crate::{Error, Model, Setup, Worker};

/// All masses of a tire at the end of a step.
#[derive(Debug, Clone)]
pub struct State {
    problem: Arc<Problem>,
    steps: u64,
    masses: Vec<Raw<f64>>,
}

/// Position and velocity of one mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mass {
    /// Horizontal position and height above the floor, in metres.
    pub position: [f64; 2],
    /// Velocity in metres per second.
    pub velocity: [f64; 2],
}

impl State {
    /// Assembles the state of a tire from all workers of one [`crate::prepare`].
    ///
    /// Masses of a missing worker are NaN, which [`State::check`] refuses.
    ///
    /// # Panics
    /// Panics if `workers` is empty.
    pub fn gather<'w>(workers: impl IntoIterator<Item = &'w Worker>) -> Self {
        let mut workers = workers.into_iter().peekable();
        let first = *workers.peek().expect("a tire has a worker");
        let problem = Arc::clone(first.problem());
        let steps = first.steps();
        let mut masses = vec![[f64::NAN; 4]; problem.masses()];
        for worker in workers {
            for i in worker.own().into_iter().flatten() {
                masses[i] = worker.mass(i);
            }
        }
        Self { problem, steps, masses }
    }

    /// Creates a state from a recording after `steps` steps; `masses` are as [`Worker::mass`]
    /// returned them. Missing masses are NaN.
    pub fn recorded(setup: &Setup, steps: u64, mut masses: Vec<[f64; 4]>) -> Self {
        let problem = Arc::new(Problem::new(setup));
        masses.resize(problem.masses(), [f64::NAN; 4]);
        Self { problem, steps, masses }
    }

    /// Creates a state of these masses at step 0.
    #[cfg(test)]
    pub(crate) fn of(problem: &Arc<Problem>, masses: Vec<Raw<f64>>) -> Self {
        let problem = Arc::clone(problem);
        Self { problem, steps: 0, masses }
    }

    /// Returns the simulated time in seconds.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.problem.setup.parameters.step
    }

    /// Iterates over all masses in order; the hub of the central model is the last.
    pub fn masses(&self) -> impl ExactSizeIterator<Item = Mass> {
        self.masses.iter().map(|[x, y, u, v]| Mass {
            position: [*x, *y],
            velocity: [u / self.problem.step, v / self.problem.step],
        })
    }

    /// Returns a hash of the bits of all positions and velocities in the order of the masses:
    /// FNV-1a over 64-bit words, one word per number, with an additional rotation.
    pub fn hash(&self) -> u64 {
        let words = self.masses.iter().flatten().map(|number| number.to_bits());
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
        })
    }

    /// Checks that every number is finite and none is subnormal. Either would change the cost of a
    /// step, and a number that is not finite is not a valid result.
    ///
    /// # Errors
    /// Names the first mass that is wrong.
    pub fn check(&self) -> Result<(), Error> {
        const QUANTITIES: [&str; 4] =
            ["its position across", "its height", "its velocity across", "its velocity upwards"];
        let least = self.problem.setup.precision.least_normal();
        for (mass, raw) in self.masses.iter().enumerate() {
            for (quantity, value) in QUANTITIES.into_iter().zip(*raw) {
                if !(value == 0.0 || (least..f64::INFINITY).contains(&value.abs())) {
                    let step = self.steps;
                    return Err(Error::State { mass, step, quantity, value });
                }
            }
        }
        Ok(())
    }

    /// Returns the energy of motion, height and springs, in joules. It would be 0 for a tire at
    /// rest on the floor with all springs at rest length, if that were possible.
    pub fn energy(&self) -> f64 {
        self.energies().iter().flatten().sum()
    }

    /// Returns the energy of each mass in joules: motion, height, and half of each of its springs.
    pub fn energies(&self) -> Vec<[f64; 3]> {
        let parameters = &self.problem.setup.parameters;
        let of_mass = |(i, mass): (usize, Mass)| {
            let [vx, vy] = mass.velocity;
            let weight = self.problem.weight(i);
            let height = parameters.gravity * mass.position[1];
            [weight * (vx * vx + vy * vy) / 2.0, weight * height, 0.0]
        };
        let mut energies: Vec<[f64; 3]> = self.masses().enumerate().map(of_mass).collect();
        for (a, b, length) in self.springs() {
            let ([ax, ay, ..], [bx, by, ..]) = (self.masses[a], self.masses[b]);
            let stretch = (bx - ax).hypot(by - ay) - length;
            for end in [a, b] {
                energies[end][2] += parameters.stiffness / 4.0 * stretch * stretch;
            }
        }
        energies
    }

    /// Returns the total force on each mass in newtons, across and upwards: springs, dampers and
    /// gravity, but not the floor. It is summed spring by spring, so the last bits may differ from
    /// those of the solvers.
    pub fn forces(&self) -> Vec<[f64; 2]> {
        let parameters = &self.problem.setup.parameters;
        let weight = |i| [0.0, -parameters.gravity * self.problem.weight(i)];
        let mut forces: Vec<[f64; 2]> = (0..self.masses.len()).map(weight).collect();
        let masses: Vec<Mass> = self.masses().collect();
        for (a, b, length) in self.springs() {
            let apart = |of: fn(&Mass) -> [f64; 2]| {
                let ([ax, ay], [bx, by]) = (of(&masses[a]), of(&masses[b]));
                [bx - ax, by - ay]
            };
            let (d, moving) = (apart(|mass| mass.position), apart(|mass| mass.velocity));
            let long = d[0].hypot(d[1]).max(f64::MIN_POSITIVE);
            for axis in [0, 1] {
                let spring = parameters.stiffness * (1.0 - length / long) * d[axis];
                let force = spring + parameters.damping * moving[axis];
                forces[a][axis] += force;
                forces[b][axis] -= force;
            }
        }
        forces
    }

    /// Iterates over the masses of the points in kilograms.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f64> {
        (0..self.masses.len()).map(|i| self.problem.weight(i))
    }

    /// Returns the momentum in newton seconds, across and upwards.
    pub fn momentum(&self) -> [f64; 2] {
        self.masses().enumerate().fold([0.0; 2], |[x, y], (i, mass)| {
            let [vx, vy] = mass.velocity;
            [x + self.problem.weight(i) * vx, y + self.problem.weight(i) * vy]
        })
    }

    /// Iterates over the springs: both ends and the rest length in metres.
    fn springs(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let (model, n) = (self.problem.setup.model, self.problem.setup.masses);
        let radius = self.problem.setup.parameters.radius;
        let first = model.rail(0, n);
        let length = move |i| match model {
            Model::Balanced => first,
            Model::Central => model.rail(i, n),
        };
        let rails = (0..n).map(move |i| (i, (i + 1) % n, radius * length(i)));
        let spokes = (0..model.springs(n) - n).map(move |i| match model {
            Model::Balanced => (i, i + n / 2, radius * model.spoke()),
            Model::Central => (i, n, radius * model.spoke()),
        });
        rails.chain(spokes)
    }
}
