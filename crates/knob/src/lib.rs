//! Settings of a machine and of the program that may be tried: one table.
//!
//! Says where each knob is, what to try, and how a place is read and written. Writes nothing by
//! itself: the runner does, with a journal before each write.

mod cache;
mod cpus;
mod flags;
mod form;
mod interrupts;
mod kernel;
mod knob;
mod memory;
mod network;
mod pattern;
mod place;
mod present;
mod reach;
mod reference;
mod rivals;
mod service;
mod sysctl;
mod table;
mod tasks;
mod values;
mod write;
mod writes;

pub use form::Form;
pub use knob::{Apply, At, Flag, Knob, Risk, Way};
pub use place::Place;
pub use present::{OnMachine, Present, here, in_words, present};
pub use reach::barrier;
pub use reference::disturbance;
pub use rivals::running;
pub use table::{KNOBS, find};
pub use values::Values;
pub use write::{Around, Write};

#[cfg(test)]
mod tests;
