//! Measures what decides findings on this machine: first the runs that decide most findings per
//! minute.

use std::path::Path;
use std::time::{Duration, Instant};

use analysis::studies::Finding;
use analysis::words::counted;
use anyhow::{Result, bail};
use plan::{Machine, Outcome, RunSpec};
use store::Store;
use units::Nanos;

use super::args::StudiesArgs;
use crate::command::ready::ReadyArgs;
use crate::driver::{Ended, Keeping, planned, time_for_runs};
use crate::files::make_directory;
use crate::kept::results;
use crate::order::Order;
use crate::place::Place;
use crate::plans;
use crate::progress::{in_words, say};
use crate::rounds::{InTurns, carried_in_turns};
use crate::scale::set_length;

/// The number of runs per side in a session: fewer say little about run-to-run variation. After the
/// last one the same command measures as many again.
const ROUNDS: usize = 3;

/// Findings that share runs, so that these alternate in rounds.
struct Group {
    findings: usize,
    specs: Vec<RunSpec>,
}

/// Time that is kept for starting the first run.
const TO_START: Duration = Duration::from_secs(1);

/// What was measured, and what to do next.
pub(super) struct Measured {
    pub(super) ended: Ended,
    /// The findings that the session decides, unless all its runs are done.
    pub(super) open: Vec<String>,
    /// A sentence on what is left.
    pub(super) note: String,
}

/// Executes the runs that decide these findings, as many as the budget has room for.
pub(super) fn measure(
    args: &StudiesArgs,
    findings: &[Finding],
    elsewhere: &[Outcome],
    out: &Path,
) -> Result<Measured> {
    let started = Instant::now();
    let here = Place::Local.machine()?;
    let machines: Vec<&Machine> = elsewhere.iter().map(|run| &*run.header.machine).collect();
    let specs = needed(findings, &here, &machines, args.seconds)?;
    let groups = groups(findings.iter().filter_map(|one| one.runs_on(&here, &machines, &specs)));
    let turns = turns(&groups);
    let Some(first) = turns.first() else {
        bail!(
            "this machine decides none of these findings; `steadfast studies --list` says what each needs"
        );
    };
    if let Some(budget) = args.budget.filter(|budget| !has_room(*budget, first)) {
        let enough = enough_for(first);
        bail!("--budget: {budget} is too short for the first run; give {enough} or more");
    }
    make_directory(out)?;
    let title = format!("studies {}", args.names.join(" "));
    let keeping = Keeping::of(Store::open(&results(out))?, title.trim_end(), &specs, here.clone());
    let keeping = keeping.headed(args.session.words.heading());
    say(&format!(
        "{} can be decided here: {}, {}.",
        counted(groups.iter().map(|group| group.findings).sum(), "finding"),
        counted(turns.len(), "run"),
        in_words(turns.iter().map(planned).sum()),
    ));
    let deadline = args.budget.map(|budget| started + time_for_runs(budget));
    let plan = InTurns::without_reference(turns.clone());
    let ended = carried_in_turns(plan, keeping, &Place::Local, deadline)?;
    let note = what_is_left(&turns, ended.outcomes.len(), args.budget);
    let is_open = |finding: &&Finding| {
        let runs = finding.runs_on(&here, &machines, &specs);
        ended.outcomes.len() < turns.len() && runs.is_some()
    };
    let open = findings.iter().filter(is_open).map(|finding| finding.id.clone()).collect();
    Ok(Measured { ended, open, note })
}

/// Whether a budget has room for a run.
fn has_room(budget: Nanos, run: &RunSpec) -> bool {
    time_for_runs(budget) >= planned(run) + TO_START
}

/// Returns a budget in which a run can be made.
fn enough_for(run: &RunSpec) -> String {
    in_words(planned(run) + (planned(run) / 10).max(5 * TO_START))
}

fn what_is_left(turns: &[RunSpec], done: usize, budget: Option<Nanos>) -> String {
    let all = turns.len();
    let longer = turns.get(done).filter(|run| budget.is_some_and(|budget| !has_room(budget, run)));
    match (longer, done < all) {
        (Some(run), _) => format!(
            "{done} of {all} runs are done; the next one needs --budget {}.",
            enough_for(run)
        ),
        (None, true) => format!("{done} of {all} runs are done; the same command continues."),
        (None, false) => format!("All {all} runs are done; the same command adds as many again."),
    }
}

