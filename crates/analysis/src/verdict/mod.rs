//! The verdict in words, by fixed rules: what the machine holds, what limits
//! it, what to change first, and how far all this reaches.

mod change;
mod frames;
mod holds;
mod limits;
mod platform;
mod reach;
mod summary;

pub use change::Change;
pub use summary::{Verdict, of};
