//! Statistics of samples in nanoseconds. Pure: no clock, no input or output.

mod distribution;

pub use distribution::{DamagedHistogram, Distribution, Extreme, Sample};
