//! The step-time model (MPE 4.5), fitted to the tires that a machine ran:
//!
//! step time of a thread = masses it owns x (3 spring forces + one integration)
//! + its semaphore operations x lock latency
//! + its involuntary switches x switch latency,
//!
//! with a part that no step is without, and one for masses that the last cache has no
//! room for. Residuals count as shares of the step time, so that a small tire says as
//! much as a large one.

mod fit;
mod model;
mod models;
#[cfg(test)]
mod tests;
mod work;

pub use fit::{Coefficient, Fit, Prediction, Refusal, TERMS, Term};
pub use model::{Capacity, Model};
pub use models::models;
pub use work::{Run, Work};
