//! Statistics of samples in nanoseconds. Pure: no clock, no input or output.

mod distribution;
mod location;
mod marks;
mod merit;
mod slope;

pub use distribution::{DamagedHistogram, Distribution, Extreme, Sample};
pub use location::{mean, median};
pub use marks::{FRAME_MARKS, FrameFigures, FrameMark, GOOD_MARK};
pub use merit::Merit;
pub use slope::slope;
