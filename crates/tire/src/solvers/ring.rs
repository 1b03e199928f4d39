//! The ring for solvers that process one mass at a time.

use std::ops::Range;

use rt::simd::{Baseline, Isa, Real, Vector};

use crate::Model;
use crate::model::HUB_SHARE;
use crate::physics::{Force, Masses, Physics, Raw};
use crate::problem::Problem;
use crate::pull::{RailPull, SpokePull};

/// One mass, as vectors with one lane.
type One<T> = Masses<<T as Real>::Scalar>;

/// Springs and constants of a ring; the state is elsewhere.
#[derive(Debug)]
pub struct Ring<T: Real> {
    isa: Baseline,
    physics: Physics<T::Scalar>,
    masses: usize,
    rails: Rails<T>,
    spoke_pull: SpokePull<T::Scalar>,
    has_hub: bool,
}

/// Stiffness times rest length of the springs from each mass to the next.
#[derive(Debug)]
enum Rails<T: Real> {
    Equal(RailPull<T::Scalar>),
    Each(Box<[T]>),
}

impl<T: Real> Ring<T> {
    pub fn new(problem: &Problem) -> Self {
        let isa = Baseline::detect();
        let physics = Physics::<T::Scalar>::new(isa, &problem.coefficients);
        let all = |pull| T::Scalar::splat(isa, T::from_f64(pull));
        let masses = problem.setup.masses;
        let rail = |i| T::from_f64(problem.rail_pull(i));
        let rails = match problem.setup.model {
            Model::Balanced => Rails::Equal(RailPull::new(all(problem.rail_pull(0)))),
            Model::Central => Rails::Each((0..masses).map(rail).collect()),
        };
        Self {
            isa,
            physics,
            masses,
            rails,
            spoke_pull: SpokePull::new(isa, all(problem.spoke_pull())),
            has_hub: problem.setup.model == Model::Central,
        }
    }

    /// Returns the masses, in order, that other threads own and that own masses have springs to.
    pub fn neighbours_of(&self, own: &Range<usize>) -> Vec<usize> {
        let mut neighbours: Vec<usize> = if own.end > self.masses {
            (0..self.masses).collect()
        } else {
            own.clone().flat_map(|i| self.neighbours(i)).collect()
        };
        neighbours.retain(|i| !own.contains(i));
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours
    }

    /// Returns the masses that mass `i` of the ring has springs to: next, previous, across.
    pub fn neighbours(&self, i: usize) -> [usize; 3] {
        let n = self.masses;
        let across = if self.has_hub { n } else { (i + n / 2) % n };
        [(i + 1) % n, (i + n - 1) % n, across]
    }

