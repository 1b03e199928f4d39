//! `steadfast compare`.

pub(crate) mod args;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::comparison::{Comparison, Published, Question, Side, worse};
use analysis::standards::Standards;
use analysis::{Analysis, json};
use anyhow::{Result, bail};
use plan::Outcome;
use store::Store;

use self::args::{CompareArgs, Failing};
use crate::driver::tell_broken;
use crate::exit::EXIT_FAILED;
use crate::files::{make_directory, write_interactive, write_report};
use crate::output::{print, print_answer, print_with};

/// Lays stores side by side, or what varies in one, and says what tells them apart.
pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let stores = named(&args.stores)?;
    let runs = read(&stores)?;
    let sides = stores
        .iter()
        .zip(&runs)
        .map(|(store, runs)| Side { name: store.name.clone(), outcomes: runs.iter().collect() });
    let published = Published::together(args.published.clone());
    let is_alone = published.is_empty();
    let question = Question {
        across: args.across.clone(),
        margin: args.margin,
        within: is_alone || !args.across.is_empty(),
        ..Question::default()
    };
    let standards = Standards::default();
    let comparison = Comparison::of(sides.collect(), &question, &standards)?;
    let comparison = comparison.with_published(published);
    if comparison.systems() < 2 && is_alone {
        bail!(
            "there is one system in `{}`, no two of its runs differ in one condition or parameter \
             alone, and there is nothing to compare it with; name another store, or several that \
             differ together with --across, or --published",
            stores[0].path.display()
        );
    }
    let analysis = Analysis::comparing(comparison).headed(args.words.heading());
    let analysis = args.identify.applied(analysis);
    let json = |out: &mut dyn Write| json::write(&analysis.comparison, out);
    if let Some(directory) = &args.out {
        make_directory(directory)?;
        write_report(directory, &json, &analysis)?;
        if args.interactive {
            write_interactive(directory, &analysis)?;
        }
    }
    if args.json {
        print_with(&json)?;
    } else if args.csv {
        print(&report::comparison_csv(&analysis))?;
    } else if args.verbose {
        print(report::terminal(&analysis).trim_start())?;
    } else {
        print_answer(
            &analysis.answer.clone().headed(&analysis.heading),
            "the same with --verbose, or --out DIR for the page",
        )?;
    }
    Ok(judged(args.fail_if, &analysis))
}

/// Failure where a row is what fails it; which ones is said last.
fn judged(fail_if: Option<Failing>, analysis: &Analysis) -> ExitCode {
    let comparison = analysis.comparison.as_ref();
    let worse = match (fail_if, comparison) {
        (Some(Failing::Worse), Some(comparison)) => worse(&comparison.contrasts),
        _ => Vec::new(),
    };
    let told = worse.iter();
    tell_broken(told.map(|sentence| format!("failed: worse, {sentence}")));
    match worse.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(EXIT_FAILED),
    }
}

/// A store and what its column is called.
struct Named {
    name: String,
    path: PathBuf,
}

/// Stores with distinct names: those that were told, else those of the files, else of
/// their directories, else the whole paths.
fn named(typed: &[PathBuf]) -> Result<Vec<Named>> {
    let told: Vec<(Option<String>, PathBuf)> = typed.iter().map(|typed| told(typed)).collect();
    let is_only = |name: &dyn Fn(&Path) -> String, path: &Path| {
        told.iter().filter(|(_, other)| name(other) == name(path)).count() == 1
    };
    let mut stores: Vec<Named> = Vec::new();
    for (name, path) in &told {
        let name = match name {
            Some(name) => name.clone(),
            None if is_only(&stem, path) => stem(path),
            None if is_only(&directory, path) => directory(path),
            None => path.display().to_string(),
        };
        if stores.iter().any(|known| known.name == name) {
            bail!("two systems are called `{name}`; name two files, as NAME=FILE if need be");
        }
        stores.push(Named { name, path: path.clone() });
    }
    Ok(stores)
}

/// The name and the file of `NAME=FILE`; a file that is called so has no name told.
fn told(typed: &Path) -> (Option<String>, PathBuf) {
    let parts = typed.to_str().and_then(|text| text.split_once('='));
    match parts {
        Some((name, path)) if !name.is_empty() && !typed.exists() => {
            (Some(name.to_owned()), PathBuf::from(path))
        }
        _ => (None, typed.to_owned()),
    }
}

/// The file's name without what it ends with.
fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// The name of the file's directory.
fn directory(path: &Path) -> String {
    let directory = path.parent().and_then(Path::file_name);
    directory.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The finished runs of each store.
fn read(stores: &[Named]) -> Result<Vec<Vec<Outcome>>> {
    let mut all = Vec::new();
    let mut seen: BTreeMap<String, &Path> = BTreeMap::new();
    for Named { path, .. } in stores {
        let runs = Store::open_existing(path)?.all_outcomes()?;
        if runs.is_empty() {
            bail!("there is no finished run in `{}`; `steadfast quick` makes some", path.display());
        }
        for run in &runs {
            if let Some(other) = seen.insert(run.header.run_id.clone(), path) {
                bail!(
                    "`{}` and `{}` hold the same run {}; name stores that have no run in common",
                    other.display(),
                    path.display(),
                    run.header.run_id
                );
            }
        }
        all.push(runs);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &[&str]) -> Result<Vec<String>> {
        let paths: Vec<PathBuf> = typed.iter().map(PathBuf::from).collect();
        Ok(named(&paths)?.into_iter().map(|store| store.name).collect())
    }

    #[test]
    fn files_are_called_by_what_tells_them_apart() {
        assert_eq!(names(&["a/one.db", "b/two.db"]).unwrap(), ["one", "two"]);
        let alike = names(&["a/results.db", "b/results.db", "c.db"]).unwrap();
        assert_eq!(alike, ["a", "b", "c"]);
        let deep = names(&["x/a/r.db", "y/a/r.db"]).unwrap();
        assert_eq!(deep, ["x/a/r.db", "y/a/r.db"]);
        let told = names(&["rt=a/results.db", "stock=b/results.db"]).unwrap();
        assert_eq!(told, ["rt", "stock"]);
        for twice in [["a.db", "a.db"], ["x=a.db", "x=b.db"]] {
            let error = names(&twice).unwrap_err().to_string();
            assert!(error.contains("NAME=FILE"), "{error}");
        }
    }
}
