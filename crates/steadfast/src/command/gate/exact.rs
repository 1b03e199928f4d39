//! `steadfast gate record` and `gate check`: runs in the lab, compared with a baseline.

use std::path::PathBuf;
use std::process::ExitCode;

use analysis::gate::{Exact, ExactAnswer, ExactRun, Sampled};
use analysis::words::draws_of_runs;
use anyhow::{Result, bail};
use base::counted;
use clap::Args;
use lab::Kernels;
use record::{Outcome, Recording, RunSpec, Track};
use report::ExactGate;
use report::answer::Remark;
use rt::topology;
use store::{SessionInfo, Store};

use super::allowed;
use crate::command::campaign::text_of;
use crate::command::lab::{Cell, Machines};
use crate::options::place::{Place, lab_machine};
use crate::options::plans::{Reading, Written};
use crate::options::{FormatArgs, JsonArgs};
use crate::session::driver::{Ended, Keeping, List, Trouble, Work};
use crate::startup::exit;
use crate::startup::files::make_directory;
use crate::startup::output::{print, print_answer, print_json};

/// What is measured in the lab, and where its baseline is.
#[derive(Debug, Args)]
pub(crate) struct ExactArgs {
    /// Plan file (TOML), or the name of a ready plan; each run is made once, in the order of the
    /// file
    #[arg(value_name = "PLAN.toml|NAME")]
    pub(crate) plan: String,
    /// Name of the baseline: letters, digits, `.`, `_`, `-`
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) name: String,
    /// Directory of the baselines, NAME.db each; NAME.allowed has the samples that may differ
    #[arg(long, value_name = "DIR", default_value = "steadfast-gates")]
    pub(crate) baselines: PathBuf,
    /// Measure each kernel in N machines that differ only in chance (1, or 5 to 20). With 1, every sample
    /// has to be equal; with several, typical times are compared, as between two kernels
    #[arg(long, value_name = "N", default_value = "1", value_parser = draws)]
    pub(crate) draws: u32,
    #[command(flatten)]
    pub(crate) place: Place,
}

fn draws(text: &str) -> Result<u32, &'static str> {
    let known = text.parse().ok().filter(|draws| *draws == 1 || (5..=20).contains(draws));
    known.ok_or("expected 1, or 5 to 20; 2 to 4 cannot show that typical times differ")
}

fn name(text: &str) -> Result<String, &'static str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let is_name = !text.is_empty() && !text.starts_with('.') && text.chars().all(is_plain);
    is_name
        .then(|| text.to_owned())
        .ok_or("expected letters, digits, `.`, `_` and `-`, such as main")
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) exact: ExactArgs,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
}

/// Makes the runs of the plan, and keeps them with their samples.
pub(crate) fn record(args: &ExactArgs) -> Result<ExitCode> {
    let cells = cells(args)?;
    make_directory(&args.baselines)?;
    let path = args.file("db");
    let (specs, title) = (specs(&cells), format!("gate {}", args.name));
    let keeping = Keeping::of(Store::open(&path)?, &title, &specs, runner::fingerprint());
    let ended = carried_out(Work::kept(Some(keeping.with_samples(true))), &cells)?;
    if matches!(ended.trouble, Some(Trouble::Interrupted)) {
        return ended.exit_code();
    }
    let (all, made) = (specs.len(), ended.outcomes.len());
    let are_valid = ended.outcomes.iter().all(Outcome::is_valid);
    let code = ended.exit_code()?;
    if made < all {
        bail!("{}: {made} of {all} runs were made; the baseline is incomplete", args.plan);
    }
    if are_valid {
        let (name, runs, path) = (&args.name, args.effort(made), path.display());
        print(&format!("Recorded baseline `{name}`: {runs}, in {path}\n"))?;
    }
    Ok(code)
}

