//! Return levels with intervals from the likelihood.

use super::gpd::{Excesses, bisect, maximum};

/// Half the 95 % quantile of the chi-squared distribution with one degree of freedom.
const HALF_CHI_SQUARED: f64 = 1.920_729_410_347_062;
/// Shapes at or below -1 have no maximum of the likelihood.
const LOWEST_SHAPE: f64 = -0.99;
const STEPS: usize = 48;
/// Beyond this distance from the most likely place, the likelihood has no end.
const FARTHEST: f64 = 40.0;

/// All distributions that the excesses do not speak against at 95 % confidence: those
/// whose logarithm of the likelihood is at most 1.92 below the largest. The largest and
/// smallest return level among them are the ends of the profile likelihood's interval
/// (Coles, An introduction to statistical modeling of extreme values, 2001, 2.6.6).
pub(super) struct Likely<'a> {
    excesses: &'a Excesses,
    /// Where the likelihood is largest.
    place: f64,
    /// The least likelihood of an excess.
    least: f64,
    /// Places of distributions that are likely enough.
    places: (f64, f64),
    /// Whether likely distributions end at the upper place.
    is_closed: bool,
}

impl<'a> Likely<'a> {
    /// Around the place where the likelihood is largest.
    pub(super) fn around(excesses: &'a Excesses, place: f64) -> Self {
        let least = excesses.likelihood_at(place) - HALF_CHI_SQUARED / excesses.len() as f64;
        let is_likely = |place: f64| excesses.likelihood_at(place) >= least;
        let lowest = excesses.place_of_shape(LOWEST_SHAPE);
        let low = bisect(lowest..place, is_likely);
        let farthest = place + FARTHEST;
        let high = bisect(place..farthest, |place| !is_likely(place));
        Self {
            excesses,
            place,
            least,
            places: (low, high),
            is_closed: !is_likely(farthest),
        }
    }

    /// The excess that is exceeded once in `often` excesses, most likely.
    pub(super) fn level(&self, often: f64) -> f64 {
        self.at(self.place, often, 1.0)
    }

    /// The smallest of it that is likely.
    pub(super) fn lowest(&self, often: f64) -> f64 {
        -self.extreme(|place| -self.at(place, often, self.slack(place).0))
    }

    /// The largest of it that is likely; `None` where there is no end to it.
    pub(super) fn highest(&self, often: f64) -> Option<f64> {
        let highest = self.extreme(|place| self.at(place, often, self.slack(place).1));
        (self.is_closed && highest.is_finite()).then_some(highest)
    }

    /// The level at a place, with so many times the shape that is most likely there.
    fn at(&self, place: f64, often: f64, times: f64) -> f64 {
        let ratio = self.excesses.ratio(place);
        let shape = times * self.excesses.shape(ratio);
        (shape * often.ln()).exp_m1() / ratio
    }

    /// How many times the most likely shape at a place is still likely, at least and at
    /// most. At a given ratio of shape to scale, r times the most likely shape costs
    /// ln r + 1/r - 1 of the likelihood's logarithm.
    fn slack(&self, place: f64) -> (f64, f64) {
        let slack = (self.excesses.likelihood_at(place) - self.least).max(0.0);
        let cost = |log: f64| log + (-log).exp() - 1.0;
        let least = bisect(-20.0..0.0, |log| cost(log) <= slack);
        let most = bisect(0.0..20.0, |log| cost(log) > slack);
        (least.exp(), most.exp())
    }

    /// The largest value over all likely places.
    fn extreme(&self, of: impl Fn(f64) -> f64) -> f64 {
        let (low, high) = self.places;
        let step = (high - low) / STEPS as f64;
        let places = (0..=STEPS).map(|index| low + index as f64 * step);
        let best = places
            .max_by(|one, other| of(*one).total_cmp(&of(*other)))
            .unwrap_or(self.place);
        let around = (best - step).max(low)..(best + step).min(high);
        of(maximum(around, &of)).max(of(best))
    }
}
