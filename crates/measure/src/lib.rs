//! All measurements: one file each, all in one table.
//!
//! A measurement declares its parameters, records raw stamps on a [`Bench`], and defines how a
//! recording becomes rows. It computes nothing while it measures.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

mod address;
mod believed;
mod bench;
mod burst;
mod causes;
mod ceiling;
mod clock_overhead;
mod columns;
mod contest;
mod contradiction;
mod deadlock_break;
mod findings;
mod frame;
mod instructions;
mod interrupt;
mod interval;
mod late;
#[cfg(test)]
mod made_up;
mod measurement;
mod measuring_thread;
mod memory_allocation;
mod messages;
mod mix;
mod mode_switch;
mod model;
mod outcome;
mod own_model;
mod pace;
mod periods;
mod place;
mod platform_gap;
mod preemption;
mod priority_inversion;
mod room;
mod self_test;
mod semaphore_shuffle;
mod shape;
mod stamps;
mod start_barrier;
mod strip;
mod table;
mod tally;
mod task_switch;
mod tire;
mod wait;
mod wakeup;

pub use believed::{only_recording_of, recording_of, room_for};
pub use bench::{Abort, Announce, Bench, Measured};
pub use contradiction::contradiction;
pub use frame::{Echo, serve_frames};
pub use interval::{Continuous, Interval, Place};
pub use late::{EachThread, ThreadSamples};
pub use measurement::{
    CpuUse, Description, Length, Measurement, Needs, PEAK_OF_SAMPLES, REAL_TIME,
};
pub use measuring_thread::reason;
pub use mix::NAME as MIX;
pub use model::steps;
pub use model::team::MODEL_THREADS;
pub use outcome::{outcome, recomputed, worst_cases};
pub use own_model::{PROGRAM_ROLE, Readable, Stepped, be_program};
pub use self_test::{self_test_found, self_test_specs};
pub use shape::TrackShape;
pub use table::{MEASUREMENTS, find};
