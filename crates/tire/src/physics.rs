//! The one formula for a spring-damper and the one for a mass, over vectors of any
//! width; every solver uses these and nothing else.
//!
//! A velocity is kept as the displacement in one step, and a force as the change of
//! that displacement, so that step and mass vanish from the inner loop:
//! x' = x + u, u' = u + a, with a = h²F/m.

use rt::simd::{Real, Vector};

use crate::Parameters;
use crate::problem::Raw;

/// Parameters in the units of the inner loop: metres and steps.
#[derive(Debug, Clone, Copy)]
pub struct Coefficients {
    /// Stiffness over mass, times the step squared.
    pub stiffness: f64,
    /// Damping over mass, times the step.
    pub damping: f64,
    /// Gravity times the step squared.
    pub gravity: f64,
    /// Share of the speed that a mass keeps at the floor.
    pub restitution: f64,
}

impl Coefficients {
    /// For sub-steps of `step` seconds.
    pub fn new(parameters: &Parameters, step: f64) -> Self {
        Self {
            stiffness: parameters.stiffness / parameters.mass * step * step,
            damping: parameters.damping / parameters.mass * step,
            gravity: parameters.gravity * step * step,
            restitution: parameters.restitution,
        }
    }
}

/// Masses, one a lane: position in metres, displacement in metres a step.
#[derive(Debug, Clone, Copy)]
pub struct Masses<V> {
    /// Horizontal position.
    pub x: V,
    /// Height above the floor.
    pub y: V,
    /// Horizontal displacement a step.
    pub u: V,
    /// Vertical displacement a step.
    pub v: V,
}

/// What a spring does to the displacement of the mass at its first end in one step;
/// the mass at its other end gets the opposite.
#[derive(Debug, Clone, Copy)]
pub struct Force<V> {
    /// Horizontal.
    pub x: V,
    /// Vertical.
    pub y: V,
}

impl<V: Vector> Masses<V> {
    /// The same mass in all lanes.
    #[inline(always)]
    pub fn splat(isa: V::Isa, raw: &Raw<V::Element>) -> Self {
        let [x, y, u, v] = raw.map(|number| V::splat(isa, number));
        Self { x, y, u, v }
    }
}

/// The constants of the formulas, in all lanes.
#[derive(Debug, Clone, Copy)]
pub struct Physics<V> {
    stiffness: V,
    damping: V,
    gravity: V,
    rebound: V,
    zero: V,
    root: ReciprocalRoot<V>,
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
            root: ReciprocalRoot::new(isa),
        }
    }

    /// The force of the spring-damper from `a` to `b` on `a`, where `pull` is
    /// stiffness times rest length.
    ///
    /// The spring acts along its line; the damper on the whole relative velocity:
    /// F = k (1 - l / |d|) d + c d', which keeps explicit Euler stable (see
    /// [`Parameters::check`]). Exchanging the ends gives the exact opposite.
    #[inline(always)]
    pub fn spring_damper(&self, a: &Masses<V>, b: &Masses<V>, pull: V) -> Force<V> {
        self.damper(a, b, self.spring(a, b, pull))
    }

    /// The spring's part of [`Physics::spring_damper`]: all that depends on positions.
    #[inline(always)]
    pub fn spring(&self, a: &Masses<V>, b: &Masses<V>, pull: V) -> Force<V> {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let per_length = self.root.of_sum_of_squares(dx, dy);
        let along = pull.neg_mul_add(per_length, self.stiffness);
        Force {
            x: along * dx,
            y: along * dy,
        }
    }

    /// Adds the damper's part to that of the spring.
    #[inline(always)]
    pub fn damper(&self, a: &Masses<V>, b: &Masses<V>, spring: Force<V>) -> Force<V> {
        let (du, dv) = (b.u - a.u, b.v - a.v);
        Force {
            x: self.damping.mul_add(du, spring.x),
            y: self.damping.mul_add(dv, spring.y),
        }
    }

    /// Moves masses by one step of explicit Euler, then puts those below the floor
    /// onto it and turns their fall into a rebound.
    #[inline(always)]
    pub fn advance(&self, m: &Masses<V>, force: &Force<V>) -> Masses<V> {
        let below = m.y + m.v;
        let falling = (m.v + force.y) - self.gravity;
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
    /// The force on a mass of the ring: from the springs to the next mass and across,
    /// less what the spring from the previous mass does to that one.
    ///
    /// The order of the sum is part of every solver's result.
    #[inline(always)]
    pub fn sum(next: &Self, previous: &Self, across: &Self) -> Self {
        Self {
            x: (next.x - previous.x) + across.x,
            y: (next.y - previous.y) + across.y,
        }
    }

    /// The same for the mass at the other end of the spring across.
    #[inline(always)]
    pub fn difference(next: &Self, previous: &Self, across: &Self) -> Self {
        Self {
            x: (next.x - previous.x) - across.x,
            y: (next.y - previous.y) - across.y,
        }
    }
}

