//! Background loads: one file each, all in one table.
//!
//! A load works in processes of its own, which count what they do in memory
//! shared with the run, and which end with the run however it ends.

mod cpu;
mod none;
mod process;

pub use process::{Running, serve, start};

/// A kind of background work.
pub trait Load: Sync {
    /// Its name on the command line and in results.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn summary(&self) -> &'static str;

    /// What one unit of its work is.
    fn unit(&self) -> &'static str;

    /// Whether it works at all: with one process on each CPU.
    fn works(&self) -> bool {
        true
    }

    /// Does one unit of work, of about a millisecond.
    fn work(&self);
}

/// The table of loads, in the order in which they are listed.
pub static LOADS: &[&dyn Load] = &[&none::None, &cpu::Cpu];

/// The load of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Load> {
    LOADS.iter().copied().find(|load| load.name() == name)
}
