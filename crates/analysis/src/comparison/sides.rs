//! What is laid beside what: a name and its runs, or several systems in one store.

use plan::Outcome;

use crate::survey::{System, systems};

/// A system with the runs that were made on it: a kernel of the lab, a machine, a store.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// What its column is called.
    pub name: String,
    /// Its runs.
    pub outcomes: Vec<&'a Outcome>,
}

impl<'a> Side<'a> {
    /// Its systems, in the order of their first run: one for each machine, as one kernel
    /// and one set of settings make it. Several bear what tells them apart in their names.
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