/// 1 / sqrt(s) to within two units in the last place, in operations that are the same
/// on every processor and faster than its square root and division.
///
/// A guess from the bits; one Newton step, its constants chosen to spread the error
/// to both sides, after which e = 1 - s y² is at most [`REMAINDER`]; then y times the
/// binomial series of (1 - e)^(-1/2).
#[derive(Debug, Clone, Copy)]
struct ReciprocalRoot<V> {
    tiny: V,
    newton: V,
    unit: V,
    series: [V; 5],
}

/// Newton's step y (3/2 - s y²/2) as SCALE y (NEWTON - s y²), for guesses with s y²
/// between 0.75 and 0.844. SCALE is left to the series.
const NEWTON: f64 = 2.389_254_691_579_288;
const SCALE: f64 = 0.703_947_718_177_763;
/// Largest 1 - s y² after the Newton step.
const REMAINDER: f64 = 1.3e-3;
/// Added to squares, so that a length of zero has a reciprocal; no other length that
/// a tire has feels it.
const TINY: f64 = 1e-30;

impl<V: Vector> ReciprocalRoot<V> {
    /// Terms of the series beyond the first: what the precision can hold.
    const TERMS: usize = if size_of::<V::Element>() == 4 { 2 } else { 4 };

    #[inline(always)]
    fn new(isa: V::Isa) -> Self {
        let all = |value| V::splat(isa, V::Element::from_f64(value));
        Self {
            tiny: all(TINY),
            newton: all(NEWTON),
            unit: all(1.0 / (SCALE * SCALE)),
            series: scaled_series(Self::TERMS).map(all),
        }
    }

    #[inline(always)]
    fn of_sum_of_squares(&self, a: V, b: V) -> V {
        let square = a.mul_add(a, b.mul_add(b, self.tiny));
        let guess = square.reciprocal_root_guess();
        let root = guess * (square * guess).neg_mul_add(guess, self.newton);
        let rest = (square * root).neg_mul_add(root, self.unit);
        let mut correction = self.series[Self::TERMS];
        for term in (0..Self::TERMS).rev() {
            correction = correction.mul_add(rest, self.series[term]);
        }
        root * correction
    }
}

/// The first terms of (1 - e)^(-1/2) with the next one spread over them (Chebyshev
/// economisation over e up to [`REMAINDER`]), for y without its SCALE.
fn scaled_series(terms: usize) -> [f64; 5] {
    const BINOMIAL: [f64; 6] = [1.0, 0.5, 3.0 / 8.0, 5.0 / 16.0, 35.0 / 128.0, 63.0 / 256.0];
    let (next, square) = (BINOMIAL[terms + 1], REMAINDER * REMAINDER);
    let mut series = BINOMIAL;
    if terms == 2 {
        series[1] += next * square * 3.0 / 4.0;
    } else {
        series[3] += next * square * 5.0 / 4.0;
        series[1] -= next * square * square * 5.0 / 16.0;
    }
    let scale = |n: i32| SCALE.powi(2 * n + 1);
    [0, 1, 2, 3, 4].map(|n| series[n as usize] * scale(n))
}
