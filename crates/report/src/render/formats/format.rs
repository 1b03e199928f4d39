//! What a format is.

use super::cases::Suite;

#[derive(Debug)]
pub struct Format {
    /// The flag without its dashes.
    pub flag: &'static str,
    pub help: &'static str,
    pub write: fn(&[Suite]) -> String,
}
