//! The formula for a spring-damper and the formula for a mass, over vectors of any width; every
//! solver uses these and nothing else.
//!
//! A velocity is stored as the displacement in one step, and a force as the change of that
//! displacement, so that step and mass vanish from the inner loop:
//! x' = x + u, u' = u + a, with a = h²F/m.

use rt::simd::{Real, Vector};

use crate::Parameters;
use crate::pull::Pull;

/// The state of a mass: position in metres, displacement in metres per step.
pub type Raw<T> = [T; 4];

/// Parameters in the units of the inner loop: metres and steps.
#[derive(Debug, Clone, Copy)]
pub struct Coefficients {
    /// Stiffness over mass, times the step squared.
    pub stiffness: f64,
    /// Damping over mass, times the step.
    pub damping: f64,
    /// Gravity times the step squared.
    pub gravity: f64,
    /// Share of its speed that a mass keeps at the floor.
    pub restitution: f64,
}

impl Coefficients {
    /// Converts the parameters for sub-steps of `step` seconds.
    pub fn new(parameters: &Parameters, step: f64) -> Self {
        Self {
            stiffness: parameters.stiffness / parameters.mass * step * step,
            damping: parameters.damping / parameters.mass * step,
            gravity: parameters.gravity * step * step,
            restitution: parameters.restitution,
        }
    }
}

/// Masses, one per lane: position in metres, displacement in metres per step.
#[derive(Debug, Clone, Copy)]
pub struct Masses<V> {
    /// Horizontal position.
    pub x: V,
    /// Height above the floor.
    pub y: V,
    /// Horizontal displacement per step.
    pub u: V,
    /// Vertical displacement per step.
    pub v: V,
}

/// The change that a spring makes in one step to the displacement of the mass at its first end; the
/// mass at its other end gets the opposite.
#[derive(Debug, Clone, Copy)]
pub struct Force<V> {
    /// Horizontal component.
    pub x: V,
    /// Vertical component.
    pub y: V,
}

impl<V: Vector> Masses<V> {
    /// Returns the same mass in all lanes.
    #[inline(always)]
    pub fn splat(isa: V::Isa, raw: &Raw<V::Element>) -> Self {
        let [x, y, u, v] = raw.map(|number| V::splat(isa, number));
        Self { x, y, u, v }
    }
}

/// Added to squares of lengths, so that a length of zero has a reciprocal. No other length of a
/// tire is small enough to be affected.
const TINY: f64 = 1e-30;

/// The constants of the formulas, in all lanes.
#[derive(Debug, Clone, Copy)]
pub struct Physics<V> {
    stiffness: V,
    damping: V,
    gravity: V,
    rebound: V,
    zero: V,
    tiny: V,
}

impl<V: Vector> Physics<V> {
    /// Spreads the coefficients over the lanes.
    #[inline(always)]
    pub fn new(isa: V::Isa, coefficients: &Coefficients) -> Self {
        let all = |value| V::splat(isa, V::Element::from_f64(value));
        Self {
            stiffness: all(coefficients.stiffness),
            damping: all(coefficients.damping),
            gravity: all(coefficients.gravity),
            rebound: all(-coefficients.restitution),
            zero: all(0.0),
            tiny: all(TINY),
        }
    }

    /// Returns the force of the spring-damper from `a` to `b` on `a`.
    ///
    /// The spring acts along its line, the damper on the whole relative velocity:
    /// F = k (1 - l / |d|) d + c d', which keeps explicit Euler stable (see
    /// [`Parameters::check`]). Exchanging the ends gives the exact opposite.
    #[inline(always)]
    pub fn spring_damper(&self, a: &Masses<V>, b: &Masses<V>, pull: &impl Pull<V>) -> Force<V> {
        self.damper(a, b, &self.spring(a, b, pull))
    }

    /// The first part of [`Physics::spring_damper`]: returns the force of the spring.
    #[inline(always)]
    pub fn spring(&self, a: &Masses<V>, b: &Masses<V>, pull: &impl Pull<V>) -> Force<V> {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let square = dx.mul_add(dx, dy.mul_add(dy, self.tiny));
        let along = pull.along(self.stiffness, square);
        Force { x: along * dx, y: along * dy }
    }

