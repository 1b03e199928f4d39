//! The cost of each neighbour, by what it does and where, compared with quiet runs that alternated
//! with it.

mod cell;
mod findings;
mod matrix;
#[cfg(test)]
mod tests;

pub use cell::Cell;
pub use findings::findings;
pub use matrix::{Matrix, SHAM, system_matrices};
