//! Comparison of the tire's solvers.

mod figure;
pub(crate) mod section;
mod view;

pub(crate) use view::SolversView;
