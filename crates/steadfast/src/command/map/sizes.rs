//! The sizes that a map may have, and the distance between neighbours.

/// Factor from one size of the coarse grid to the next.
pub(super) const COARSE: u64 = 2;
/// The largest distance between neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Spacing {
    /// A share of the larger size.
    Share(f64),
    /// A number of units.
    Step(u64),
}

/// The sizes that a map may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sizes {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) spacing: Spacing,
    /// Sizes are multiples of this.
    pub(super) grain: u64,
}

impl Sizes {
    /// Returns the sizes of a full grid.
    pub(super) fn all(self) -> impl Iterator<Item = u64> {
        let next = move |size: &u64| {
            let next = match self.spacing {
                Spacing::Share(share) => (*size as f64 * (1.0 + share)) as u64,
                Spacing::Step(step) => size + step,
            };
            let next = next / self.grain * self.grain;
            Some(next.max(size + self.grain)).filter(|next| *next <= self.to)
        };
        std::iter::successors(Some(self.from), next)
    }

    /// Returns sizes that double, and the last size if it is within reach.
    pub(super) fn coarse(self, reach: u64) -> impl Iterator<Item = u64> {
        let next = move |size: &u64| {
            let next = (size * COARSE).min(self.to);
            (*size < next && next <= reach).then_some(next)
        };
        std::iter::successors(Some(self.from), next)
    }

    /// Returns whether neighbours are near enough.
    pub(super) fn is_fine(self, [low, high]: [u64; 2]) -> bool {
        let gap = high - low;
        gap <= self.grain
            || match self.spacing {
                Spacing::Share(share) => gap as f64 <= share * high as f64,
                Spacing::Step(step) => gap <= step,
            }
    }

    /// Returns the size between neighbours that are not near enough.
    pub(super) fn middle(self, [low, high]: [u64; 2]) -> Option<u64> {
        (!self.is_fine([low, high])).then(|| u64::midpoint(low, high) / self.grain * self.grain)
    }

    /// Returns how often the gap between neighbours has to be halved.
    pub(super) fn halvings(self, [low, high]: [u64; 2]) -> usize {
        let halved = |edge: &[u64; 2]| Some([self.middle(*edge)?, high]);
        std::iter::successors(halved(&[low, high]), halved).count()
    }
}
