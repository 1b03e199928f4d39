//! All measurements: one file each, all in one table.
//!
//! A measurement declares its parameters, records raw stamps on a [`Bench`], and defines how a
//! recording becomes rows. It computes nothing while it measures.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

mod ceiling;
mod clock_overhead;
mod contest;
#[cfg(test)]
mod continuous_tests;
mod deadlock_break;
#[cfg(test)]
mod families;
mod frame;
mod interrupt;
#[cfg(test)]
mod made_up;
mod memory_allocation;
mod messages;
mod mode_switch;
mod outcome;
mod platform_gap;
mod preemption;
mod priority_inversion;
mod self_test;
mod semaphore_shuffle;
mod table;
mod task_switch;
#[cfg(test)]
mod test_runs;
mod validation;
mod wakeup;

pub use bench::{
    Abort, Announce, Bench, Continuous, CpuUse, Description, EachThread, Interval, Length,
    Measured, Measurement, Needs, PEAK_OF_SAMPLES, Place, REAL_TIME, Show, ThreadSamples,
    TrackShape, contradiction, reason,
};
pub use frame::{Echo, serve_frames};
pub use outcome::{outcome, recomputed, worst_cases};
pub use self_test::{self_test_found, self_test_specs};
pub use simulate::{MIX, MODEL_THREADS, PROGRAM_ROLE, Readable, Stepped, be_program, steps};
pub use table::{MEASUREMENTS, cannot_be_followed, find};
pub use validation::{only_recording_of, recording_of, room_for};