/// Makes the runs of the plan again, and says where they differ from the baseline.
pub(crate) fn check(args: &CheckArgs) -> Result<ExitCode> {
    let asked = &args.exact;
    args.formats.check()?;
    let cells = cells(asked)?;
    let specs = specs(&cells);
    let baseline = baseline(asked, &specs)?;
    let allowances = allowed::read(&asked.file("allowed"))?;
    let mut sampled: Vec<(String, Vec<Track>)> = Vec::new();
    let mut show = |outcome: &Outcome, recording: &Recording| {
        sampled.push((outcome.header.run_id.clone(), recording.tracks.clone()));
        Ok(())
    };
    let ended = carried_out(Work::kept(None).shown_by(&mut show), &cells)?;
    let why = match &ended.trouble {
        Some(Trouble::Interrupted | Trouble::NotKept(_)) => return ended.exit_code(),
        Some(Trouble::NotMade(why)) => format!("{why:#}"),
        None => "it was not made".to_owned(),
    };
    let of_plan = cells.iter().flat_map(|cell| cell.specs.iter().map(|spec| (cell.name(), spec)));
    let now = in_order(of_plan, ended.outcomes, sampled);
    let exact = match asked.draws as usize {
        1 => Exact::of(&asked.name, &baseline, &now, &why, &allowances),
        draws => Exact::over_draws(&asked.name, draws, &baseline, &now, &why),
    };
    show_answer(&exact, args)?;
    let suites = report::exact_suites(&exact);
    args.formats.write(&suites)?;
    Ok(exit::of(&suites))
}

impl ExactArgs {
    fn effort(&self, made: usize) -> String {
        let draws = self.draws as usize;
        draws_of_runs(draws, made / draws)
    }

    /// Returns the path of a file of the baseline: `db` or `allowed`.
    fn file(&self, extension: &str) -> PathBuf {
        self.baselines.join(format!("{}.{extension}", self.name))
    }
}

/// Returns a machine of the lab for each kernel of the plan, with its runs in the plan's order.
fn cells(args: &ExactArgs) -> Result<Vec<Cell>> {
    let plan = args.plan.as_str();
    let reading =
        Reading { begin: &|request| request.place = args.place.clone(), ..Reading::default() };
    let runs = reading.read(plan, &text_of(plan)?)?.runs;
    let kernels = Kernels::open()?;
    let mut cells: Vec<Cell> = Vec::new();
    for Written { place, spec, .. } in runs {
        let Place::Vm(kernel) = place else {
            bail!(
                "{plan}: a run on {place} takes time, which is never exactly the same; use --target vm:KERNEL, \
                 or `steadfast gate pair` for this machine"
            );
        };
        if let Some(cell) = cells.iter_mut().find(|cell| cell.name() == kernel) {
            cell.specs.push(spec);
            continue;
        }
        let (system, what) = (lab_machine(kernels.find(&kernel)?)?, plan.to_owned());
        cells.push(Cell { system, what, specs: vec![spec], draw: 0, first: 0 });
    }
    Ok(drawn(&cells, args.draws))
}

/// Returns all machines of the first draw, then those of the next one.
fn drawn(machines: &[Cell], draws: u32) -> Vec<Cell> {
    let (mut cells, mut first) = (Vec::new(), 0);
    for draw in 0..draws {
        for cell in machines {
            cells.push(Cell { draw, first, ..cell.clone() });
            first += cell.specs.len();
        }
    }
    cells
}

fn specs(cells: &[Cell]) -> Vec<RunSpec> {
    cells.iter().flat_map(|cell| cell.specs.clone()).collect()
}

fn carried_out(work: Work<'_>, cells: &[Cell]) -> Result<Ended> {
    let mut machines = Machines { cells, at_once: topology::usable().len() };
    work.carry_out(&mut List::of(&specs(cells)), &mut machines)
}

/// Returns the newest finished baseline of that name, whose plan must be the same.
fn baseline(args: &ExactArgs, specs: &[RunSpec]) -> Result<Vec<Sampled>> {
    let path = args.file("db");
    if !path.exists() {
        bail!("there is no baseline `{}`; record one with `steadfast gate record`", args.name);
    }
    let store = Store::open_existing(&path)?;
    let is_done = |session: &&SessionInfo| {
        session.finished_unix_ns.is_some() && session.done == session.planned
    };
    let sessions = store.sessions()?;
    let Some(session) = sessions.iter().rfind(is_done) else {
        let path = path.display();
        bail!("{path} has no complete baseline; record one with `steadfast gate record`");
    };
    let runs = store.outcomes(session.id)?;
    let draws = runs.iter().filter(|run| is_draw_of(run, &runs[0])).count();
    if !runs.is_empty() && draws != args.draws as usize {
        let (name, draws) = (&args.name, counted(draws, "draw"));
        bail!("the baseline `{name}` has {draws} of each kernel; --draws must be the same");
    }
    // The content of files is what a gate judges.
    let plain = |spec: &RunSpec| RunSpec { files: Vec::new(), ..spec.clone() };
    let same = |run: &Outcome, spec: &RunSpec| plain(&run.header.spec) == plain(spec);
    if runs.len() != specs.len() || !runs.iter().zip(specs).all(|(run, spec)| same(run, spec)) {
        let (plan, name) = (&args.plan, &args.name);
        bail!(
            "{plan}: its runs are not those of the baseline `{name}`; record a new one with `steadfast gate record`"
        );
    }
    if let Some(run) = runs.iter().find(|run| !run.is_valid()) {
        let title = run.header.spec.title();
        bail!("the newest baseline `{}` has an INVALID run ({title}); record a new one", args.name);
    }
    let sampled = |run: &Outcome| {
        let (outcome, tracks) = store.run(&run.header.run_id)?;
        if tracks.is_empty() {
            let title = run.header.spec.title();
            bail!("the baseline `{}` has no samples of {title}; record a new one", args.name);
        }
        Ok(Sampled { outcome, tracks })
    };
    runs.iter().map(sampled).collect()
}