/// Returns the possible runs that findings need, plan by plan.
fn needed(
    findings: &[Finding],
    here: &Machine,
    elsewhere: &[&Machine],
    length: Option<Nanos>,
) -> Result<Vec<RunSpec>> {
    let mut needed: Vec<RunSpec> = Vec::new();
    for plan in plans::READY {
        let own = findings.iter().filter(|finding| finding.plan == plan.name);
        if own.clone().next().is_none() {
            continue;
        }
        let (mut round, _) = plan.round(&|_| {})?;
        if let Some(length) = length {
            round.iter_mut().for_each(|spec| set_length(spec, length));
        }
        for spec in own.filter_map(|finding| finding.runs_on(here, elsewhere, &round)).flatten() {
            if !needed.contains(spec) {
                needed.push(spec.clone());
            }
        }
    }
    ReadyArgs::default().possible(needed)
}

/// Returns groups of findings by the runs that each needs, those with the least time per finding
/// first.
fn groups<'s>(runs_of_findings: impl Iterator<Item = Vec<&'s RunSpec>>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for runs in runs_of_findings.filter(|runs| !runs.is_empty()) {
        let is_shared = |group: &Group| group.specs.iter().any(|spec| runs.contains(&spec));
        let (sharing, others) = groups.into_iter().partition(is_shared);
        let sharing: Vec<Group> = sharing;
        let findings = 1 + sharing.iter().map(|group| group.findings).sum::<usize>();
        let mut specs: Vec<RunSpec> = sharing.into_iter().flat_map(|group| group.specs).collect();
        for run in runs {
            if !specs.contains(run) {
                specs.push(run.clone());
            }
        }
        groups = others;
        groups.push(Group { findings, specs });
    }
    groups.sort_by_key(|group| {
        let time: Duration = group.specs.iter().map(planned).sum();
        time / u32::try_from(group.findings).unwrap_or(u32::MAX)
    });
    groups
}

/// Returns all runs in the order in which they are executed.
fn turns(groups: &[Group]) -> Vec<RunSpec> {
    let turns = |group: &Group| -> Vec<RunSpec> {
        let titles: Vec<String> = group.specs.iter().map(RunSpec::title).collect();
        let order = Order::drawn_from(titles.iter().map(String::as_str));
        let places = order.places(group.specs.len(), ROUNDS).into_iter();
        places.map(|place| group.specs[place].clone()).collect()
    };
    groups.iter().flat_map(turns).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::driver::Plan;

    /// Returns the runs of a study on a machine, as the command executes them, and each run once.
    pub(crate) fn asked(study: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
        let here = Place::Local.machine().unwrap();
        let findings = super::super::chosen(&[study.to_owned()]).unwrap();
        let specs = needed(&findings, &here, &[], None).unwrap();
        let groups = groups(findings.iter().filter_map(|one| one.runs_on(&here, &[], &specs)));
        (Box::new(InTurns::without_reference(turns(&groups))), specs)
    }

    #[test]
    fn findings_that_share_runs_are_measured_in_turns_and_the_cheapest_first() {
        let plan = plans::find("tel-messages").unwrap();
        let (round, _) = plan.round(&|_| {}).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| &round[place]);
        let groups = groups([vec![a, b], vec![c], vec![d], vec![b, c], Vec::new()].into_iter());
        let sizes: Vec<[usize; 2]> =
            groups.iter().map(|group| [group.findings, group.specs.len()]).collect();
        assert_eq!(sizes, [[1, 1], [3, 3]], "all runs are equally long");
        let turns = turns(&groups);
        assert_eq!(turns.len(), 4 * ROUNDS);
        assert!(turns[..ROUNDS].iter().all(|spec| spec == d));
        for round in turns[ROUNDS..].chunks(3) {
            assert!([a, b, c].into_iter().all(|spec| round.contains(spec)));
        }
    }

    #[test]
    fn the_next_step_follows_from_what_is_done() {
        let (_, specs) = asked("tel");
        let turns = &specs[..3];
        assert!(what_is_left(turns, 1, None).ends_with("the same command continues."));
        let short = what_is_left(turns, 1, Some(Nanos::SECOND));
        assert!(short.contains("the next one needs --budget"), "{short}");
        assert!(what_is_left(turns, 3, Some(Nanos::SECOND)).contains("adds as many"));
    }
}
