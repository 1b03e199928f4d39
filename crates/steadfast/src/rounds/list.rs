//! The reference and the other runs, and the order in which they are executed.

use ::plan::RunSpec;

use crate::order::Order;

/// Number of other runs between two runs of the reference. The reference is compared with every
/// other run, so it deserves more runs than one of them, but not as many as all together.
pub(super) const BETWEEN: usize = 3;

/// The reference and the other runs, with the number of rounds.
pub(crate) struct Rounds {
    pub(super) reference: RunSpec,
    others: Vec<RunSpec>,
    rounds: usize,
    order: Order,
}

impl Rounds {
    /// Creates the rounds, in a random order whose seed is derived from the titles of the other
    /// runs.
    pub(crate) fn of(reference: RunSpec, others: Vec<RunSpec>, rounds: usize) -> Self {
        let titles: Vec<String> = others.iter().map(RunSpec::title).collect();
        Self {
            order: Order::drawn_from(titles.iter().map(String::as_str)),
            reference,
            others,
            rounds,
        }
    }

    /// Returns every run once, the reference first.
    pub(crate) fn specs(&self) -> Vec<RunSpec> {
        let reference = std::iter::once(&self.reference);
        reference.chain(&self.others).cloned().collect()
    }

    /// Returns all runs in the order in which they are executed: each round contains every other
    /// run once, in random order, with the reference before every few of them.
    pub(crate) fn turns(&self) -> Vec<RunSpec> {
        let places = self.order.places(self.others.len(), self.rounds);
        let rounds = places.chunks(self.others.len().max(1));
        let groups = rounds.flat_map(|round| round.chunks(BETWEEN));
        let turn = |group: &[usize]| -> Vec<RunSpec> {
            let others = group.iter().map(|place| &self.others[*place]);
            std::iter::once(&self.reference).chain(others).cloned().collect()
        };
        groups.flat_map(turn).collect()
    }
}
