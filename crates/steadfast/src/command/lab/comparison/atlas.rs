//! `steadfast lab compare --atlas`: the atlas of the manual, measured again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::atlas::{Atlas, changes_since};
use analysis::comparison::Comparison;
use analysis::survey;
use anyhow::{Result, anyhow, bail};
use lab::{ATLAS, Architecture, LabError};
use place::Vm;

use crate::session::results_dir::{KeptArgs, runs_of};
use crate::startup::files::{make_directory, put};
use crate::startup::output::print;

/// What is said if a kernel of the atlas is missing.
pub(super) const FETCH: &str = "get the atlas's kernels with `steadfast lab fetch --atlas`";
/// The most changes that the terminal lists.
const MOST_LISTED: usize = 20;

/// Returns the systems of the atlas for an architecture.
pub(super) fn systems(architecture: &Architecture) -> Result<Vec<Vm>> {
    let names: Vec<String> = ATLAS.iter().map(|series| series.kernel_name(architecture)).collect();
    super::systems(&names, None).map_err(|error| match error.downcast_ref::<LabError>() {
        Some(LabError::Unknown { name, .. }) => anyhow!("the lab has no kernel `{name}`; {FETCH}"),
        _ => error,
    })
}

/// Writes the atlas of the runs in these stores, without measuring.
pub(super) fn write_of_stores(stores: &[PathBuf], kept: &KeptArgs) -> Result<ExitCode> {
    let outcomes = runs_of(stores)?;
    let standards = kept.answer.standards();
    let comparison = Comparison::of_kernels(survey::systems(&outcomes), &standards);
    make_directory(&kept.out)?;
    let Some(written) = write(&kept.out, &comparison)? else {
        bail!("no run of a kernel of the atlas; {FETCH}");
    };
    print(&written)?;
    Ok(ExitCode::SUCCESS)
}

/// What is said instead of the atlas if machines are left.
pub(super) const NOT_YET: &str =
    "Atlas:   not written: some machines are not done; the same command continues\n";

/// Writes the atlas into a directory, and returns where it is and what changed since the one that the program was built
/// with; `None` without a run of its kernels.
pub(super) fn write(out: &Path, comparison: &Comparison) -> Result<Option<String>> {
    let Some(atlas) = Atlas::of(comparison) else {
        return Ok(None);
    };
    put(&out.join("kernels.json"), &serde_json::to_string(&atlas)?, "--out")?;
    put(&out.join("kernels.md"), report::atlas_manual(&atlas), "--out")?;
    let page = out.join("kernels.html");
    put(&page, report::atlas_page(&atlas), "--out")?;
    let committed = Atlas::committed();
    let changes = changes_since(&committed, &atlas);
    let listed = report::atlas_changes(&changes, MOST_LISTED);
    Ok(Some(format!("Atlas:   {}\n{listed}", page.display())))
}
