//! The description of an FMU, `modelDescription.xml` (FMI 2.0 and 3.0). Reading is lenient about
//! what does not matter for running the model, and refuses the rest in one line.

mod attributes;
mod clock;
mod described;
mod experiment;
mod interface;
mod read;
mod structure;
mod targets;
#[cfg(test)]
mod tests;
mod variable;
mod version;
mod xml;

pub use clock::{Clock, Interval};
pub use described::Description;
pub use experiment::Experiment;
pub use interface::{Interface, Kind};
pub use structure::{State, Structure};
pub use variable::{Causality, Dimension, Type, Variability, Variable};
pub use version::FmiVersion;
