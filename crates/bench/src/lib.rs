//! What every measurement is made of: the trait that it implements, the bench that it runs on, the
//! threads that measure, their pace, and what they record.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

pub mod address;
mod bench;
pub mod burst;
pub mod causes;
pub mod columns;
mod contradiction;
pub mod findings;
pub mod interval;
pub mod late;
#[cfg(any(test, feature = "testing"))]
pub mod made_run;
pub mod measurement;
pub mod measuring_thread;
pub mod pace;
pub mod periods;
pub mod place;
pub mod room;
pub mod shape;
pub mod stamps;
pub mod start_barrier;
pub mod strip;
pub mod tally;

pub use bench::{Abort, Announce, Bench, Measured, Show};
pub use contradiction::contradiction;
pub use interval::{Continuous, Interval, Place};
pub use late::{EachThread, ThreadSamples};
pub use measurement::{
    CpuUse, Description, Length, Measurement, Needs, PEAK_OF_SAMPLES, REAL_TIME,
};
pub use measuring_thread::reason;
pub use shape::TrackShape;
