//! The generalised Pareto distribution, fitted by maximum likelihood.

use crate::location::average;
use crate::root::{bisect, maximum};

/// Below this shape maximum likelihood is not regular: Smith, Maximum likelihood
/// estimation in a class of nonregular cases, Biometrika 72, 1985.
const LOWEST_SHAPE: f64 = -0.5;
/// The range in which the likelihood is searched, as the logarithm of 1 + shape / scale x largest
/// excess: from tails that end soon to ones with a shape above 5.
const PLACES: (f64, f64) = (-12.0, 40.0);
const COARSE_STEP: f64 = 0.5;

/// Excesses over a threshold: all above 0, from small to large.
#[derive(Debug, Clone)]
pub(super) struct Excesses(Vec<f64>);

/// A generalised Pareto distribution: P(excess > y) = (1 + shape y / scale)^(-1 / shape).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gpd {
    /// Shape; above 0 for tails heavier than an exponential one.
    pub(super) shape: f64,
    /// Scale in the unit of the excesses.
    pub(super) scale: f64,
}

impl Gpd {
    /// Returns the logarithm of the share of excesses beyond `y`.
    pub(super) fn log_survival(self, y: f64) -> f64 {
        -(self.shape / self.scale * y).ln_1p() / self.shape
    }
}

impl Excesses {
    /// Takes at least one excess, each above 0.
    pub(super) fn new(mut excesses: Vec<f64>) -> Self {
        excesses.sort_unstable_by(f64::total_cmp);
        Self(excesses)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn mean(&self) -> f64 {
        average(&self.0)
    }

    /// Returns the ratio shape / scale at a place. Every ratio that makes all excesses possible has
    /// a place.
    pub(super) fn ratio(&self, place: f64) -> f64 {
        // At exactly 0, shape and ratio would be 0 / 0; a place this close to 0 gives the same
        // result.
        let place = if place == 0.0 { 1e-9 } else { place };
        place.exp_m1() / self.0[self.0.len() - 1]
    }

    /// Returns the most likely shape at a ratio of shape to scale: the mean of ln(1 + ratio x
    /// excess) (Grimshaw, Computing maximum likelihood estimates for the generalized Pareto
    /// distribution, Technometrics 35, 1993).
    pub(super) fn shape(&self, ratio: f64) -> f64 {
        let (mut logs, mut product) = (0.0, 0.0);
        for excess in &self.0 {
            // A logarithm costs more than all else: one of a product of several factors. Product
            // and factor are kept less 1, so that no digit is lost near 1. In all places that are
            // searched, each factor is far enough above 0.
            let factor = ratio * excess;
            product += factor + product * factor;
            if !(-0.5..1e15).contains(&product) {
                logs += product.ln_1p();
                product = 0.0;
            }
        }
        (logs + product.ln_1p()) / self.0.len() as f64
    }

    /// Returns the logarithm of the likelihood per excess at that shape and ratio.
    pub(super) fn likelihood(shape: f64, ratio: f64) -> f64 {
        -(shape / ratio).ln() - shape - 1.0
    }

    pub(super) fn likelihood_at(&self, place: f64) -> f64 {
        let ratio = self.ratio(place);
        Self::likelihood(self.shape(ratio), ratio)
    }

    /// Returns the place of the maximum of the likelihood among shapes above -1/2; `None` if there
    /// is none because the tail ends too abruptly.
    pub(super) fn most_likely_place(&self) -> Option<f64> {
        let lowest = self.place_of_shape(LOWEST_SHAPE);
        let steps = ((PLACES.1 - lowest) / COARSE_STEP) as usize;
        let places = (0..=steps).map(|step| lowest + step as f64 * COARSE_STEP);
        let likely = |place: f64| self.likelihood_at(place);
        let coarse = places.map(|place| (place, likely(place)));
        let (best, _) = coarse.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let bracket = (best - COARSE_STEP).max(lowest)..best + COARSE_STEP;
        let place = maximum(bracket, likely);
        (place > lowest + 1e-6).then_some(place)
    }

    /// Returns the place whose most likely shape is this one, below 0.
    pub(super) fn place_of_shape(&self, shape: f64) -> f64 {
        bisect(PLACES.0..0.0, |place| self.shape(self.ratio(place)) > shape)
    }

    /// Returns the distribution at a place.
    pub(super) fn gpd(&self, place: f64) -> Gpd {
        let ratio = self.ratio(place);
        let shape = self.shape(ratio);
        Gpd { shape, scale: shape / ratio }
    }

    /// Returns Anderson and Darling's distance between the excesses and a distribution.
    pub(super) fn anderson_darling(&self, gpd: Gpd) -> f64 {
        let count = self.0.len() as f64;
        let beyond: Vec<f64> = self.0.iter().map(|y| gpd.log_survival(*y)).collect();
        let from_largest = beyond.iter().rev();
        let terms = beyond.iter().zip(from_largest).enumerate();
        let sum: f64 = terms
            .map(|(index, (low, high))| {
                let below = (-low.exp_m1()).ln();
                (2 * index + 1) as f64 * (below + high)
            })
            .sum();
        -count - sum / count
    }
}
