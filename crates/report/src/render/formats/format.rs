//! What a format is.

use super::cases::Suite;

#[derive(Debug)]
pub struct Format {
    /// The flag without its dashes.
    pub flag: &'static str,
    pub help: &'static str,
    /// What the file contains, for the manual.
    pub form: &'static str,
    /// What reads such files, for the manual.
    pub readers: &'static str,
    pub write: fn(&[Suite]) -> String,
}
