//! Settings of a machine and of the program that may be tried, in one table.
//!
//! The table defines the places of each knob, the values to try, and how a place is read and
//! written. This crate writes nothing by itself: the runner does, with a journal before each write.

mod cache;
mod cpus;
mod flags;
mod form;
mod interrupts;
mod kernel;
mod knob;
#[cfg(test)]
mod made_up;
mod memory;
mod network;
mod pattern;
mod place;
mod present;
mod reach;
mod recorded;
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
pub use recorded::recorded;
pub use reference::disturbance;
pub use rivals::{RIVALS, Rivals};
pub use table::{KNOBS, find};
pub use values::Values;
pub use write::{Around, Write};

#[cfg(test)]
mod tests;
