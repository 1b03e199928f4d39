//! What decides a finding: one quantity compared with the region in which the finding holds.

use std::ops::RangeInclusive;

use stats::{Contrast, Order, Runs, Spread, spread_within};

use crate::effect::FALSE_DISCOVERIES;

/// Exact figures this close to a bound count as equal to it: histograms have bins 0.1 % wide.
const EQUAL: f64 = 0.002;

/// A measured quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// The ends of its 95 % interval, if the runs say anything about run-to-run variation.
    pub interval: Option<[f64; 2]>,
}

/// A quantity of runs, and the region of it in which the finding holds.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// The quantity as a logarithm; `None` if the runs say nothing about run-to-run variation.
    pub contrast: Option<Contrast>,
    /// The estimate.
    pub estimate: f64,
    /// Whether the runs repeat exactly (machines of the lab), so that the estimate has no interval.
    pub is_exact: bool,
    pub region: RangeInclusive<f64>,
}

/// How strongly the runs speak for and against a finding: chances, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// The chance of these runs or clearer ones if the finding does not hold.
    pub holds: f64,
    /// The same if it holds.
    pub reversed: f64,
}

impl Quantity {
    /// Returns the ratio of the other side to the reference. The figures are above 0, one per run.
    #[must_use]
    pub fn ratio(runs: &[Vec<f64>; 2], order: Order, region: RangeInclusive<f64>) -> Option<Self> {
        let [reference, other] = runs.each_ref().map(|side| logarithms(side));
        let runs = Runs { reference, other };
        let estimate = (mean(&runs.other)? - mean(&runs.reference)?).exp();
        let contrast = runs.contrast(runs.spread(), None, order);
        Some(Self { contrast, estimate, is_exact: false, region })
    }

    /// Returns the ratio of the other side's standard deviation to that of the reference, each of
    /// the logarithms of the figures. `None` for fewer than three runs per side: the logarithm of a
    /// standard deviation with `f` degrees of freedom has about the variance `1 / 2(f - 1)`.
    #[must_use]
    pub fn spread(runs: &[&[f64]; 2], region: RangeInclusive<f64>) -> Option<Self> {
        let spreads = runs.map(|side| spread_within([logarithms(side).as_slice()]));
        let [Some(reference), Some(other)] = spreads else {
            return None;
        };
        let log_ratio = (other.variance / reference.variance).ln() / 2.0;
        let error = |spread: Spread| 0.5 / (spread.freedom - 1.0);
        let contrast = Contrast {
            log_ratio,
            error: (error(reference) + error(other)).sqrt(),
            freedom: reference.freedom + other.freedom,
        };
        let is_known = runs.iter().all(|side| side.len() > 2);
        let contrast = Some(contrast).filter(|_| is_known);
        Some(Self { contrast, estimate: log_ratio.exp(), is_exact: false, region })
    }

    /// Returns the quantity of one side. The figures are above 0, one per run.
    #[must_use]
    pub fn value(figures: &[f64], region: RangeInclusive<f64>) -> Option<Self> {
        let logs = logarithms(figures);
        let log_ratio = mean(&logs)?;
        let contrast = spread_within([logs.as_slice()]).map(|spread| Contrast {
            log_ratio,
            error: (spread.variance / logs.len() as f64).sqrt(),
            freedom: spread.freedom,
        });
        Some(Self { contrast, estimate: log_ratio.exp(), is_exact: false, region })
    }

    #[must_use]
    pub fn in_short(&self) -> Estimate {
        let contrast = self.contrast.filter(|_| !self.is_exact);
        let interval = contrast.map(|contrast| contrast.interval(1.0 - FALSE_DISCOVERIES));
        let ends = interval.map(|[lower, _, upper]| [lower, upper]);
        Estimate { value: self.estimate, interval: ends }
    }

    /// Returns the chances; `None` if the runs say nothing about run-to-run variation. Each bound
    /// is tested on both sides, although only one matters, so the chances are not too small.
    #[must_use]
    pub fn chances(&self) -> Option<Chances> {
        let (low, high) = (*self.region.start(), *self.region.end());
        if self.is_exact {
            let is_in = low * (1.0 + EQUAL) < self.estimate && self.estimate * (1.0 + EQUAL) < high;
            let is_out =
                self.estimate * (1.0 + EQUAL) < low || high * (1.0 + EQUAL) < self.estimate;
            let chance = |is_shown| if is_shown { 0.0 } else { 1.0 };
            return Some(Chances { holds: chance(is_in), reversed: chance(is_out) });
        }
        let contrast = self.contrast?;
        let beyond = |bound: f64| {
            let from = contrast.log_ratio - bound.ln();
            (from > 0.0, Contrast { log_ratio: from, ..contrast }.chance(0.0))
        };
        let (is_above_low, of_low) = beyond(low);
        let (is_above_high, of_high) = beyond(high);
        // A region without an end on one side has the bound 0 or infinity there.
        let of_low = if low > 0.0 { of_low } else { 0.0 };
        let of_high = if high.is_finite() { of_high } else { 0.0 };
        Some(match (is_above_low || low == 0.0, is_above_high && high.is_finite()) {
            (true, false) => Chances { holds: of_low.max(of_high), reversed: 1.0 },
            (false, _) => Chances { holds: 1.0, reversed: of_low },
            (true, true) => Chances { holds: 1.0, reversed: of_high },
        })
    }

    /// Returns the factor by which more runs would decide at this level, if the estimate is right;
    /// `None` if it is on a bound or nothing is known of the variation.
    #[must_use]
    pub fn more_runs(&self, level: f64) -> Option<f64> {
        let [_, middle, upper] = self.contrast?.interval(1.0 - level);
        let half = (upper / middle).ln();
        let bounds = [*self.region.start(), *self.region.end()];
        let bounds = bounds.into_iter().filter(|bound| *bound > 0.0 && bound.is_finite());
        let nearest =
            bounds.map(|bound| (self.estimate / bound).ln().abs()).min_by(f64::total_cmp)?;
        (nearest > 0.0).then(|| (half / nearest).powi(2))
    }
}

/// Returns the mean of the logarithms of figures.
pub(super) fn log_mean(figures: &[f64]) -> Option<f64> {
    mean(&logarithms(figures))
}

fn logarithms(figures: &[f64]) -> Vec<f64> {
    figures.iter().map(|figure| figure.ln()).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
