//! Comparison of systems: a section for each part of the papers' comparisons.

mod apart;
mod capacity;
mod columns;
mod contrasts;
mod drawn;
mod draws;
mod loads;
mod merit;
mod order;
mod parts;
mod published;
mod services;
mod setups;
mod tire;
mod view;
mod wakeups;

pub(crate) use apart::shown as apart;
pub(crate) use columns::breakable;
pub(crate) use contrasts::{differences, figures, shown as contrasts};
pub(crate) use drawn::foremost;
pub(crate) use parts::{answer, breakable_names, parts};
pub(crate) use published::published;
pub(crate) use view::{ComparisonView, in_full};
