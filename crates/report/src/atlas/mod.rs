//! The atlas of kernels: a page of the manual, and a picture.

mod cells;
mod changes;
mod manual;
mod picture;

pub use changes::listed;
pub use manual::manual;
pub use picture::page;
