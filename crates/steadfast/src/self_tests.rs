//! The newest self-test of each machine, in the user's data folder, so that later runs
//! can refer to it.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use plan::{Machine, SelfTest, SelfTested};
use rt::folder;

use crate::files;

/// Keeps a self-test in place of the machine's earlier one.
pub(crate) fn keep(test: &SelfTest) -> Result<()> {
    let path = place(&test.machine_id)
        .context("there is no folder to keep the self-test in: set HOME or XDG_DATA_HOME")?;
    let kept = fs::create_dir_all(path.parent().unwrap_or(&path))
        .and_then(|()| files::replace(&path, &serde_json::to_string_pretty(test)?));
    kept.with_context(|| {
        format!(
            "the self-test cannot be kept in {}; free space or set XDG_DATA_HOME",
            path.display()
        )
    })
}

/// What the newest self-test of a machine said; `None` without one.
pub(crate) fn newest(machine: &Machine) -> Option<SelfTested> {
    let text = fs::read_to_string(place(&machine.id())?).ok()?;
    // What another version wrote in other words is none.
    let test: SelfTest = serde_json::from_str(&text).ok()?;
    Some(test.told())
}

fn place(machine_id: &str) -> Option<PathBuf> {
    let data = folder::data(|name| env::var_os(name))?;
    Some(data.join("self-test").join(format!("{machine_id}.json")))
}
