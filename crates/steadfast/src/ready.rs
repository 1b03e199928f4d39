//! Ready plans: lists of lines that one could type after `steadfast run`.

use std::path::{Path, PathBuf};

use analysis::Analysis;
use analysis::standards::Standards;
use anyhow::Result;
use plan::{Machine, RunSpec};
use store::Store;

use crate::args::{RunArgs, parse_run_line};
use crate::driver::{Carrier, Ended, Here, Keeping, List, Work};
use crate::files::{make_directory, write_reports};
use crate::output::{print, tell};
use crate::place::Place;
use crate::request;

/// The runs of all lines, each changed as asked; lines that cannot be run where
/// they ask to be are told and left out.
pub(crate) fn read<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    change: impl Fn(&mut RunArgs),
) -> Result<Vec<RunSpec>> {
    let mut plan = Vec::new();
    for line in lines {
        let mut typed = parse_run_line(line)?;
        change(&mut typed);
        match request::specs(&typed) {
            Ok(specs) => plan.extend(specs),
            Err(why) => tell(&format!("Left out `{line}`: {why:#}")),
        }
    }
    Ok(plan)
}

/// Carries out what is left of a plan of this name in the directory, all of it at that
/// place, writes the reports there and prints the summary.
pub(crate) fn carry_through(
    name: &str,
    plan: &[RunSpec],
    place: &Place,
    out: &Path,
    standards: &Standards,
) -> Result<Ended> {
    let target = place.open()?;
    let machine = place.machine()?;
    let ended = carry_on(name, plan, machine, out, &mut Here::checked(&*target))?;
    write_down(&ended, plan.len(), out, standards)?;
    Ok(ended)
}

/// Carries out what is left of a plan of this name in the directory, in a session of that
/// machine.
pub(crate) fn carry_on(
    name: &str,
    plan: &[RunSpec],
    machine: Machine,
    out: &Path,
    carrier: &mut dyn Carrier,
) -> Result<Ended> {
    make_directory(out)?;
    let store = Store::open(&results(out))?;
    let mut keeping = Keeping::of(store, name, plan, machine);
    let all = plan.len();
    let known = keeping.take_up(|done| {
        format!("Taking up the interrupted session: {done} of {all} runs are done.")
    })?;
    let work = Work::kept(Some(keeping)).knowing(known);
    work.carry_out(&mut List::of(plan), carrier)
}

/// Writes the reports of what was measured into the directory and prints the summary.
pub(crate) fn write_down(
    ended: &Ended,
    planned: usize,
    out: &Path,
    standards: &Standards,
) -> Result<()> {
    let analysis = Analysis::of(&ended.outcomes, standards);
    let written = write_reports(out, &analysis);
    print(&report::terminal(&analysis))?;
    written?;
    print(&where_it_is(out, ended, planned))
}

/// The store of a directory with results.
pub(crate) fn results(out: &Path) -> PathBuf {
    out.join("results.db")
}

/// Where the report and the results of a directory are.
pub(crate) fn places(out: &Path) -> String {
    format!(
        "\nReport:  {}\nResults: {}\n",
        out.join("report.html").display(),
        results(out).display()
    )
}

fn where_it_is(out: &Path, ended: &Ended, planned: usize) -> String {
    let mut text = places(out);
    if ended.trouble.is_some() {
        let kept = ended.outcomes.len();
        text +=
            &format!("{kept} of {planned} runs are kept; the same command goes on from here.\n");
    }
    text
}