    /// The second part of [`Physics::spring_damper`]: adds the force of the damper.
    #[inline(always)]
    pub fn damper(&self, a: &Masses<V>, b: &Masses<V>, spring: &Force<V>) -> Force<V> {
        let (du, dv) = (b.u - a.u, b.v - a.v);
        Force { x: self.damping.mul_add(du, spring.x), y: self.damping.mul_add(dv, spring.y) }
    }

    /// Moves masses by one step of explicit Euler, then puts those below the floor onto it and
    /// turns their fall into a rebound.
    #[inline(always)]
    pub fn advance(&self, m: &Masses<V>, force: &Force<V>) -> Masses<V> {
        let below = m.y + m.v;
        let falling = (m.v - self.gravity) + force.y;
        let rebounding = falling.max(falling * self.rebound);
        Masses {
            x: m.x + m.u,
            y: below.max(self.zero),
            u: m.u + force.x,
            v: below.where_negative(rebounding, falling),
        }
    }
}

impl<V: Vector> Force<V> {
    /// Returns the force on a mass of the ring: from the spring to the next mass and the spring
    /// across, minus the force of the spring from the previous mass on that mass.
    ///
    /// The order of the sum is part of every solver's result.
    #[inline(always)]
    pub fn sum(next: &Self, previous: &Self, across: &Self) -> Self {
        Self { x: (next.x - previous.x) + across.x, y: (next.y - previous.y) + across.y }
    }

    /// Returns the same for the mass at the other end of the spring across.
    #[inline(always)]
    pub fn difference(next: &Self, previous: &Self, across: &Self) -> Self {
        Self { x: (next.x - previous.x) - across.x, y: (next.y - previous.y) - across.y }
    }
}

#[cfg(test)]
mod tests {
    use rt::simd::{Baseline, Portable};

    use super::*;
    use crate::pull::SpokePull;

    type One = Portable<f64, 1>;

    fn number(vector: One) -> f64 {
        <[f64; 1]>::from(vector)[0]
    }

    const STIFFNESS: f64 = 0.2;
    const DAMPING: f64 = 0.005;
    const TIME: f64 = 0.1;

    /// Returns the stretch of a spring-damper of 1 m between two masses after [`TIME`] in `steps`
    /// steps; it starts at 0.1 m and at rest.
    fn stretch_after(steps: u32) -> f64 {
        let isa = Baseline::detect();
        let step = TIME / f64::from(steps);
        let (stiffness, damping) = (STIFFNESS, DAMPING);
        let parameters = Parameters { gravity: 0.0, stiffness, damping, ..Parameters::default() };
        let coefficients = Coefficients::new(&parameters, step);
        let physics = Physics::<One>::new(isa, &coefficients);
        let pull = SpokePull::new(isa, One::splat(isa, coefficients.stiffness));
        let mut a = Masses::splat(isa, &[-0.55, 5.0, 0.0, 0.0]);
        let mut b = Masses::splat(isa, &[0.55, 5.0, 0.0, 0.0]);
        let nothing = physics.spring_damper(&a, &a, &pull);
        for _ in 0..steps {
            let force = physics.spring_damper(&a, &b, &pull);
            a = physics.advance(&a, &Force::sum(&force, &nothing, &nothing));
            b = physics.advance(&b, &Force::difference(&nothing, &nothing, &force));
        }
        assert!((number(a.x) + number(b.x)).abs() < 1e-15);
        number(b.x) - number(a.x) - 1.0
    }

    /// The system is x'' = -2k/m x - 2c/m x', a damped oscillation.
    #[test]
    fn a_spring_follows_its_exact_solution_to_first_order() {
        let Parameters { mass, .. } = Parameters::default();
        let decay = DAMPING / mass;
        let frequency = (2.0 * STIFFNESS / mass - decay * decay).sqrt();
        let (sine, cosine) = (frequency * TIME).sin_cos();
        let exact = 0.1 * (-decay * TIME).exp() * (cosine + decay / frequency * sine);
        let errors = [100, 200, 400, 800].map(|n| (stretch_after(n) - exact).abs());
        for (coarse, fine) in errors.iter().zip(&errors[1..]) {
            let order = (coarse / fine).log2();
            assert!((0.9..1.1).contains(&order), "{order} of {errors:?}");
        }
        assert!(errors[3] < 1e-3, "{errors:?}");
    }
}
