//! Systems side by side, as in the papers: one column per system.

use std::rc::Rc;

use record::Outcome;

use super::contrasts::{self, Contrasts, Question, Unanswerable, Varied};
use super::differs::{Differing, differing};
use super::published::Published;
use crate::clock;
use crate::standards::Standards;
use crate::survey::{System, systems};
use crate::times::Times;

/// Loads that machines of the lab cannot run, and why.
pub const NOT_CARRIED: &[(&str, &str)] =
    &[("disk", "it has no disk"), ("stress-ng", "no other program")];

/// A system with its runs: a kernel of the lab, a machine, or a store.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    pub name: String,
    pub outcomes: Vec<&'a Outcome>,
}

impl<'a> Side<'a> {
    /// Splits it into systems in the order of their first run: one per machine, kernel and
    /// settings. If there are several, their names say how they differ.
    fn systems(self) -> Vec<System<'a>> {
        let mut systems = systems(self.outcomes);
        let are_several = systems.len() > 1;
        for system in &mut systems {
            let suffix = if are_several { format!(": {}", system.name) } else { String::new() };
            system.name = self.name.clone() + &suffix;
        }
        systems
    }
}

pub struct Comparison<'a> {
    pub systems: Rc<[System<'a>]>,
    /// Facts that differ between systems, the important first.
    pub differences: Vec<Differing>,
    pub standards: &'a Standards,
    /// Times that are shown but never ranked with them, such as those of another instruction set.
    pub apart: Option<&'a Times>,
    pub contrasts: Contrasts,
    pub varied: Option<Varied>,
    pub published: Published,
}

impl<'a> Comparison<'a> {
    /// Compares each system of these sides with the first one, or the variants of a single system
    /// if the question requests it.
    ///
    /// # Errors
    /// Fails if the question is about a condition or parameter that no run has, or that does not
    /// vary although it should define variants.
    pub fn of(
        sides: Vec<Side<'a>>,
        question: &Question,
        standards: &'a Standards,
    ) -> Result<Self, Unanswerable> {
        let mut systems: Vec<System> = sides.into_iter().flat_map(Side::systems).collect();
        question.check(&systems)?;
        let mut varied = None;
        if let ([system], true) = (systems.as_slice(), question.within)
            && let Some((by, variants)) = contrasts::taken_apart(system, &question.across)?
        {
            (varied, systems) = (Some(by), variants);
        }
        Ok(Self::side_by_side(systems, question, varied, standards))
    }

    /// Compares the kernels of the lab with each other and with everything published.
    pub fn of_kernels(systems: Vec<System<'a>>, standards: &'a Standards) -> Self {
        let kernels = Self::side_by_side(systems, &Question::default(), None, standards);
        Self { published: Published::all(), ..kernels }
    }

    fn side_by_side(
        systems: Vec<System<'a>>,
        question: &Question,
        varied: Option<Varied>,
        standards: &'a Standards,
    ) -> Self {
        Self {
            contrasts: Contrasts::of(&systems, question, varied.as_ref()),
            differences: differing(&systems),
            systems: systems.into(),
            standards,
            apart: None,
            varied,
            published: Published::default(),
        }
    }

    pub(crate) fn identified(mut self) -> Self {
        self.differences.iter_mut().for_each(Differing::identify);
        self
    }

    pub fn systems(&self) -> usize {
        self.systems.len()
    }

    pub fn is_of_lab(&self) -> bool {
        let mut machines = self.systems.iter().map(|system| system.machine);
        machines.any(clock::counts_instructions)
    }

    /// Whether times of all systems can be compared.
    pub fn has_one_clock(&self) -> bool {
        clock::differ(&self.systems).is_none()
    }

    pub fn outcomes(&self) -> impl Iterator<Item = &'a Outcome> {
        self.systems.iter().flat_map(|system| system.outcomes.iter().copied())
    }
}
