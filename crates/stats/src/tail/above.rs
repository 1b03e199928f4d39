//! The samples above one threshold, and the distributions that are likely for them.

use super::exceedances::{Exceedances, Placed};
use super::gpd::{Excesses, Gpd};
use super::level::Likely;
use crate::binomial::at_least;

pub(super) struct Above {
    threshold: f64,
    /// Number of all samples, including those below the threshold.
    samples: f64,
    /// The most likely distribution.
    pub(super) gpd: Gpd,
    /// Anderson and Darling's distance from that distribution, scaled to the number of independent
    /// samples.
    pub(super) distance: f64,
    likely: Likely,
}

impl Above {
    /// Fits exceedances of which the share `extremal_index` begins a cluster. Returns `None` if the
    /// tail ends too abruptly for a fit.
    pub(super) fn of(all: &Exceedances, extremal_index: f64) -> Option<Self> {
        let excess = |(_, value): &Placed| (value - all.threshold) as f64;
        let excesses = Excesses::new(all.all.iter().map(excess).collect());
        let place = excesses.most_likely_place()?;
        let gpd = excesses.gpd(place);
        Some(Self {
            threshold: all.threshold as f64,
            samples: all.samples as f64,
            gpd,
            distance: excesses.anderson_darling(gpd) * extremal_index,
            likely: Likely::around(excesses, place, extremal_index),
        })
    }

    /// Returns the chance that `count` or more of `independent` samples above the threshold are as
    /// large as this value: by the fit, or by an exponential tail if the fit ends earlier.
    pub(super) fn chance_of(&self, count: usize, value: i64, independent: f64) -> f64 {
        let excess = value as f64 - self.threshold;
        let exponential = -excess / self.likely.excesses.mean();
        let beyond = self.gpd.log_survival(excess).max(exponential).exp();
        at_least(count as u64, independent.round() as u64, beyond)
    }

    /// Returns N such that one of N excesses is beyond what one in `once_in` samples exceeds.
    pub(super) fn often(&self, once_in: f64) -> f64 {
        once_in * self.likely.excesses.len() as f64 / self.samples
    }

    /// Returns the most likely value that one in `once_in` samples exceeds.
    pub(super) fn level(&self, once_in: f64) -> f64 {
        self.threshold + self.likely.level(self.often(once_in))
    }

    /// Returns the highest likely value of that level, for a generalised Pareto or an exponential
    /// distribution; `None` if it is unbounded.
    pub(super) fn highest(&self, once_in: f64) -> Option<f64> {
        let often = self.often(once_in);
        let highest = self.likely.highest(often)?;
        Some(self.threshold + highest.max(self.likely.highest_of_exponential(often)))
    }
}