    /// Runs `work`, a closure marked `#[inline(always)]`, with the instructions that the formulas
    /// need.
    #[inline(always)]
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.isa.run(work)
    }

    /// Returns the force on a mass, given a function from a mass to its state.
    #[inline(always)]
    pub fn force(&self, i: usize, at: impl Fn(usize) -> Raw<T>) -> Force<T::Scalar> {
        let at = |i| One::<T>::splat(self.isa, &at(i));
        if i < self.masses { self.force_on_rim(i, at) } else { self.force_on_hub(at) }
    }

    #[inline(always)]
    fn force_on_rim(&self, i: usize, at: impl Fn(usize) -> One<T>) -> Force<T::Scalar> {
        let [next, previous, across] = self.neighbours(i);
        let mass = at(i);
        Force::sum(
            &self.physics.spring_damper(&mass, &at(next), &self.rail_pull(i)),
            &self.physics.spring_damper(&at(previous), &mass, &self.rail_pull(previous)),
            &self.physics.spring_damper(&mass, &at(across), &self.spoke_pull),
        )
    }

    /// Returns minus the force of the spokes on the rim over the weight of the hub. The sum goes
    /// from bottom to top, each mass on the right together with its mirror image, so both sides
    /// stay equal to the last bit.
    #[inline(always)]
    fn force_on_hub(&self, at: impl Fn(usize) -> One<T>) -> Force<T::Scalar> {
        let hub = at(self.masses);
        self.sum_on_hub(|i| self.physics.spring_damper(&at(i), &hub, &self.spoke_pull))
    }

    #[inline(always)]
    fn sum_on_hub(&self, spoke: impl Fn(usize) -> Force<T::Scalar>) -> Force<T::Scalar> {
        let n = self.masses;
        let mut sum = [0.0; 2];
        for right in (0..=n / 2).map(|i| (i + 3 * n / 4) % n) {
            let left = (n + n / 2 - right) % n;
            let [x, y] = numbers(&spoke(right)).map(Real::to_f64);
            let [left_x, left_y] = numbers(&spoke(left)).map(Real::to_f64);
            let share = if left == right { 0.5 } else { 1.0 };
            sum[0] -= share * (x + left_x);
            sum[1] -= share * (y + left_y);
        }
        let weight = HUB_SHARE * n as f64;
        let [x, y] = sum.map(|sum| T::Scalar::splat(self.isa, T::from_f64(sum / weight)));
        Force { x, y }
    }

    /// Returns the number of springs across: one per mass to the hub, or one per pair of masses.
    pub fn spokes(&self) -> usize {
        if self.has_hub { self.masses } else { self.masses / 2 }
    }

    /// Returns the force of the spring from mass `i` to the next on mass `i`.
    #[inline(always)]
    pub fn rail(&self, i: usize, at: impl Fn(usize) -> Raw<T>) -> [T; 2] {
        let [next, ..] = self.neighbours(i);
        let [mass, next] = [i, next].map(|i| One::<T>::splat(self.isa, &at(i)));
        numbers(&self.physics.spring_damper(&mass, &next, &self.rail_pull(i)))
    }

    /// Returns the force of the spring across from mass `i`, which is below [`Self::spokes`], on
    /// mass `i`.
    #[inline(always)]
    pub fn spoke(&self, i: usize, at: impl Fn(usize) -> Raw<T>) -> [T; 2] {
        let [.., across] = self.neighbours(i);
        let [mass, across] = [i, across].map(|i| One::<T>::splat(self.isa, &at(i)));
        numbers(&self.physics.spring_damper(&mass, &across, &self.spoke_pull))
    }

    /// Returns the force on a mass, as [`Self::force`] does, given the forces of springs by the mass
    /// at their first end.
    #[inline(always)]
    pub fn force_of_springs(
        &self,
        i: usize,
        rail: impl Fn(usize) -> [T; 2],
        spoke: impl Fn(usize) -> [T; 2],
    ) -> Force<T::Scalar> {
        let vector = |force: [T; 2]| {
            let [x, y] = force.map(|number| T::Scalar::splat(self.isa, number));
            Force { x, y }
        };
        if i >= self.masses {
            return self.sum_on_hub(|i| vector(spoke(i)));
        }
        let [_, previous, across] = self.neighbours(i);
        let [next, previous] = [i, previous].map(|i| vector(rail(i)));
        match i < self.spokes() {
            true => Force::sum(&next, &previous, &vector(spoke(i))),
            false => Force::difference(&next, &previous, &vector(spoke(across))),
        }
    }

    /// Returns the force on a mass as plain numbers.
    pub fn push(&self, i: usize, at: impl Fn(usize) -> Raw<T>) -> [T; 2] {
        numbers(&self.force(i, at))
    }

    /// Returns a mass one step later.
    #[inline(always)]
    pub fn advance(&self, mass: &Raw<T>, force: &Force<T::Scalar>) -> Raw<T> {
        let mass = One::<T>::splat(self.isa, mass);
        let Masses { x, y, u, v } = self.physics.advance(&mass, force);
        [x, y, u, v].map(number)
    }

    #[inline(always)]
    fn rail_pull(&self, i: usize) -> RailPull<T::Scalar> {
        match &self.rails {
            Rails::Equal(pull) => *pull,
            Rails::Each(pulls) => RailPull::new(T::Scalar::splat(self.isa, pulls[i])),
        }
    }
}

#[inline(always)]
fn numbers<V: Vector>(force: &Force<V>) -> [V::Element; 2] {
    [force.x, force.y].map(number)
}

