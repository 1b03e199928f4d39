//! `steadfast compare`: compares stores, or what varies in one store.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::comparison::{Comparison, Margin, Published, Question, Side, worse};
use analysis::standards::DEFAULT_STANDARDS;
use analysis::{Analysis, json};
use anyhow::{Result, bail};
use base::quoted_file;
use clap::{Args, ValueEnum};
use record::Outcome;
use store::Store;

use crate::options::{IdentifyArgs, SessionArgs};
use crate::session::driver::tell_broken;
use crate::startup::exit::success_if;
use crate::startup::files::{make_directory, report_line, write_report};
use crate::startup::output::{print, print_answer, print_with};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Results files to compare, optionally as NAME=FILE: results.db of `quick --out DIR` or
    /// `campaign`, or the file of `run --store FILE`. Each machine, kernel or set of settings in a
    /// file is a system; every system is compared with the first. If there is only one system, as
    /// in the store of a campaign, its runs are compared by what varies in them
    #[arg(value_name = "[NAME=]STORE", required = true)]
    pub(crate) stores: Vec<PathBuf>,
    /// Conditions or parameters to compare, such as load, policy or solver: rows may differ in
    /// these and still be matched. If there is only one system, its runs are compared by their
    /// values of these. Default: load, if each system has one load and these differ; for one
    /// system, the first that varies: policy, load, solver, threads, ...
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub(crate) across: Vec<String>,
    /// Ignore differences up to this share
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) margin: Margin,
    /// Also show figures of published systems: rtai, xenomai, preempt_rt, linux, or all
    #[arg(long, value_name = "SYSTEM,...", value_delimiter = ',')]
    pub(crate) published: Vec<Published>,
    /// Directory for report.html, its tables as CSV, and report.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) identify: IdentifyArgs,
    /// Fail with exit code 1 if any row is shown to be worse than in the first system by more than
    /// --margin; standard error names the rows
    #[arg(long, value_enum, value_name = "FINDING")]
    pub(crate) fail_if: Option<Failing>,
    /// Print all tables and details instead of the short answer
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub(crate) verbose: bool,
    /// Print JSON instead of words and tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values (CSV) instead, one line per compared figure
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

/// The finding that makes a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Failing {
    /// A row is shown to be worse
    Worse,
}

pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let stores = named(&args.stores)?;
    let runs = read(&stores)?;
    let mut sides = Vec::new();
    for (Named { name, path }, runs) in stores.iter().zip(&runs) {
        if !runs.iter().any(Outcome::is_valid) {
            let typed = format!("steadfast report {}", quoted_file(path));
            bail!("every run in `{}` is INVALID; `{typed}` says why", path.display());
        }
        sides.push(Side { name: name.clone(), outcomes: runs.iter().collect() });
    }
    let published = Published::merged(args.published.clone());
    let is_alone = published.is_empty();
    let question = Question {
        across: args.across.clone(),
        margin: args.margin,
        within: is_alone || !args.across.is_empty(),
        ..Question::default()
    };
    let comparison = Comparison::of(sides, &question, &DEFAULT_STANDARDS)?;
    let comparison = Comparison { published, ..comparison };
    if comparison.systems() < 2 && is_alone {
        bail!(
            "`{}` has only one system, and no two of its runs differ in just one condition or parameter, \
             so there is nothing to compare; name another store, or fields that differ together with \
             --across, or use --published",
            stores[0].path.display()
        );
    }
    let heading = args.session.heading();
    let analysis = args.identify.applied(Analysis::comparing(comparison).headed(heading));
    let json = |out: &mut dyn Write| json::write(&analysis.comparison, out);
    if let Some(directory) = &args.out {
        make_directory(directory)?;
        write_report(directory, &json, &|| report::page(&analysis))?;
    }
    if args.json {
        print_with(&json)?;
    } else if args.csv {
        print(&report::comparison_csv(&analysis))?;
    } else if args.verbose {
        let place = args.out.as_deref().map_or_else(String::new, report_line);
        print(&(report::terminal(&analysis).trim_start().to_owned() + &place))?;
    } else {
        let page = match &args.out {
            Some(directory) => format!("see {}", directory.join("report.html").display()),
            None => "--out DIR for the report".to_owned(),
        };
        let more = format!("add --verbose for all tables, or {page}");
        print_answer(&report::answer(&analysis).headed(&analysis.heading), &more)?;
    }
    let is_empty = |one: &Comparison| one.contrasts.rows().next().is_none();
    if (is_alone || args.fail_if.is_some()) && analysis.comparison.iter().all(is_empty) {
        bail!(
            "nothing was compared: no row can be compared with one of `{}`; the answer says why",
            stores[0].name
        );
    }
    Ok(judged(args.fail_if, &analysis))
}

