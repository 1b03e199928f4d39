//! The newest audit of each model's file, so that later runs can refer to it.

use anyhow::Result;
use plan::{ModelAudited, RunSpec};
use serde_json::json;

use crate::newest;

const KIND: &str = "audit";

/// Keeps an audit in place of an earlier one of the same file.
pub(crate) fn keep(audited: &ModelAudited) -> Result<()> {
    newest::keep(KIND, &audited.file_sha256, &json!(audited))
}

/// The newest audit of a file of a run; `None` without one.
pub(crate) fn newest(spec: &RunSpec) -> Option<ModelAudited> {
    let mut files = spec.files.iter();
    let audited = files.find_map(|file| newest::newest(KIND, &file.sha256))?;
    // What another version wrote in other words is none.
    serde_json::from_value(audited).ok()
}
