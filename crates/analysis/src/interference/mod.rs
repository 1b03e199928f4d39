//! Which neighbour costs how much: what others do, by where they do it, each against quiet runs
//! that were made in turns with it.

mod cell;
mod glance;
mod matrix;
#[cfg(test)]
mod tests;
mod words;

pub use cell::Cell;
pub(crate) use glance::alone;
pub use glance::glance;
pub use matrix::{Matrix, SHAM, of};
pub use words::sentences;
