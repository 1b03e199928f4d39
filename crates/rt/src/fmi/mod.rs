//! FMI's C interface, versions 2.0 and 3.0, for a library that is loaded: one interface for both.
//!
//! The functions are those of the FMI 2.0.4 specification (sections 2 to 4) and of the FMI 3.0.2
//! specification (sections 2 to 5), <https://fmi-standard.org>. The binding is written here: the
//! interface is about fifty plain C functions, and it must be known exactly what a measured step
//! calls.
//!
//! A model is foreign code in this process, and nothing here can keep it from doing harm. But no
//! caller of these methods can make it do more harm than it does by itself: buffers have the length
//! that is passed, and memory to which the model keeps a pointer is never freed.

mod callbacks;
mod exchange;
mod formatted;
mod functions;
mod instance;
mod scheduled;
mod steps;
mod texts;
mod three;
mod two;
mod values;
mod words;

pub(crate) use callbacks::print_logs_after_crash;
pub use callbacks::{Allocations, Line, allocations, print_logs};
pub use instance::{Asked, Instance};
pub use scheduled::Task;
pub use texts::Room;
pub use values::{Number, Variables};
pub use words::{Failed, Interval, Kind, NewStates, Status, Stepped, Version};

#[cfg(test)]
mod tests;
