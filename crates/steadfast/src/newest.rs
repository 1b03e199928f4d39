//! The newest finding of each kind, kept in the user's data folder for later runs to refer to.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use rt::folder;
use serde_json::Value;

use crate::files;

/// Keeps a finding of a kind, about whatever the key names, in place of an earlier one.
pub(crate) fn keep(kind: &str, key: &str, found: &Value) -> Result<()> {
    let path = place(kind, key)
        .with_context(|| format!("no folder to keep the {kind} in; set HOME or XDG_DATA_HOME"))?;
    let kept = fs::create_dir_all(path.parent().unwrap_or(&path))
        .and_then(|()| files::replace(&path, &format!("{found:#}")));
    kept.with_context(|| {
        format!("cannot keep the {kind} in {}; free space, or set XDG_DATA_HOME", path.display())
    })
}

/// Returns the newest finding, if there is one.
pub(crate) fn newest(kind: &str, key: &str) -> Option<Value> {
    let text = fs::read_to_string(place(kind, key)?).ok()?;
    serde_json::from_str(&text).ok()
}

fn place(kind: &str, key: &str) -> Option<PathBuf> {
    let data = folder::data(|name| env::var_os(name))?;
    Some(data.join(kind).join(format!("{key}.json")))
}
