//! Models that are stepped: the tire, your own model, and mixes of several; and the loops that step
//! them, paced at a rate or as fast as possible. Each is a measurement of the table in `measure`.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

pub mod instructions;
mod mix;
mod model;
mod own_model;
#[cfg(test)]
mod test_runs;
mod tire;
mod wait;

pub use mix::{Mix, NAME as MIX};
pub use model::steps;
pub use model::team::MODEL_THREADS;
pub use own_model::{Own, PROGRAM_ROLE, Readable, Stepped, be_program};
pub use tire::Tire;
pub use wait::Wait;