/// Returns failure if rows are worse and that was to fail; the rows are printed last.
fn judged(fail_if: Option<Failing>, analysis: &Analysis) -> ExitCode {
    let worse = match (fail_if, &analysis.comparison) {
        (Some(Failing::Worse), Some(comparison)) => worse(&comparison.contrasts),
        _ => Vec::new(),
    };
    tell_broken(worse.iter().map(|row| format!("failed: {}", row.sentence())));
    success_if(worse.is_empty())
}

struct Named {
    name: String,
    path: PathBuf,
}

/// Gives stores distinct names: typed ones, or those of files, of their directories, or paths.
fn named(typed: &[PathBuf]) -> Result<Vec<Named>> {
    let parts: Vec<(Option<String>, PathBuf)> = typed.iter().map(|typed| split(typed)).collect();
    let is_only = |name: &dyn Fn(&Path) -> String, path: &Path| {
        parts.iter().filter(|(_, other)| name(other) == name(path)).count() == 1
    };
    let mut stores: Vec<Named> = Vec::new();
    for (name, path) in &parts {
        let name = match name {
            Some(name) => name.clone(),
            None if is_only(&stem, path) => stem(path),
            None if is_only(&directory, path) => directory(path),
            None => path.display().to_string(),
        };
        if stores.iter().any(|known| known.name == name) {
            bail!(
                "two systems have the name `{name}`; name two different files, or give them names with NAME=FILE"
            );
        }
        stores.push(Named { name, path: path.clone() });
    }
    Ok(stores)
}

/// Splits `NAME=FILE`. If a file with that whole name exists, there is no name.
fn split(typed: &Path) -> (Option<String>, PathBuf) {
    match typed.to_str().and_then(|text| text.split_once('=')) {
        Some((name, path)) if !name.is_empty() && !typed.exists() => {
            (Some(name.to_owned()), path.into())
        }
        _ => (None, typed.to_owned()),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn directory(path: &Path) -> String {
    let directory = path.parent().and_then(Path::file_name);
    directory.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn read(stores: &[Named]) -> Result<Vec<Vec<Outcome>>> {
    let mut all = Vec::new();
    let mut seen: BTreeMap<String, &Path> = BTreeMap::new();
    for Named { path, .. } in stores {
        let runs = Store::open_existing(path)?.all_outcomes()?;
        let place = path.display();
        if runs.is_empty() {
            bail!(
                "`{place}` has no finished runs; measure some, for example with `steadfast quick`"
            );
        }
        for id in runs.iter().map(|run| &run.header.run_id) {
            if let Some(other) = seen.insert(id.clone(), path) {
                let other = other.display();
                bail!(
                    "`{other}` and `{place}` contain the same run {id}; name stores without common runs"
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
    use testing::refuses;

    fn names(typed: &[&str]) -> Result<Vec<String>> {
        let paths: Vec<PathBuf> = typed.iter().map(PathBuf::from).collect();
        Ok(named(&paths)?.into_iter().map(|store| store.name).collect())
    }

    #[test]
    fn stores_are_named_by_what_distinguishes_them() {
        assert_eq!(names(&["a/one.db", "b/two.db"]).unwrap(), ["one", "two"]);
        let alike = names(&["a/results.db", "b/results.db", "c.db"]).unwrap();
        assert_eq!(alike, ["a", "b", "c"]);
        let deep = names(&["x/a/r.db", "y/a/r.db"]).unwrap();
        assert_eq!(deep, ["x/a/r.db", "y/a/r.db"]);
        let typed = names(&["rt=a/results.db", "stock=b/results.db"]).unwrap();
        assert_eq!(typed, ["rt", "stock"]);
        for twice in [["a.db", "a.db"], ["x=a.db", "x=b.db"]] {
            refuses(names(&twice), "NAME=FILE");
        }
    }
}
