//! Figures of searches.

mod held;
mod missed;
mod share_missed;

pub(crate) use held::{HeldSize, HeldSizes, held_sizes};
pub(super) use missed::missed_deadlines;
pub(super) use share_missed::{Probes, share_missed};
