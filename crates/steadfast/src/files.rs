//! Files that a person finds afterwards.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use plan::Outcome;
use report::Standards;

/// Makes a directory, where there is none yet.
pub(crate) fn make_directory(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| {
        format!(
            "the directory {} cannot be made; name another with --out",
            path.display()
        )
    })
}

/// Writes report.html and report.json.
pub(crate) fn write_reports(
    directory: &Path,
    outcomes: &[Outcome],
    standards: &Standards,
) -> Result<()> {
    let json = serde_json::to_string_pretty(&report::json(outcomes, standards))?;
    replace(&directory.join("report.json"), &json)?;
    replace(
        &directory.join("report.html"),
        &report::html(outcomes, standards),
    )
}

/// Puts a whole file in place at once: a reader sees the old one or the new one.
fn replace(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let readable = Permissions::from_mode(0o644);
    let new = tempfile::Builder::new()
        .permissions(readable)
        .tempfile_in(directory);
    let written = new.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    });
    written.with_context(|| {
        format!(
            "{} cannot be written; free space or name another place with --out",
            path.display()
        )
    })
}
