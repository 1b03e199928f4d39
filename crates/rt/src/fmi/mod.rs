//! FMI's C interface, versions 2.0 and 3.0, of a library that is loaded: one shape for both.
//!
//! The functions are those of the FMI 2.0.4 specification (sections 2 to 4) and of the FMI 3.0.2
//! specification (sections 2 to 5), <https://fmi-standard.org>. The binding is ours: the
//! interface is some fifty plain C functions, and a measured step shall know what it calls.
//!
//! A model is foreign code in this process. Nothing here can keep it from doing harm; but nobody
//! who calls these methods can make it do more than it does by itself: buffers have the length
//! that is told, and what it keeps a pointer to stays.

mod callbacks;
mod exchange;
mod failed;
mod functions;
mod instance;
mod number;
mod scheduled;
mod steps;
mod texts;
mod three;
mod two;
mod values;
mod words;

pub use callbacks::{Allocations, Line, allocations};
pub use failed::Failed;
pub use instance::{Asked, Instance};
pub use number::Number;
pub use scheduled::Task;
pub use texts::Room;
pub use words::{Experiment, Interval, Kind, NewStates, Status, Stepped, Version};

#[cfg(test)]
mod tests;
