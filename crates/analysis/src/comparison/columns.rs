//! Systems side by side, as the papers lay them: one column a system.

use std::rc::Rc;

use plan::Outcome;

use super::contrasts::{self, Contrasts, Question, Unanswerable, Varied};
use super::differs::{Differing, differing};
use super::published::Published;
use super::sides::Side;
use crate::clock;
use crate::standards::Standards;
use crate::survey::System;
use crate::times::Times;

/// Loads that no machine of the lab can carry, and why.
pub const NOT_CARRIED: &[(&str, &str)] = &[
    ("disk", "the machine has no disk"),
    ("stress-ng", "there is no other program in it than this one"),
];

/// Systems side by side: pure functions of their runs.
pub struct Comparison<'a> {
    /// The systems, in the order of their columns.
    pub systems: Rc<[System<'a>]>,
    /// What is not the same on all of them, the important first.
    pub differences: Vec<Differing>,
    /// What they are judged by.
    pub standards: &'a Standards,
    /// What is shown apart from them and never in one ranking.
    pub apart: Option<&'a Times>,
    /// What tells each from the first, or few variants from each other.
    pub contrasts: Contrasts,
    /// What one system was taken apart by, where these are its variants.
    pub varied: Option<Varied>,
    /// Published systems that are shown beside them.
    pub published: Published,
}

impl<'a> Comparison<'a> {
    /// Lays the systems of these sides beside one another, and compares each with the
    /// first one; of one system, where the question asks for it, its variants.
    ///
    /// # Errors
    /// When the question is about a condition or parameter that no run has, or that does
    /// not vary where it makes variants.
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
        Ok(Self::beside(systems, question, varied, standards))
    }

    /// One system for each kernel of the lab, beside all that is published.
    #[must_use]
    pub fn of_kernels(systems: Vec<System<'a>>, standards: &'a Standards) -> Self {
        Self::beside(systems, &Question::default(), None, standards)
            .with_published(Published::all())
    }

    fn beside(
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

    /// With published systems beside them.
    #[must_use]
    pub fn with_published(mut self, published: Published) -> Self {
        self.published = published;
        self
    }

    /// With what may tell whose machines these are.
    #[must_use]
    pub(crate) fn identified(mut self) -> Self {
        self.differences.iter_mut().for_each(Differing::identify);
        self
    }

    /// With times that stand apart, such as those of another instruction set.
    #[must_use]
    pub fn with_apart(mut self, times: Option<&'a Times>) -> Self {
        self.apart = times;
        self
    }

    /// How many systems there are.
    #[must_use]
    pub fn systems(&self) -> usize {
        self.systems.len()
    }

    /// Whether any of them is a kernel of the lab.
    pub fn is_of_lab(&self) -> bool {
        let mut machines = self.systems.iter().map(|system| system.machine);
        machines.any(clock::counts_instructions)
    }

    /// Every run, system by system.
    pub fn outcomes(&self) -> impl Iterator<Item = &'a Outcome> {
        self.systems.iter().flat_map(|system| system.outcomes.iter().copied())
    }
}
