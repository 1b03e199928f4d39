//! Mixes of models, each at its own rate, and the best-effort work that fits in addition.

mod best_effort;
pub(crate) mod section;
mod view;

pub use best_effort::BestEffortView;
pub(crate) use view::MixView;
