//! The result for a tail: a fit with its levels, or the reason why there is none.

use serde::{Deserialize, Serialize};

/// The worst case beyond the samples of one thread in one run: a fit, or the reason why there is
/// none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tail {
    /// The peaks follow a generalised Pareto distribution.
    Fitted(Fit),
    /// The peaks may not be extrapolated.
    Refused(Refusal),
}

/// A generalised Pareto distribution of the peaks over a threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// Threshold above which samples are fitted, in nanoseconds.
    pub threshold_ns: i64,
    /// Samples above the threshold.
    pub exceedances: u64,
    /// Clusters of exceedances; each gives one peak, its largest.
    pub peaks: u64,
    /// Share of exceedances that begin a cluster, 0 to 1.
    pub extremal_index: f64,
    /// Shape of the generalised Pareto distribution: 0 for an exponential tail, above 0 for a
    /// heavier one.
    pub shape: f64,
    /// Scale of the distribution, in nanoseconds.
    pub scale_ns: f64,
    /// Anderson-Darling distance from the fit.
    pub anderson_darling: f64,
    /// Limit of `anderson_darling`: 1 in 20 sets of samples from the fitted distribution exceed it.
    pub anderson_darling_limit: f64,
    /// Levels: values that are exceeded once in a given time, on average.
    pub levels: Vec<Level>,
    /// Levels that are not reported, because they are exceeded less than once in 1000 times the
    /// measured samples.
    pub out_of_reach: Vec<OutOfReach>,
}

/// A level that is not claimed, since its time is more than [`REACH`](super::REACH) times as long
/// as the measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutOfReach {
    /// Time or number of samples in which the level would be exceeded once, on average.
    pub once: Once,
    /// `once` as a number of samples, at the rate of the run.
    pub samples: f64,
    /// Samples that one run needs to reach this level.
    pub needed: u64,
}

/// A value that is exceeded once in a given time on average, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Time or number of samples in which the level is exceeded once, on average.
    pub once: Once,
    /// `once` as a number of samples, at the rate of the run.
    pub samples: f64,
    /// Value of the level, in nanoseconds.
    pub value_ns: f64,
    /// Lower end of the 95 % interval, in nanoseconds.
    pub lower_ns: f64,
    /// Upper end of the 95 % interval, in nanoseconds.
    pub upper_ns: f64,
}

/// The time or number of samples in which a value is exceeded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Once {
    /// One hour.
    Hour,
    /// One day.
    Day,
    /// 1 000 000 000 samples.
    BillionSamples,
}

/// Why the largest samples may not be extrapolated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refusal {
    /// There are fewer samples than a tail needs.
    TooFewSamples {
        /// Number of samples.
        samples: u64,
        /// Smallest number that is enough.
        needed: u64,
    },
    /// The largest samples came in too few clusters.
    TooFewPeaks {
        /// Number of peaks.
        peaks: u64,
        /// Smallest number that is enough.
        needed: u64,
    },
    /// Large samples came more often at some times than at others.
    RateChanges {
        /// Kolmogorov and Smirnov's distance from an even spread, times the root of the number of
        /// samples.
        statistic: f64,
        /// The limit, which is exceeded by chance in 1 %.
        limit: f64,
    },
    /// Peaks of the first half differ from those of the second.
    SizesChange {
        /// Kolmogorov and Smirnov's distance between both, times the root of the number of peaks.
        statistic: f64,
        /// The limit, which is exceeded by chance in 1 %.
        limit: f64,
    },
    /// Large samples come many at a time.
    Clustered {
        /// The share of exceedances that begin a cluster.
        extremal_index: f64,
        /// The smallest share that is fitted.
        limit: f64,
    },
    /// Successive peaks are correlated.
    Correlated {
        /// Rank correlation of successive peaks.
        correlation: f64,
        /// The limit in either direction, which is exceeded by chance in 1 %.
        limit: f64,
    },
    /// The values are too coarse: they show only the clock's grain, or a cause with few durations.
    Coarse {
        /// The largest number of equal samples above the threshold.
        most_equal: u64,
        /// Number of samples above the threshold.
        exceedances: u64,
    },
    /// The peaks do not follow a generalised Pareto distribution.
    DoesNotFit {
        /// Anderson and Darling's distance from the best fit.
        statistic: f64,
        /// The distance that 1 in 20 true samples exceed.
        limit: f64,
    },
    /// The largest few samples are too far from the others to be of one distribution.
    Apart {
        /// Number of these samples.
        count: u64,
        /// The chance of so many as large in the distribution of the others.
        chance: f64,
        /// The smallest chance that is fitted.
        limit: f64,
    },
    /// The peaks end at one value.
    EndsAbruptly,
    /// The tail is so heavy that not even the mean of peaks is finite.
    NoMean {
        /// The shape of the best fit.
        shape: f64,
        /// The shape from which the mean is not finite.
        limit: f64,
    },
}
