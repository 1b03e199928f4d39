//! A model stepped under watch: what its steps do that real-time steps must not, by number and
//! place. It is stepped twice, in a process of its own each time: once watched from inside, by
//! counting calls and reading the kernel's and the processor's own marks, and once from outside,
//! by stopping at each system call. Nothing here is judged, and no time is a figure of the model.

mod beside;
mod elf;
mod inside;
mod maps;
mod order;
mod outputs;
mod outside;
mod places;
mod ready;
mod series;
mod serve;
mod starter;
mod watch;
mod watchdog;

pub use order::Request;
pub use serve::serve;
pub use starter::{NotAudited, ROLE, audited};
