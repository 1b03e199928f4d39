//! Statistics of samples in nanoseconds. Pure: no clock, no input or output.

mod distribution;
mod location;

pub use distribution::{DamagedHistogram, Distribution, Extreme, Sample};
pub use location::{mean, median};
