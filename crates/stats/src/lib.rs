//! Statistics of samples in nanoseconds, and the search for the largest size that holds. The crate
//! is pure: no clock, no input or output.

#![warn(missing_docs)]

mod between;
mod binomial;
mod bins;
mod contrast;
mod dependence;
mod distribution;
#[cfg(test)]
mod drawn;
pub mod frontier;
mod gamma;
mod heavy_hitters;
mod histogram_v2;
mod interval_log;
mod least_squares;
mod location;
mod marks;
mod merit;
mod moderated;
mod order;
mod parts;
mod permuted;
mod random;
mod root;
mod rounds;
mod sample;
mod screening;
mod slope;
mod student;
mod superiority;
mod tail;
mod tries;

pub use between::Repeats;
pub use binomial::{CONFIDENCE, MissRate, clean_periods};
pub use contrast::{Contrast, Order, Runs, level_of_discovery, spread_within};
pub use dependence::{Dependence, SHARES};
pub use distribution::{Distribution, NotADistribution};
pub use heavy_hitters::{HeavyHitters, Weight};
pub use interval_log::{Interval, interval_log};
pub use least_squares::{LeastSquares, Undetermined};
pub use location::{mean, mean_within, median, median_in_place};
pub use marks::{BAD_START_MARK, FRAME_MARKS, FrameFigures, FrameMark, GOOD_MARK};
pub use merit::Merit;
pub use moderated::{Prior, Spread};
pub use order::{QuantileClaim, samples_for_upper_end};
pub use parts::Part;
pub use permuted::{Misses, can_decide, chance_of_misses, log_odds_ratio};
pub use rounds::{Calibrated, RESAMPLED, Round};
pub use sample::Sample;
pub use screening::{Effects, MOST_FACTORS, Screened, Screening, effects};
pub use slope::slope;
pub use superiority::Superiority;
pub use tail::{Fit, Level, Once, OutOfReach, REACH, Refusal, Tail};
pub use tries::{InOrder, Tries};
