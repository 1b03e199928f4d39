//! Code that the tests of several crates share.

#![allow(clippy::missing_panics_doc, reason = "a set-up that panics fails its test")]

mod alone;
pub mod archive;
mod corpus;
pub mod experiment;
pub mod gates;
mod kernel;
pub mod manual;
pub mod mixes;
pub mod models;
pub mod neighbours;
mod odd;
pub mod outcomes;
mod refused;
mod refusing;
mod script;
mod skipped;
pub mod trials;
mod tries;

pub use alone::{boot_alone, measure_alone, measure_beside_others};
pub use corpus::try_corpus;
pub use kernel::{arm_image, boot_image, deb, kernel_module, tar};
pub use odd::{Odd, try_odd};
pub use refused::refuses;
pub use refusing::{Refused, refusing};
pub use script::write_script;
pub use skipped::{REAL_TIME, needs, skip, skipped};
pub use tries::within_tries;
