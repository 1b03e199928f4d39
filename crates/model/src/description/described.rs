//! What an FMU says of itself, once it is read.

use super::experiment::Experiment;
use super::interface::{Interface, Kind};
use super::structure::{State, Structure};
use super::variable::{Dimension, Variable};
use super::version::FmiVersion;

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