#[inline(always)]
fn number<V: Vector>(vector: V) -> V::Element {
    V::Lanes::from(vector).as_ref()[0]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Parameters, Setup};

    /// A ring in the air without gravity, deformed and spinning.
    fn knocked(model: Model) -> (Arc<Problem>, Ring<f64>, Vec<Raw<f64>>) {
        let parameters = Parameters { gravity: 0.0, drop: 50.0, ..Parameters::default() };
        let setup = Setup { model, masses: 40, parameters, ..Setup::default() };
        let problem = Arc::new(Problem::new(&setup));
        let knock = |i: usize| {
            let [x, y, ..] = problem.start::<f64>(i);
            let push = |phase: f64| (i as f64 * 1.7 + phase).sin() * 0.01;
            [x + push(0.0), y + push(1.0), push(2.0), push(3.0) + 0.005 * x]
        };
        let masses = (0..problem.masses()).map(knock).collect();
        let ring = Ring::new(&problem);
        (problem, ring, masses)
    }

    fn step(ring: &Ring<f64>, masses: &mut Vec<Raw<f64>>) {
        let moved = |i| ring.advance(&masses[i], &ring.force(i, |j| masses[j]));
        *masses = (0..masses.len()).map(moved).collect();
    }

    #[test]
    fn momentum_stays_without_gravity() {
        for model in [Model::Balanced, Model::Central] {
            let (problem, ring, mut masses) = knocked(model);
            let momentum = |masses: &[Raw<f64>], quantity: usize| -> f64 {
                let of = |(i, mass): (usize, &Raw<f64>)| problem.weight(i) * mass[quantity];
                masses.iter().enumerate().map(of).sum()
            };
            let start = [2, 3].map(|quantity| momentum(&masses, quantity));
            for _ in 0..500 {
                step(&ring, &mut masses);
            }
            for (quantity, start) in [2, 3].into_iter().zip(start) {
                // The remainder comes from the rounding of the hub's sum.
                assert!((momentum(&masses, quantity) - start).abs() < 1e-9, "{model:?}");
            }
        }
    }

    /// Returns how far the left and the right of a central tire are from mirror images after 20 s,
    /// if one mass starts `out_of_place` metres off.
    fn lopsided(masses: usize, out_of_place: f64) -> f64 {
        let setup = Setup { model: Model::Central, masses, ..Setup::default() };
        let problem = Problem::new(&setup);
        let ring = Ring::new(&problem);
        let all = 0..problem.masses();
        let mut tire: Vec<Raw<f64>> = all.map(|i| problem.start(i)).collect();
        tire[1][0] += out_of_place;
        for _ in 0..2000 {
            step(&ring, &mut tire);
        }
        let sides = (0..masses).map(|i| [i, (masses + masses / 2 - i) % masses]);
        let across = sides.map(|[here, mirrored]| (tire[here][0] + tire[mirrored][0]).abs());
        across.fold(0.0, f64::max)
    }

    /// As stated in `docs/tire.md`.
    #[test]
    fn some_fine_central_tires_rest_on_their_symmetry_alone() {
        for (masses, breaks) in [(40, false), (60, true), (100, true), (200, false), (300, true)] {
            assert_eq!(lopsided(masses, 0.0), 0.0, "{masses}");
            let lopsided = lopsided(masses, 1e-15);
            assert_eq!(lopsided > 0.01, breaks, "{masses}: {lopsided} m");
            assert!(breaks || lopsided < 1e-6, "{masses}: {lopsided} m");
        }
    }

    #[test]
    fn dampers_take_energy_until_there_is_none_left_to_take() {
        for model in [Model::Balanced, Model::Central] {
            let (problem, ring, mut masses) = knocked(model);
            let mut motion = |steps: usize| -> f64 {
                (0..steps).for_each(|_| step(&ring, &mut masses));
                crate::State::of(&problem, masses.clone()).energy()
            };
            let mut energy = motion(0);
            for _ in 0..30 {
                let later = motion(10);
                assert!(later < energy, "{model:?}: {later} J after {energy} J");
                energy = later;
            }
        }
    }
}
