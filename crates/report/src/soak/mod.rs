//! The page of a soak, and its metrics.

mod figure;
mod metrics;
mod page;

pub use metrics::metrics;
pub use page::{SOAK_STYLE, soak_page};
