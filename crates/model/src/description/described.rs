//! The content of an FMU's description.

use super::experiment::Experiment;
use super::interface::{Interface, Kind};
use super::structure::{State, Structure};
use super::variable::{Dimension, Variable};
use super::version::FmiVersion;

/// The content of an FMU's description. Places of variables are indices into
/// [`Description::variables`].
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Version of FMI, which determines the functions of its binaries.
    pub version: FmiVersion,
    pub name: String,
    /// The author's description; empty if there is none.
    pub description: String,
    /// The program that generated it; empty if unknown.
    pub tool: String,
    /// The token that the model checks when it is instantiated: FMI 2's `guid`, FMI 3's
    /// `instantiationToken`.
    pub token: String,
    /// The kinds in which it can be run; at least one.
    pub interfaces: Vec<Interface>,
    /// The experiment that its author proposes.
    pub experiment: Experiment,
    /// Variables in the order of the file; no name occurs twice.
    pub variables: Vec<Variable>,
    pub structure: Structure,
    /// Names of the categories of its log.
    pub log_categories: Vec<String>,
}

impl Description {
    /// Returns the interface of a kind, if the model offers it.
    pub fn interface(&self, kind: Kind) -> Option<&Interface> {
        self.interfaces.iter().find(|one| one.kind == kind)
    }

    /// Returns the place of the variable that has this name or alias.
    pub fn place(&self, name: &str) -> Option<usize> {
        let is_named = |variable: &Variable| {
            variable.name == name || variable.aliases.iter().any(|alias| alias == name)
        };
        self.variables.iter().position(is_named)
    }

    /// Returns how many values a variable has if structural parameters have their start values from
    /// the file: 1 for a scalar, the product of the dimensions for an array.
    pub fn elements(&self, variable: &Variable) -> u64 {
        let lengths = variable.dimensions.iter().map(|dimension| match dimension {
            Dimension::Fixed(length) => *length,
            Dimension::Of(place) => self.variables[*place].first_start().unwrap_or(0),
        });
        lengths.fold(1, u64::saturating_mul)
    }

    /// Returns the number of continuous states of the model; each element of an array counts.
    pub fn states(&self) -> u64 {
        let elements = |state: &State| self.elements(&self.variables[state.derivative]);
        let counts = self.structure.states.iter().map(elements);
        counts.fold(0, u64::saturating_add)
    }
}
