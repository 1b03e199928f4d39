//! What an FMU says of itself, `modelDescription.xml` (FMI 2.0 and 3.0). Read leniently where
//! it does not matter for running the model, and refused in one line where it does.

mod clock;
mod experiment;
mod interface;
mod read;
mod structure;
mod targets;
#[cfg(test)]
mod tests;
mod variable;
mod xml;

pub use clock::{Clock, Interval};
pub use experiment::Experiment;
pub use interface::{Interface, Kind};
pub use structure::{State, Structure};
pub use variable::{Causality, Dimension, Type, Variability, Variable};

use serde::Serialize;

use crate::Refused;

/// The version of the interface that a model was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum FmiVersion {
    /// FMI 2.0, with its corrections.
    #[serde(rename = "2.0")]
    V2,
    /// FMI 3.0, with its corrections.
    #[serde(rename = "3.0")]
    V3,
}

impl FmiVersion {
    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V2 => "FMI 2.0",
            Self::V3 => "FMI 3.0",
        }
    }
}

/// What an FMU says of itself. Places of variables are indices into [`Description::variables`].
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Which functions its binaries have.
    pub version: FmiVersion,
    /// The model's name.
    pub name: String,
    /// What the author tells of it; empty where nothing is told.
    pub description: String,
    /// The program that made it; empty where it is not told.
    pub tool: String,
    /// What the model is asked to recognise when it is made: FMI 2's `guid`, FMI 3's
    /// `instantiationToken`.
    pub token: String,
    /// The kinds in which it can be run, one at least.
    pub interfaces: Vec<Interface>,
    /// What its author has run it with.
    pub experiment: Experiment,
    /// In the order of the file; no name twice.
    pub variables: Vec<Variable>,
    /// Outputs, states and event indicators.
    pub structure: Structure,
    /// Names of the categories that its log can be asked for.
    pub log_categories: Vec<String>,
}

impl Description {
    /// Reads the text of a `modelDescription.xml`.
    ///
    /// # Errors
    /// One line where it is no XML, is of FMI 1 or of no known version, offers no interface, or
    /// has variables without name, type or value reference, names twice, or references to what
    /// it does not have.
    pub fn read(text: &[u8]) -> Result<Self, Refused> {
        read::description(text)
    }

    /// The interface of a kind, where the model offers it.
    #[must_use]
    pub fn interface(&self, kind: Kind) -> Option<&Interface> {
        self.interfaces.iter().find(|one| one.kind == kind)
    }

    /// The place of the variable of a name or of one of its aliases.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<usize> {
        let is_named = |variable: &Variable| {
            variable.name == name || variable.aliases.iter().any(|alias| alias == name)
        };
        self.variables.iter().position(is_named)
    }

    /// How many values a variable has where structural parameters are as the file starts
    /// them: 1 for a scalar, the product of the dimensions of an array.
    #[must_use]
    pub fn elements(&self, variable: &Variable) -> u64 {
        let lengths = variable.dimensions.iter().map(|dimension| match dimension {
            Dimension::Fixed(length) => *length,
            Dimension::Of(place) => self.variables[*place].first_start().unwrap_or(0),
        });
        lengths.fold(1, u64::saturating_mul)
    }

    /// How many continuous states the model has, elements of arrays counted one by one.
    #[must_use]
    pub fn states(&self) -> u64 {
        let elements = |state: &State| self.elements(&self.variables[state.derivative]);
        let counts = self.structure.states.iter().map(elements);
        counts.fold(0, u64::saturating_add)
    }
}
