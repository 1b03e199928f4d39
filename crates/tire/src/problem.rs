//! A prepared tire: what all workers of one run share.

use std::ops::Range;

use rt::simd::Real;
use rt::sync::Barrier;

use crate::Setup;
use crate::model::HUB_SHARE;
use crate::physics::{Coefficients, Raw};

/// A setup that passed its checks, and values derived from it.
#[derive(Debug)]
pub struct Problem {
    pub setup: Setup,
    /// Length of a sub-step in seconds.
    pub step: f64,
    pub coefficients: Coefficients,
}

impl Problem {
    pub fn new(setup: &Setup) -> Self {
        let step = setup.parameters.step / f64::from(setup.substeps);
        Self {
            setup: setup.clone(),
            step,
            coefficients: Coefficients::new(&setup.parameters, step),
        }
    }

    /// Number of masses in total, the hub included.
    pub fn masses(&self) -> usize {
        self.setup.model.masses_with_hub(self.setup.masses)
    }

    /// The masses that a thread owns: equal stretches of the ring; the last thread also owns the
    /// hub.
    pub fn share(&self, thread: usize) -> Range<usize> {
        let mut own = share(self.setup.masses, self.setup.threads, thread);
        if thread + 1 == self.setup.threads {
            own.end = self.masses();
        }
        own
    }

    /// Mass of point `i` in kilograms.
    pub fn weight(&self, i: usize) -> f64 {
        let (ring, mass) = (self.setup.masses, self.setup.parameters.mass);
        if i < ring { mass } else { HUB_SHARE * mass * ring as f64 }
    }

    /// Creates a barrier for all threads.
    pub fn barrier(&self) -> Box<dyn Barrier> {
        let threads = u32::try_from(self.setup.threads).unwrap_or(u32::MAX);
        self.setup.barrier.create(threads)
    }

    /// Returns the initial state of a mass, at rest; the hub comes after the ring.
    pub fn start<T: Real>(&self, i: usize) -> Raw<T> {
        let Setup { model, masses, parameters, .. } = &self.setup;
        let [x, y] = if i < *masses { model.place(i, *masses) } else { [0.0, 0.0] };
        let (radius, drop) = (parameters.radius, parameters.drop);
        [radius * x, radius * y + (radius + drop), 0.0, 0.0].map(T::from_f64)
    }

    /// Stiffness times rest length of the spring from mass `i` to the next.
    pub fn rail_pull(&self, i: usize) -> f64 {
        let Setup { model, masses, parameters, .. } = &self.setup;
        self.coefficients.stiffness * parameters.radius * model.rail(i, *masses)
    }

    /// Stiffness times rest length of a spoke.
    pub fn spoke_pull(&self) -> f64 {
        let Setup { model, parameters, .. } = &self.setup;
        self.coefficients.stiffness * parameters.radius * model.spoke()
    }
}

/// Returns the range of `count` items that belong to `part` of `parts`; the sizes differ by at most
/// one.
pub fn share(count: usize, parts: usize, part: usize) -> Range<usize> {
    part * count / parts..(part + 1) * count / parts
}
