//! What the largest samples imply about unseen ones: peaks over a threshold.

mod above;
mod checks;
mod claim;
mod exceedances;
mod goodness;
mod gpd;
mod level;
mod outcome;

use crate::Sample;
use above::Above;
pub use claim::REACH;
use exceedances::Exceedances;
pub use outcome::{Fit, Level, Once, OutOfReach, Refusal, Tail};

/// With fewer peaks, shapes cannot be distinguished.
const LEAST_PEAKS: u64 = 50;
/// A larger number would reach beyond the tail of typical runs, and the fit takes time.
const MOST_EXCEEDANCES: usize = 1000;
/// A tail is at most one in this many samples: the largest tenth does not yet show the tail of a
/// Student's distribution.
const TAIL: usize = 20;
/// The fewest samples in which a tail is searched.
const LEAST_SAMPLES: u64 = LEAST_PEAKS * TAIL as u64;

/// From this shape up the mean of peaks is not finite (Coles 2001, 4.2.2): in the long run such
/// times would take more than all the time there is, which no thread can.
const NO_MEAN: f64 = 1.0;

impl Tail {
    /// Judges samples, which must be in the order in which they came.
    pub fn of(samples: &[Sample]) -> Self {
        let values: Vec<i64> = samples.iter().map(|sample| sample.value_ns).collect();
        let at = |sample: Option<&Sample>| sample.map_or(0, |sample| sample.at_ns);
        Self::of_values(&values, at(samples.last()) - at(samples.first()))
    }

    /// Does the same for values that came within `span_ns` nanoseconds.
    fn of_values(values: &[i64], span_ns: u64) -> Self {
        match fit(values, span_ns) {
            Ok(fit) => Self::Fitted(fit),
            Err(refusal) => Self::Refused(refusal),
        }
    }
}

/// Returns the fit with the most exceedances that passes all checks. Each threshold is checked for
/// change and dependence: with more exceedances these show best, but rare causes show only among
/// the largest.
fn fit(values: &[i64], span_ns: u64) -> Result<Fit, Refusal> {
    let samples = values.len() as u64;
    if samples < LEAST_SAMPLES {
        return Err(Refusal::TooFewSamples { samples, needed: LEAST_SAMPLES });
    }
    let least = LEAST_PEAKS as usize;
    let most = (values.len() / TAIL).min(MOST_EXCEEDANCES);
    let widest = Exceedances::largest(values, most);
    coarse_at_threshold(&widest, most)?;
    let first = match fit_above(&widest, span_ns)? {
        Ok(fit) => return Ok(fit),
        Err(refusal) => refusal,
    };
    let counts = std::iter::successors(Some(most / 2), |count| Some(count / 2));
    let raised = counts.take_while(|count| *count >= least).map(|count| widest.raised(count));
    // Equal values may leave fewer than requested.
    for above in raised.take_while(|above| above.len() >= least) {
        if let Ok(fit) = fit_above(&above, span_ns)? {
            return Ok(fit);
        }
    }
    Err(first)
}

/// Refuses samples if more than half of the wanted exceedances are equal to the threshold itself:
/// then there is no threshold to choose.
fn coarse_at_threshold(all: &Exceedances, wanted: usize) -> Result<(), Refusal> {
    if all.len() * 2 >= wanted {
        return Ok(());
    }
    Err(Refusal::Coarse { most_equal: (wanted - all.len()) as u64, exceedances: wanted as u64 })
}

/// Returns the fit above one threshold, or the reason why it fails if a higher threshold may
/// succeed.
///
/// # Errors
/// Returns the reason why no threshold can succeed.
fn fit_above(all: &Exceedances, span_ns: u64) -> Result<Result<Fit, Refusal>, Refusal> {
    let peaks = all.peaks();
    checks::stationary(all, &peaks)?;
    checks::independent(all, &peaks)?;
    Ok(fit_to(all, &peaks, span_ns))
}

fn fit_to(all: &Exceedances, peaks: &Exceedances, span_ns: u64) -> Result<Fit, Refusal> {
    if (peaks.len() as u64) < LEAST_PEAKS {
        return Err(Refusal::TooFewPeaks { peaks: peaks.len() as u64, needed: LEAST_PEAKS });
    }
    checks::fine(all)?;
    let extremal_index = all.extremal_index();
    let above = Above::of(all, extremal_index).ok_or(Refusal::EndsAbruptly)?;
    let (gpd, statistic) = (above.gpd, above.distance);
    let limit = goodness::limit(gpd.shape);
    if statistic > limit {
        return Err(Refusal::DoesNotFit { statistic, limit });
    }
    checks::of_one_kind(all, extremal_index)?;
    if gpd.shape >= NO_MEAN {
        return Err(Refusal::NoMean { shape: gpd.shape, limit: NO_MEAN });
    }
    let half = all.raised(all.len() / 2);
    let higher = (half.len() as u64 >= LEAST_PEAKS).then(|| Above::of(&half, extremal_index));
    let thresholds: Vec<Above> = [Some(above), higher.flatten()].into_iter().flatten().collect();
    let (levels, out_of_reach) = claim::levels(&thresholds, peaks, span_ns);
    Ok(Fit {
        threshold_ns: all.threshold,
        exceedances: all.len() as u64,
        peaks: peaks.len() as u64,
        extremal_index,
        shape: gpd.shape,
        scale_ns: gpd.scale,
        anderson_darling: statistic,
        anderson_darling_limit: limit,
        levels,
        out_of_reach,
    })
}

#[cfg(test)]
mod tests;
