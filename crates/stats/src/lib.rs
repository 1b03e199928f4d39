//! Statistics of samples in nanoseconds. Pure: no clock, no input or output.

mod distribution;
mod location;
mod marks;

pub use distribution::{DamagedHistogram, Distribution, Extreme, Sample};
pub use location::{mean, median};
pub use marks::{FRAME_MARKS, FrameFigures, FrameMark, GOOD_MARK};
