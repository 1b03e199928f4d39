//! Gates: whether B is worse than A by more than a margin.

mod figure;
mod report;
mod section;
mod view;

pub use report::ExactGate;
pub use view::{GateView, exact_gate};
