//! The newest audit of each model's file, so that later runs can refer to it.

use anyhow::Result;
use plan::{ModelAudited, RunSpec};
use serde_json::json;

use crate::newest;

const KIND: &str = "audit";

/// Keeps an audit, in place of an earlier one of the same file.
pub(crate) fn keep(audited: &ModelAudited) -> Result<()> {
    newest::keep(KIND, &audited.file_sha256, &json!(audited))
}

/// Returns the newest audit of a file of the run, if there is one.
pub(crate) fn newest(spec: &RunSpec) -> Option<ModelAudited> {
    let mut files = spec.files.iter();
    let audited = files.find_map(|file| newest::newest(KIND, &file.sha256))?;
    // An audit in another version's format counts as none.
    serde_json::from_value(audited).ok()
}
