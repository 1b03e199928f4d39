//! The tire: a ring of point masses and spring-dampers in a vertical plane that falls on a floor,
//! and the solvers that move it.
//!
//! The crate is numerics only: it has no clock, does no input or output, and starts no threads.
//! [`prepare`] returns one [`Worker`] per thread; the caller starts the threads, moves a worker
//! into each and steps it. Afterwards the result is gathered from the workers:
//!
//! ```
//! let setup = tire::Setup { masses: 400, threads: 2, ..Default::default() };
//! let workers = tire::prepare(&setup)?;
//! let workers: Vec<tire::Worker> = std::thread::scope(|scope| {
//!     let run = |mut worker: tire::Worker| {
//!         scope.spawn(move || {
//!             worker.run(100).expect("no worker leaves early");
//!             worker
//!         })
//!     };
//!     let threads: Vec<_> = workers.into_iter().map(run).collect();
//!     threads.into_iter().map(|thread| thread.join().unwrap()).collect()
//! });
//! let state = tire::State::gather(&workers);
//! state.check()?;
//! println!("{:016x} at {} s", state.hash(), state.time());
//! # Ok::<(), tire::Error>(())
//! ```
//!
//! Every solver computes the same numbers: there is one formula for a spring and one for a mass,
//! written once (`physics.rs`) over vectors of any width, in IEEE 754 operations that are the same
//! on every processor. So all solvers give the same bits for every number of threads and every
//! instruction set. The exception is the papers' own solver, which leaves open whether a neighbour
//! is read before or after its step.

#![warn(missing_docs)]

pub mod ceiling;
mod error;
mod model;
mod parameters;
mod physics;
mod problem;
mod pull;
mod root;
mod sample;
mod setup;
mod solver;
mod solvers;
mod state;
mod worker;

pub use error::Error;
pub use model::Model;
pub use parameters::Parameters;
pub use rt::simd::InstructionSet;
pub use rt::sync::{BarrierKind, Stopped};
pub use sample::{Sample, Shown};
pub use setup::{Precision, Setup};
pub use solver::{SOLVERS, Solver, solver};
pub use solvers::prepare;
pub use state::{Mass, State};
pub use worker::{Observer, Phase, Worker};
