//! Return levels with intervals from the likelihood.

use super::gpd::Excesses;
use crate::root::{bisect, maximum};

/// Half the 95 % quantile of the chi-squared distribution with one degree of freedom.
const HALF_CHI_SQUARED: f64 = 1.920_729_410_347_062;
/// Shapes at or below -1 have no maximum of the likelihood.
const LOWEST_SHAPE: f64 = -0.99;
const STEPS: usize = 48;
/// The search for likely places ends at this distance from the most likely one; if the likelihood
/// is still high enough there, the range is unbounded.
const FARTHEST: f64 = 40.0;

/// All distributions that the excesses do not reject at 95 % confidence: those whose logarithm of
/// the likelihood is at most 1.92 below the largest. The largest return level among them is the
/// upper end of the profile likelihood's interval (Coles, An introduction to statistical modeling
/// of extreme values, 2001, 2.6.6).
///
/// Excesses that come several at a time carry less information than the same number of single ones,
/// so their likelihood is weighted by the extremal index (Fawcett, Walshaw, Estimating return
/// levels from serially dependent extremes, Environmetrics 23, 2012, who also keep all excesses:
/// the largest of each cluster alone are fewer and larger than the excesses they represent).
pub(super) struct Likely {
    pub(super) excesses: Excesses,
    /// Where the likelihood is largest.
    place: f64,
    /// How much the logarithm of the likelihood per excess may decrease.
    may_lose: f64,
    /// The smallest accepted logarithm of the likelihood per excess.
    least: f64,
    /// Lowest and highest place of distributions that are likely enough.
    places: (f64, f64),
    /// True if likely distributions end at the upper place.
    is_closed: bool,
}

impl Likely {
    /// Collects the likely distributions around the place where the likelihood is largest;
    /// `extremal_index` is the share of excesses that begin a cluster.
    pub(super) fn around(excesses: Excesses, place: f64, extremal_index: f64) -> Self {
        let may_lose = HALF_CHI_SQUARED / (excesses.len() as f64 * extremal_index);
        let least = excesses.likelihood_at(place) - may_lose;
        let is_likely = |place: f64| excesses.likelihood_at(place) >= least;
        let lowest = excesses.place_of_shape(LOWEST_SHAPE);
        let low = bisect(lowest..place, is_likely);
        let farthest = place + FARTHEST;
        let high = bisect(place..farthest, |place| !is_likely(place));
        let is_closed = !is_likely(farthest);
        Self { excesses, place, may_lose, least, places: (low, high), is_closed }
    }

    /// Returns the most likely excess that is exceeded once in `often` excesses.
    pub(super) fn level(&self, often: f64) -> f64 {
        self.at(self.place, often, |_| 1.0)
    }

    /// Returns the largest likely value of that level; `None` if it is unbounded.
    pub(super) fn highest(&self, often: f64) -> Option<f64> {
        let slack = |likelihood: f64| largest_factor((likelihood - self.least).max(0.0));
        let highest = self.largest(|place| self.at(place, often, slack));
        (self.is_closed && highest.is_finite()).then_some(highest)
    }

    /// Returns the level at a place. The shape is the most likely one there times a factor, which
    /// depends on the likelihood there.
    fn at(&self, place: f64, often: f64, factor: impl Fn(f64) -> f64) -> f64 {
        let ratio = self.excesses.ratio(place);
        let shape = self.excesses.shape(ratio);
        let factor = factor(Excesses::likelihood(shape, ratio));
        (factor * shape * often.ln()).exp_m1() / ratio
    }

    /// Returns the largest likely level of an exponential tail, whether or not the tail is
    /// exponential.
    pub(super) fn highest_of_exponential(&self, often: f64) -> f64 {
        self.excesses.mean() * largest_factor(self.may_lose) * often.ln()
    }

    /// Returns the largest value over all likely places.
    fn largest(&self, value_at: impl Fn(f64) -> f64) -> f64 {
        let (low, high) = self.places;
        let step = (high - low) / STEPS as f64;
        let places = (0..=STEPS).map(|index| low + index as f64 * step);
        let (best, value) = places
            .map(|place| (place, value_at(place)))
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
            .unwrap_or((self.place, f64::NAN));
        let around = (best - step).max(low)..(best + step).min(high);
        value_at(maximum(around, &value_at)).max(value)
    }
}

/// Returns the largest factor on the most likely shape, or mean, that costs at most `cost` of the
/// logarithm of the likelihood per excess: a factor r costs ln r + 1/r - 1.
fn largest_factor(cost: f64) -> f64 {
    bisect(0.0..20.0, |log| log + (-log).exp() - 1.0 > cost).exp()
}
