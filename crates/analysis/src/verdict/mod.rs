//! What machines hold, what limits them, what to change first, and the validity of these results.

mod frames;
mod holds;
mod limits;
mod platform;
mod reach;
mod summary;

pub use limits::{Change, How};
pub use summary::{Verdict, of};
