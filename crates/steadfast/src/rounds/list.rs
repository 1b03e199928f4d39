//! The reference and the others, and the order in which they are made.

use ::plan::RunSpec;

use crate::order::Order;

/// Others between two runs of the reference: it is compared with each of many, and so is worth more
/// runs than one of them, but not as many as all.
pub(super) const BETWEEN: usize = 3;

/// The reference and the others, each so often.
pub(crate) struct Rounds {
    pub(super) reference: RunSpec,
    others: Vec<RunSpec>,
    rounds: usize,
    order: Order,
}

impl Rounds {
    /// So many rounds, in an order that the others' titles draw.
    pub(crate) fn of(reference: RunSpec, others: Vec<RunSpec>, rounds: usize) -> Self {
        let titles: Vec<String> = others.iter().map(RunSpec::title).collect();
        Self {
            order: Order::drawn_from(titles.iter().map(String::as_str)),
            reference,
            others,
            rounds,
        }
    }

    /// Every run once, the reference first.
    pub(crate) fn specs(&self) -> Vec<RunSpec> {
        let reference = std::iter::once(&self.reference);
        reference.chain(&self.others).cloned().collect()
    }

    /// All runs in the order in which they are made: in each round every other once, in an order
    /// drawn from their titles, and the reference before every few of them.
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
