//! The cost of neighbours for a run.

mod figure;
mod section;
mod view;

pub use view::InterferenceView;
