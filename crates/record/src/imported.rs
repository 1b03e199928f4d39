//! Where a run comes from whose rows are those of another tool's file.

use serde::{Deserialize, Serialize};

/// A file of another tool, whose figures are the rows of a run. What the file does not state is unknown: the
/// requested and found conditions of such a run are placeholders, which nothing reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// Name of the tool, such as cyclictest.
    pub tool: String,
    /// Version of the tool, as the file states it; null if it does not.
    pub tool_version: Option<String>,
    /// Name of the file, without its folder.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Conditions that the file does not state, such as load.
    pub not_stated: Vec<String>,
}

impl Imported {
    /// Returns the tool, with its version if the file states it: `cyclictest 2.60`.
    pub fn tool_in_words(&self) -> String {
        match &self.tool_version {
            Some(version) => format!("{} {version}", self.tool),
            None => self.tool.clone(),
        }
    }
}
