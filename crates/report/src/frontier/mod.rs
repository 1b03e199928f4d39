//! Searches for the sizes of a model that hold: the frontier, and the map of all sizes.

mod figure;
mod map_section;
mod map_view;
mod section;
mod view;

pub(crate) use figure::{HeldSize, HeldSizes, held_sizes};
pub(crate) use map_section::figures as map_figures;
pub use map_view::MapView;
pub use view::FrontierView;
