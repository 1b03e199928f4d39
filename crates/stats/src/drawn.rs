//! Random numbers of several distributions, for tests.

use crate::random::Random;

impl Random {
    /// Draws from a generalised Pareto distribution with scale 1.
    pub(crate) fn pareto(&mut self, shape: f64) -> f64 {
        let log = -self.uniform().ln();
        if shape == 0.0 { log } else { (shape * log).exp_m1() / shape }
    }

    /// Draws from the normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let angle = std::f64::consts::TAU * self.uniform();
        (-2.0 * self.uniform().ln()).sqrt() * angle.cos()
    }
}
