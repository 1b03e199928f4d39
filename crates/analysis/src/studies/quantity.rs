//! What decides a finding: one quantity compared with the region in which the finding holds.

use std::ops::RangeInclusive;

use stats::{Contrast, Order, Runs, Spread, Tries, spread_within};

use crate::effect::FALSE_DISCOVERIES;

/// Exact figures this close to a bound count as equal to it: histograms have bins 0.1 % wide.
const EQUAL: f64 = 0.002;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// The ends of its 95 % interval, if the runs say anything about run-to-run variation.
    pub interval: Option<[f64; 2]>,
}

/// A quantity of runs, and the region of it in which the finding holds.
#[derive(Debug, Clone)]
pub struct Quantity {
    pub evidence: Evidence,
    pub estimate: f64,
    /// Whether the runs repeat exactly (machines of the lab), so that the estimate has no interval.
    pub is_exact: bool,
    /// The true quantity is within this factor, which no number of runs makes smaller.
    pub grain: f64,
    /// The part of its standard error that no number of runs makes smaller, because each side was
    /// measured in its own sitting; 0 for sides in turns.
    pub sitting_error: f64,
    pub region: RangeInclusive<f64>,
}

#[derive(Debug, Clone, Copy)]
pub enum Evidence {
    OneRun,
    /// The quantity as a logarithm.
    Runs(Contrast),
    /// Counted events, of which the quantity is the share.
    Counts(Tries),
}

impl From<Option<Contrast>> for Evidence {
    fn from(contrast: Option<Contrast>) -> Self {
        contrast.map_or(Self::OneRun, Self::Runs)
    }
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
    fn new(estimate: f64, evidence: impl Into<Evidence>, region: RangeInclusive<f64>) -> Self {
        let evidence = evidence.into();
        Self { evidence, estimate, is_exact: false, grain: 1.0, sitting_error: 0.0, region }
    }

    /// Returns the ratio of the other side to the reference. The figures are above 0, one per run.
    pub fn ratio(runs: &[Vec<f64>; 2], order: Order, region: RangeInclusive<f64>) -> Option<Self> {
        let [reference, other] = runs.each_ref().map(|side| logarithms(side));
        let runs = Runs { reference, other, least_variance: 0.0 };
        let estimate = (mean(&runs.other)? - mean(&runs.reference)?).exp();
        let spread = runs.spread();
        let ratio = Self::new(estimate, runs.contrast(spread, None, order), region);
        let sittings = spread.map_or(0.0, |spread| spread.variance * order.sittings());
        Some(Self { sitting_error: sittings.sqrt(), ..ratio })
    }

    /// Returns the ratio of the other side's standard deviation to that of the reference, each of
    /// the logarithms of the figures. `None` for fewer than three runs per side: the logarithm of a
    /// standard deviation with `f` degrees of freedom has about the variance `1 / 2(f - 1)`.
    pub fn spread(runs: &[&[f64]; 2], region: RangeInclusive<f64>) -> Option<Self> {
        let spreads = runs.map(|side| spread_within([logarithms(side).as_slice()]));
        let [Some(reference), Some(other)] = spreads else { return None };
        let log_ratio = (other.variance / reference.variance).ln() / 2.0;
        let error = |spread: Spread| 0.5 / (spread.freedom - 1.0);
        let contrast = Contrast {
            log_ratio,
            error: (error(reference) + error(other)).sqrt(),
            freedom: reference.freedom + other.freedom,
        };
        let is_known = runs.iter().all(|side| side.len() > 2);
        Some(Self::new(log_ratio.exp(), Some(contrast).filter(|_| is_known), region))
    }

    /// Returns the quantity of one side. The figures are above 0, one per run.
    pub fn value(figures: &[f64], region: RangeInclusive<f64>) -> Option<Self> {
        let logs = logarithms(figures);
        let log_ratio = mean(&logs)?;
        let contrast = spread_within([logs.as_slice()]).map(|spread| Contrast {
            log_ratio,
            error: (spread.variance / logs.len() as f64).sqrt(),
            freedom: spread.freedom,
        });
        Some(Self::new(log_ratio.exp(), contrast, region))
    }

    /// Returns the share of counted events over all runs; `None` without a run.
    pub fn share(runs: &[Tries], region: RangeInclusive<f64>) -> Option<Self> {
        let mut all = Tries::default();
        runs.iter().for_each(|run| all.add(*run));
        let evidence = if all.runs > 1 { Evidence::Counts(all) } else { Evidence::OneRun };
        (all.due > 0).then(|| Self::new(all.share(), evidence, region))
    }

    /// Returns the geometric mean of ratios, which are of different runs, perhaps of the same
    /// sittings; `None` without a ratio.
    pub fn overall(ratios: &[Self], region: RangeInclusive<f64>) -> Option<Self> {
        let estimates: Vec<f64> = ratios.iter().map(|ratio| ratio.estimate).collect();
        let estimate = log_mean(&estimates)?.exp();
        let contrasts: Option<Vec<Contrast>> = ratios.iter().map(Self::contrast).collect();
        let count = ratios.len() as f64;
        let sitting_error = ratios.iter().map(|ratio| ratio.sitting_error).sum::<f64>() / count;
        let contrast = contrasts.map(|all| {
            let of_runs: f64 =
                ratios.iter().zip(&all).map(|(ratio, sides)| ratio.of_runs(sides)).sum();
            Contrast {
                log_ratio: estimate.ln(),
                error: (of_runs.sqrt() / count).hypot(sitting_error),
                freedom: all.iter().map(|spread| spread.freedom).fold(f64::INFINITY, f64::min),
            }
        });
        Some(Self { sitting_error, ..Self::new(estimate, contrast, region) })
    }

