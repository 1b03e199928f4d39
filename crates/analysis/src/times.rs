//! Times that no run of this program took, as a table of their own.

use serde_json::Value;
use stats::Distribution;

/// Times of something that is no system like the others.
#[derive(Debug, Clone)]
pub struct Times {
    /// Whose times they are.
    pub title: String,
    /// A name for each test, with its times.
    pub rows: Vec<(String, Distribution)>,
    /// What must be known of them: headings with their sentences.
    pub words: Vec<(String, Vec<String>)>,
    /// All of it for programs.
    pub json: Value,
}
