//! Known distributions on which claims are tested.

use std::f64::consts::SQRT_2;

use crate::random::Random;

/// A distribution of times, in units of 100 µs.
pub struct Parent {
    pub name: &'static str,
    /// Draws the next sample. The state belongs to this distribution and starts at 0.
    draw: fn(&mut Random, &mut f64) -> f64,
    /// Returns the share of samples that are larger than the argument.
    survival: fn(f64) -> f64,
}

const UNIT_NS: f64 = 1e5;

pub const ALL: &[Parent] = &[
    Parent { name: "exponential", draw: |random, _| random.pareto(0.0), survival: |x| (-x).exp() },
    Parent {
        name: "Pareto, shape 0.3",
        draw: |random, _| random.pareto(0.3),
        survival: |x| pareto(0.3, x),
    },
    Parent {
        name: "Pareto, shape 0.6",
        draw: |random, _| random.pareto(0.6),
        survival: |x| pareto(0.6, x),
    },
    Parent {
        name: "Pareto, shape -0.2",
        draw: |random, _| random.pareto(-0.2),
        survival: |x| pareto(-0.2, x),
    },
    Parent {
        name: "lognormal, σ 0.5",
        draw: |random, _| (0.5 * random.normal()).exp(),
        survival: |x| normal(x.ln() / 0.5),
    },
    Parent {
        name: "lognormal, σ 1",
        draw: |random, _| random.normal().exp(),
        survival: |x| normal(x.ln()),
    },
    Parent { name: "normal", draw: |random, _| random.normal(), survival: normal },
    Parent {
        name: "Weibull, shape 0.5",
        draw: |random, _| random.pareto(0.0).powi(2),
        survival: |x| (-x.sqrt()).exp(),
    },
    Parent {
        name: "Weibull, shape 2",
        draw: |random, _| random.pareto(0.0).sqrt(),
        survival: |x| (-x * x).exp(),
    },
    Parent {
        name: "Student, 4 degrees",
        draw: |random, _| {
            let squares: f64 = (0..4).map(|_| random.normal().powi(2)).sum();
            random.normal() / (squares / 4.0).sqrt()
        },
        survival: |x| {
            let t = x / (4.0 + x * x).sqrt();
            // 1 - t loses its digits far out.
            let rest = 4.0 / (4.0 + x * x) / (1.0 + t);
            (rest * rest * (2.0 + t)) / 4.0
        },
    },
    Parent {
        name: "AR(1) 0.5, normal",
        draw: |random, state| follow(0.5, random, state),
        survival: normal,
    },
    Parent {
        name: "AR(1) 0.9, normal",
        draw: |random, state| follow(0.9, random, state),
        survival: normal,
    },
    Parent {
        name: "AR(1) 0.9, Pareto 0.3",
        draw: |random, state| {
            let share = normal(follow(0.9, random, state));
            (share.powf(-0.3) - 1.0) / 0.3
        },
        survival: |x| pareto(0.3, x),
    },
    Parent {
        name: "two modes, 15 % slow",
        draw: |random, _| match random.uniform() < 0.15 {
            true => 0.75 * (0.15 * random.normal()).exp(),
            false => 0.5 * (0.08 * random.normal()).exp(),
        },
        survival: |x| 0.15 * normal((x / 0.75).ln() / 0.15) + 0.85 * normal((x / 0.5).ln() / 0.08),
    },
    Parent {
        name: "two modes, 0.05 % stalls",
        draw: |random, _| match random.uniform() < 5e-4 {
            true => 2.0 + random.pareto(0.0),
            false => 0.5 * (0.1 * random.normal()).exp(),
        },
        survival: |x| 5e-4 * (2.0 - x).min(0.0).exp() + 0.9995 * normal((x / 0.5).ln() / 0.1),
    },
    Parent {
        name: "two modes, 1 % stalls",
        draw: |random, _| match random.uniform() < 0.01 {
            true => 2.0 + random.pareto(0.0),
            false => 0.5 * (0.1 * random.normal()).exp(),
        },
        survival: |x| 0.01 * (2.0 - x).min(0.0).exp() + 0.99 * normal((x / 0.5).ln() / 0.1),
    },
];

impl Parent {
    /// Draws `count` samples, in nanoseconds.
    pub fn samples(&self, random: &mut Random, count: usize) -> Vec<i64> {
        let mut state = 0.0;
        let mut draw = || (self.draw)(random, &mut state) * UNIT_NS;
        (0..count).map(|_| draw() as i64).collect()
    }

    /// Returns the value that 1 in `samples` samples exceeds, in nanoseconds.
    pub fn exceeded_once_in(&self, samples: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1e9);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if (self.survival)(middle) > 1.0 / samples { low = middle } else { high = middle }
        }
        low * UNIT_NS
    }
}

fn pareto(shape: f64, x: f64) -> f64 {
    (1.0 + shape * x).max(0.0).powf(-1.0 / shape)
}

fn normal(x: f64) -> f64 {
    libm::erfc(x / SQRT_2) / 2.0
}

/// Draws the next state, which keeps the share `persistence` of the previous one and is normal.
fn follow(persistence: f64, random: &mut Random, state: &mut f64) -> f64 {
    *state = persistence * *state + (1.0 - persistence * persistence).sqrt() * random.normal();
    *state
}
