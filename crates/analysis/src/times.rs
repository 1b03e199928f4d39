//! Times that were not measured by Steadfast, as a separate table.

use serde_json::Value;
use stats::Distribution;

#[derive(Debug, Clone)]
pub struct Times {
    pub title: String,
    /// A name for each test, with its times.
    pub rows: Vec<(String, Distribution)>,
    pub words: Vec<(String, Vec<String>)>,
    pub json: Value,
}