/// Whether two runs are the same run of a plan, which has each only once, on the same kernel.
fn is_draw_of(run: &Outcome, first: &Outcome) -> bool {
    run.header.spec == first.header.spec && kernel(run) == kernel(first)
}

fn kernel(run: &Outcome) -> Option<&str> {
    run.header.machine.lab.as_ref().map(|lab| lab.kernel.as_str())
}

/// Returns the runs in the order of the plan, with their samples; `None` for one that is missing.
fn in_order<'a>(
    asked: impl Iterator<Item = (&'a str, &'a RunSpec)>,
    outcomes: Vec<Outcome>,
    mut sampled: Vec<(String, Vec<Track>)>,
) -> Vec<Option<Sampled>> {
    let mut outcomes = outcomes.into_iter().peekable();
    let made = |(system, spec): (&str, &RunSpec)| {
        let is_it =
            |outcome: &Outcome| outcome.header.spec == *spec && kernel(outcome) == Some(system);
        let outcome = outcomes.next_if(is_it)?;
        let place = sampled.iter().position(|(id, _)| *id == outcome.header.run_id)?;
        Some(Sampled { outcome, tracks: sampled.swap_remove(place).1 })
    };
    asked.map(made).collect()
}

fn show_answer(exact: &Exact, args: &CheckArgs) -> Result<()> {
    let mut answer = report::exact_gate(exact);
    if args.json.json {
        return print_json(&ExactGate::of(exact));
    }
    let differs = |run: &&ExactRun| matches!(run.answer, ExactAnswer::Differs(_));
    let path = args.exact.file("allowed");
    for ExactRun { samples_sha256, run, .. } in exact.runs.iter().filter(differs) {
        let (path, samples) = (path.display(), samples_sha256.as_deref().unwrap_or_default());
        let allow = format!("if this is wanted: add `{samples} REASON` to {path} ({run})");
        answer = answer.with(Remark::new(Remark::NEXT, allow));
    }
    let more = match exact.runs.iter().any(|run| differs(&run)) {
        true => "--json for every figure that differs",
        false => "--json for every run",
    };
    print_answer(&answer, more)
}

#[cfg(test)]
mod tests {
    use base::Policy;
    use testing::outcomes::{in_lab, wakeup};
    use testing::refuses;

    use super::*;

    #[test]
    fn a_baseline_without_samples_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let specs = [run.header.spec.clone()];
        let mut store = Store::open(&folder.path().join("main.db")).unwrap();
        let begun = store.begin_session("gate main", &specs, &run.header.machine, 0).unwrap();
        store.save(&begun, 0, &run, &[]).unwrap();
        store.finish_session(&begun).unwrap();
        let args = ExactArgs {
            plan: "plan.toml".to_owned(),
            draws: 1,
            name: "main".to_owned(),
            baselines: folder.path().to_owned(),
            place: Place::default(),
        };
        refuses(baseline(&args, &specs).map(drop), "the baseline `main` has no samples of");
        let drawn = ExactArgs { draws: 5, ..args };
        refuses(baseline(&drawn, &specs).map(drop), "has 1 draw of each kernel");
    }

    #[test]
    fn a_kernel_that_made_no_run_gets_none_of_another_kernel() {
        let run = in_lab("rt", "rt", wakeup(Policy::Fifo(80), None, 8e3, 6e4));
        let (spec, id) = (run.header.spec.clone(), run.header.run_id.clone());
        let asked = [("stock", &spec), ("rt", &spec)].into_iter();
        let now = in_order(asked, vec![run], vec![(id, Vec::new())]);
        assert_eq!(now.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    }
}
