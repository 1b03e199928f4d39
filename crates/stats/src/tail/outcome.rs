//! What is told of a tail: a fit with its levels, or why there is none.

use serde::{Deserialize, Serialize};

/// The worst case beyond the samples of one thread in one run: a fit, or why there is
/// none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tail {
    /// The peaks follow a generalised Pareto distribution.
    Fitted(Fit),
    /// They may not be extrapolated.
    Refused(Refusal),
}

/// A generalised Pareto distribution of the peaks over a threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// In nanoseconds.
    pub threshold_ns: i64,
    /// Samples above the threshold.
    pub exceedances: u64,
    /// Clusters of them; each gives one peak.
    pub peaks: u64,
    /// The share of exceedances that begin a cluster, 0 to 1.
    pub extremal_index: f64,
    /// Shape: 0 is an exponential tail, above it is heavier.
    pub shape: f64,
    /// Scale in nanoseconds.
    pub scale_ns: f64,
    /// Anderson and Darling's distance from the fit.
    pub anderson_darling: f64,
    /// The distance that 1 of 20 true samples exceed.
    pub anderson_darling_limit: f64,
    /// What is exceeded once in a time, on average.
    pub levels: Vec<Level>,
    /// Times too long for so few samples.
    pub out_of_reach: Vec<OutOfReach>,
}

/// What is exceeded once in a time is not told, since the time is more than [`REACH`](super::REACH) times as
/// long as was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutOfReach {
    /// Once in what.
    pub once: Once,
    /// That many samples, at the run's rate.
    pub samples: f64,
    /// So many samples reach as far.
    pub needed: u64,
}

/// What is exceeded once in so many samples on average, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Once in what.
    pub once: Once,
    /// That many samples, at the run's rate.
    pub samples: f64,
    /// In nanoseconds.
    pub value_ns: f64,
    /// Lower end of the interval, in nanoseconds.
    pub lower_ns: f64,
    /// Upper end, in nanoseconds.
    pub upper_ns: f64,
}

/// In what something is exceeded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Once {
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// 1 000 000 000 samples.
    BillionSamples,
}

/// Why the largest samples may not be extrapolated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refusal {
    /// There are fewer samples than a tail needs.
    TooFewSamples {
        /// How many there are.
        samples: u64,
        /// How many are needed.
        needed: u64,
    },
    /// The largest samples came in too few clusters.
    TooFewPeaks {
        /// How many there are.
        peaks: u64,
        /// How many are needed.
        needed: u64,
    },
    /// Large samples came more often at one time than at another.
    RateChanges {
        /// Kolmogorov and Smirnov's distance from an even spread, times the root of the
        /// number.
        statistic: f64,
        /// The most that is a chance of 1 %.
        limit: f64,
    },
    /// Peaks of the first half are not like those of the second.
    SizesChange {
        /// Kolmogorov and Smirnov's distance between both, times the root of the number.
        statistic: f64,
        /// The most that is a chance of 1 %.
        limit: f64,
    },
    /// Large samples come many at a time.
    Clustered {
        /// The share of exceedances that begin a cluster.
        extremal_index: f64,
        /// The least that is fitted.
        limit: f64,
    },
    /// Each peak tells something of the next.
    Correlated {
        /// Rank correlation of peaks that follow each other.
        correlation: f64,
        /// The most on either side that is a chance of 1 %.
        limit: f64,
    },
    /// The clock's grain, or a cause with few lengths, is all that is seen.
    Coarse {
        /// The largest number of equal samples above the threshold.
        most_equal: u64,
        /// Samples above the threshold.
        exceedances: u64,
    },
    /// The peaks are of another distribution.
    DoesNotFit {
        /// Anderson and Darling's distance from the best fit.
        statistic: f64,
        /// The distance that 1 of 20 true samples exceed.
        limit: f64,
    },
    /// The peaks end at one value.
    EndsAbruptly,
    /// The tail is so heavy that not even the mean of peaks is finite.
    NoMean {
        /// The shape of the best fit.
        shape: f64,
        /// The shape from which on there is no mean.
        limit: f64,
    },
}
