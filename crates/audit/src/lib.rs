//! Steps a model under watch, and records what its steps do that real-time steps must not, by
//! number and place. The model is stepped twice, each time in a separate process: once watched from
//! inside, by counting calls and reading the marks of the kernel and the processor, and once from
//! outside, by stopping at each system call. Nothing is judged here, and no time is a figure of the
//! model.

mod beside;
mod inside;
mod maps;
mod order;
mod outputs;
mod outside;
mod places;
mod ready;
mod series;
mod serve;
mod standstill;
mod starter;
mod watch;
mod watchdog;

pub use order::Request;
pub use serve::serve;
pub use standstill::{STANDSTILL_ROLE, guard_standstill};
pub use starter::{NotAudited, Progress, ROLE, audited};
