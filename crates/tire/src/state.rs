//! The state of a whole tire, and what can be said about it.

use std::sync::Arc;

use crate::problem::{Problem, Raw};
use crate::{Error, Model, Worker};

/// All masses of a tire at the end of a step.
#[derive(Debug, Clone)]
pub struct State {
    problem: Arc<Problem>,
    steps: u64,
    masses: Vec<Raw<f64>>,
}

/// One mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mass {
    /// Horizontal position and height above the floor, in metres.
    pub position: [f64; 2],
    /// Velocity in metres a second.
    pub velocity: [f64; 2],
}

impl State {
    /// Puts a tire together from all the workers of one [`crate::prepare`].
    ///
    /// Masses of a missing worker are not numbers, which [`State::check`] refuses.
    ///
    /// # Panics
    /// Without a worker.
    #[must_use]
    pub fn gather(workers: &[Worker]) -> Self {
        let problem = Arc::clone(workers[0].problem());
        let mut masses = vec![[f64::NAN; 4]; problem.masses()];
        for worker in workers {
            for i in worker.own().into_iter().flatten() {
                masses[i] = worker.mass(i);
            }
        }
        let steps = workers[0].steps();
        Self {
            problem,
            steps,
            masses,
        }
    }

    /// A state with these masses, at its start.
    #[cfg(test)]
    pub(crate) fn of(problem: &Arc<Problem>, masses: Vec<Raw<f64>>) -> Self {
        let problem = Arc::clone(problem);
        Self {
            problem,
            steps: 0,
            masses,
        }
    }

    /// Simulated time in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.problem.setup.parameters.step
    }

    /// All masses in order; the hub of the central model is the last.
    pub fn masses(&self) -> impl ExactSizeIterator<Item = Mass> {
        self.masses.iter().map(|[x, y, u, v]| Mass {
            position: [*x, *y],
            velocity: [u / self.problem.step, v / self.problem.step],
        })
    }

    /// A hash over the bits of all positions and velocities in the order of the masses:
    /// FNV-1a over 64-bit words, a word a number.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let words = self.masses.iter().flatten().map(|number| number.to_bits());
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ word)
                .wrapping_mul(0x0000_0100_0000_01b3)
                .rotate_left(29)
        })
    }

    /// Checks that every number is finite and none is subnormal: either would change
    /// what a step costs, and the first is no result.
    ///
    /// # Errors
    /// Names the first mass that is wrong.
    pub fn check(&self) -> Result<(), Error> {
        const QUANTITIES: [&str; 4] = [
            "its position across",
            "its height",
            "its velocity across",
            "its velocity upwards",
        ];
        let least = self.problem.setup.precision.least_normal();
        for (mass, raw) in self.masses.iter().enumerate() {
            for (quantity, value) in QUANTITIES.into_iter().zip(*raw) {
                if !(value == 0.0 || (least..f64::INFINITY).contains(&value.abs())) {
                    let step = self.steps;
                    return Err(Error::State {
                        mass,
                        step,
                        quantity,
                        value,
                    });
                }
            }
        }
        Ok(())
    }

    /// Energy of motion, height and springs, in joules; 0 is a tire at rest on the floor
    /// with all springs at rest length, were that possible.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let parameters = &self.problem.setup.parameters;
        let of_masses = self.masses().enumerate().map(|(i, mass)| {
            let [vx, vy] = mass.velocity;
            let motion = (vx * vx + vy * vy) / 2.0;
            self.problem.weight(i) * (motion + parameters.gravity * mass.position[1])
        });
        let of_springs = self.springs().map(|(a, b, length)| {
            let ([ax, ay, ..], [bx, by, ..]) = (self.masses[a], self.masses[b]);
            let stretch = (bx - ax).hypot(by - ay) - length;
            parameters.stiffness / 2.0 * stretch * stretch
        });
        of_masses.sum::<f64>() + of_springs.sum::<f64>()
    }

    /// Momentum in newton seconds, across and upwards.
    #[must_use]
    pub fn momentum(&self) -> [f64; 2] {
        self.masses()
            .enumerate()
            .fold([0.0; 2], |[x, y], (i, mass)| {
                let [vx, vy] = mass.velocity;
                [
                    x + self.problem.weight(i) * vx,
                    y + self.problem.weight(i) * vy,
                ]
            })
    }

    /// Both ends of every spring and its rest length in metres.
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
