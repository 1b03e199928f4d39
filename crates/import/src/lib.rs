//! Reads the files of other measuring tools.
//!
//! Pure functions from bytes to a run: each tool has a file in `formats`, and all are in one table. Every number of a
//! file is kept as it is stated. What the file does not state stays unknown.

mod command;
mod content;
mod contradiction;
mod flaw;
mod format;
mod formats;
mod histogram;
mod json;
mod number;
mod outcome;
mod results;
mod rows;
mod rt_tests;
mod runs;
mod stated;
mod text;

pub use content::Unit;
pub use flaw::Flaw;
pub use format::Format;
pub use formats::FORMATS;
pub use outcome::{Origin, outcome, read};
pub use stated::{Stated, Trap};
