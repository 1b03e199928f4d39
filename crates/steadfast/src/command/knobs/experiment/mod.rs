//! `steadfast knobs try`: finds by an experiment which settings matter here.

pub(crate) mod args;
mod chosen;
mod plan;
mod schedule;
#[cfg(test)]
pub(crate) mod tests;

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use analysis::comparison::Margin;
use analysis::experiment::{Experiment, REHEARSAL};
use anyhow::{Context, Result, bail};
use record::{Asked, Parameters, RunSpec};
use report::ExperimentView;

use self::args::TryArgs;
use self::chosen::{BOOT, Chosen, chosen};
use self::plan::Trial;
use self::schedule::{OPEN, schedule};
use crate::command::run::line::of_line;
use crate::options::place::Place;
use crate::options::request;
use crate::session::driver::{Targets, Work, time_for_runs};
use crate::startup::latest_findings;
use crate::startup::output::tell;

pub(crate) fn try_knobs(args: &TryArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (mut subject, said) = of_line("--of", &args.of, &args.place)?;
    subject.asked.duration = said.map_or(OPEN, |said| said.time);
    let chosen = chosen(args, &subject)?;
    // The known disturbance is not part of the screening.
    let schedule = schedule(args, &subject, chosen.candidates.len() - 1, chosen.settling())?;
    if !is_wanted(args, &chosen)? {
        tell("No settings were changed.");
        return Ok(ExitCode::SUCCESS);
    }
    let (kept, place) = (&args.kept, &args.place);
    subject.asked.duration = schedule.each;
    let rehearsal = rehearsal(&subject)?;
    let machine = place.machine()?;
    let id = machine.id();
    let mut trial = Trial::of(subject, rehearsal, chosen.candidates, schedule, &id);
    let keeping = kept.session("knobs", &trial.templates(), machine)?;
    let work = Work::resumed(keeping)?.until(started + time_for_runs(args.budget));
    let booted = Targets::of(|due| match place {
        Place::Vm(kernel) => Place::Vm(format!("{kernel}{}", words(&due.spec))),
        place => place.clone(),
    });
    let ended = work.carry_out(&mut trial, &mut booted.checked_at(place))?;
    // What the lab counts says nothing about its host.
    let is_of_machine = !matches!(place, Place::Vm(_));
    let experiment = Experiment::of(&ended.outcomes, Margin::default());
    let code = kept.give(ended, &kept.answer.standards(), &ExperimentView, "");
    if let Some(experiment) = experiment.filter(|_| is_of_machine) {
        latest_findings::tell_if_not(latest_findings::keep_worth(&experiment, &place.machine()?));
    }
    code
}

/// Returns a short run under the same conditions, which only shows whether a knob can be set.
fn rehearsal(subject: &RunSpec) -> Result<RunSpec> {
    let shortest = request::measurement("wakeup")?;
    let parameters = Parameters::defaults(shortest.parameters());
    let asked = Asked { duration: REHEARSAL, ..subject.asked.clone() };
    Ok(RunSpec::new(shortest.name(), parameters, asked))
}

fn is_wanted(args: &TryArgs, chosen: &Chosen) -> Result<bool> {
    tell("Each run changes some of these settings, and restores them afterwards:");
    chosen.lines.iter().for_each(|line| tell(&format!("  {line}")));
    if !chosen.passed.is_empty() && args.kept.answer.verbose {
        tell("Not tried:");
        chosen.passed.iter().for_each(|line| tell(&format!("  {line}")));
    }
    if args.yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        bail!(
            "cannot ask for consent, because standard input is not a terminal; add --yes to change the settings"
        );
    }
    eprint!("Continue? [y/N] ");
    std::io::stderr().flush().context("cannot ask for consent")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}

/// Returns what follows the name of a kernel, such as `+threadirqs+preempt=full`.
fn words(spec: &RunSpec) -> String {
    let booted = spec.asked.tried.iter().filter(|tried| tried.value.is_some());
    let words = booted.filter_map(|tried| tried.knob.strip_prefix(BOOT));
    words.map(|word| format!("+{word}")).collect()
}
