//! A side of a comparison: a name and its runs, or several systems in one store.

use plan::Outcome;

use crate::survey::{System, systems};

/// A system with its runs: a kernel of the lab, a machine, or a store.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// The column's name.
    pub name: String,
    pub outcomes: Vec<&'a Outcome>,
}

impl<'a> Side<'a> {
    /// Splits it into systems in the order of their first run: one per machine, kernel and
    /// settings. If there are several, their names say how they differ.
    pub(super) fn systems(self) -> Vec<System<'a>> {
        let mut systems = systems(self.outcomes);
        let are_several = systems.len() > 1;
        for system in &mut systems {
            system.name = match are_several {
                true => format!("{}: {}", self.name, system.name),
                false => self.name.clone(),
            };
        }
        systems
    }
}