    /// The same quantity, known within a factor: a search finds values of a grid.
    pub fn within(self, grain: f64) -> Self {
        Self { grain, ..self }
    }

    /// The part of the variance that more runs make smaller.
    fn of_runs(&self, contrast: &Contrast) -> f64 {
        contrast.error.powi(2) - self.sitting_error.powi(2)
    }

    fn contrast(&self) -> Option<Contrast> {
        match self.evidence {
            Evidence::Runs(contrast) => Some(contrast),
            Evidence::OneRun | Evidence::Counts(_) => None,
        }
    }

    pub fn in_short(&self) -> Estimate {
        let interval = match self.evidence {
            _ if self.is_exact => None,
            Evidence::OneRun => None,
            Evidence::Runs(contrast) => {
                let [lower, _, upper] = contrast.interval(1.0 - FALSE_DISCOVERIES);
                Some([lower, upper])
            }
            Evidence::Counts(tries) => tries.rate(1).map(|rate| [rate.lower, rate.upper]),
        };
        Estimate { value: self.estimate, interval }
    }

    /// Returns the chances; `None` if the runs say nothing about run-to-run variation. Each bound
    /// is tested on both sides, although only one matters, so the chances are not too small.
    pub fn chances(&self) -> Option<Chances> {
        // Where the quantity must be for the finding to hold, and beyond which it is reversed.
        let [low, high] = [*self.region.start(), *self.region.end()];
        let (inner, outer) =
            ([low * self.grain, high / self.grain], [low / self.grain, high * self.grain]);
        if self.is_exact {
            let is_above = low == 0.0 || inner[0] * (1.0 + EQUAL) < self.estimate;
            let is_in = is_above && self.estimate * (1.0 + EQUAL) < inner[1];
            let is_out = self.estimate * (1.0 + EQUAL) < outer[0]
                || outer[1] * (1.0 + EQUAL) < self.estimate;
            let chance = |is_shown| if is_shown { 0.0 } else { 1.0 };
            return Some(Chances { holds: chance(is_in), reversed: chance(is_out) });
        }
        // Below and above a bound; a region without an end on one side has the bound 0 or infinity
        // there.
        let beyond = |bound: f64| -> Option<[f64; 2]> {
            Some(match self.evidence {
                Evidence::OneRun => return None,
                _ if bound == 0.0 => [1.0, 0.0],
                _ if bound.is_infinite() => [0.0, 1.0],
                Evidence::Runs(contrast) => {
                    let from = contrast.log_ratio - bound.ln();
                    let chance = Contrast { log_ratio: from, ..contrast }.chance(0.0);
                    if from < 0.0 { [chance, 1.0] } else { [1.0, chance] }
                }
                Evidence::Counts(tries) => {
                    tries.chances(bound).map(|chance| (2.0 * chance).min(1.0))
                }
            })
        };
        let ([_, above_low], [below_high, _]) = (beyond(inner[0])?, beyond(inner[1])?);
        let ([below_low, _], [_, above_high]) = (beyond(outer[0])?, beyond(outer[1])?);
        Some(Chances { holds: above_low.max(below_high), reversed: below_low.min(above_high) })
    }

    /// The factor of runs that would decide, if the estimate is right: infinite if no number of runs
    /// does, such as on a bound. `None` if nothing is known of it.
    pub fn more_runs(&self, level: f64) -> Option<f64> {
        // The squared distance that decides: a part that runs lower, and one that they do not.
        let [of_runs, of_sittings] = match self.evidence {
            Evidence::OneRun => return None,
            Evidence::Runs(contrast) => {
                let [_, middle, upper] = contrast.interval(1.0 - level);
                let errors = (upper / middle).ln() / contrast.error;
                [self.of_runs(&contrast), self.sitting_error.powi(2)].map(|v| v * errors.powi(2))
            }
            Evidence::Counts(tries) if tries.missed == 0 => {
                let needed = (level / 2.0).ln() / (-self.region.end()).ln_1p();
                return needed.is_finite().then_some(needed / tries.due as f64);
            }
            Evidence::Counts(tries) => [(tries.rate(1)?.upper / self.estimate).ln().powi(2), 0.0],
        };
        let bounds = [*self.region.start() * self.grain, *self.region.end() / self.grain];
        let bounds = bounds.into_iter().filter(|bound| *bound > 0.0 && bound.is_finite());
        let nearest =
            bounds.map(|bound| (self.estimate / bound).ln().abs()).min_by(f64::total_cmp)?;
        Some(of_runs / (nearest.powi(2) - of_sittings).max(0.0))
    }
}

pub(super) fn log_mean(figures: &[f64]) -> Option<f64> {
    mean(&logarithms(figures))
}

fn logarithms(figures: &[f64]) -> Vec<f64> {
    figures.iter().map(|figure| figure.ln()).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
