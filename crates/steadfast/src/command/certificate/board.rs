//! `steadfast board`: puts certificates in order, test by test.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::Analysis;
use analysis::certificate::{Board, Entrant};
use analysis::standards::DEFAULT_STANDARDS;
use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::verify::Checked;
use crate::options::WordsArgs;
use crate::startup::exit::success_if;

#[derive(Debug, Args)]
pub(crate) struct BoardArgs {
    /// Directories that `steadfast certificate` wrote
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    #[command(flatten)]
    words: WordsArgs,
}

pub(crate) fn board(args: &BoardArgs) -> Result<ExitCode> {
    let checked = args.dirs.iter().map(|dir| Checked::of(dir, None));
    let checked = checked.collect::<Result<Vec<Checked>>>()?;
    let analyses: Vec<Analysis> = checked
        .iter()
        .map(|certificate| Analysis::of(certificate.outcomes(), &DEFAULT_STANDARDS))
        .collect();
    let mut entrants = Vec::new();
    for ((checked, analysis), name) in checked.iter().zip(&analyses).zip(names(&args.dirs)) {
        let is_recomputed = checked.without_samples().is_empty();
        let problem = checked.problem.clone();
        entrants.push(Entrant { name, analysis, is_recomputed, problem });
    }
    let board = Board::of(&entrants);
    let (answer, details) = report::board(&board, entrants.len());
    let mut document = json!(board);
    document["answer"] = json!(answer);
    let details = || details.trim_start().to_owned();
    args.words.print(|| document, details, || answer, "add --verbose for all tests")?;
    Ok(success_if(checked.iter().all(|certificate| certificate.problem.is_none())))
}

/// Names certificates by their directories, or by their paths if two directories have one name.
fn names(dirs: &[PathBuf]) -> Vec<String> {
    let last = |dir: &Path| dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let short: Option<Vec<String>> = dirs.iter().map(|dir| last(dir)).collect();
    let are_apart = |names: &Vec<String>| analysis::survey::distinct(names) == names.len();
    let paths = || dirs.iter().map(|dir| dir.display().to_string()).collect();
    short.filter(are_apart).unwrap_or_else(paths)
}
