//! Measures what decides findings on this machine and on others: first the runs that decide most
//! findings per minute.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analysis::clock::counts_instructions;
use analysis::lists::each_once;
use analysis::studies::{Finding, Judged, MOST_ROUNDS, Missing, Unmeasured, Verdict, Wanted};
use analysis::words::counted;
use anyhow::{Result, bail};
use base::Nanos;
use clap::Args;
use record::{Heading, Machine, Outcome, RunSpec};
use store::Store;

use super::systems::{Elsewhere, machine_of};
use crate::command::ready::ReadyArgs;
use crate::options::place::Place;
use crate::options::plans;
use crate::options::{SessionArgs, WordsArgs};
use crate::session::budget::{Need, TO_START};
use crate::session::driver::{
    Ended, Keeping, List, Rule, Targets, Trouble, Work, planned, time_for_runs,
};
use crate::session::order::in_turns;
use crate::session::plan_length::set_length;
use crate::session::progress::{in_words, say};
use crate::session::results_dir::results;
use crate::startup::files::make_directory;

#[derive(Debug, Args)]
pub(crate) struct StudiesArgs {
    /// Only these studies: sae, mpe, mur, fra, tel
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// Measure what decides findings for this time, what decides most first; the same command
    /// continues. --out without --budget measures until all rounds are done. Without --out,
    /// results are kept in steadfast-studies
    #[arg(long, value_name = "TIME")]
    pub(super) budget: Option<Nanos>,
    /// Length of each run instead of that of its plan, for a first impression: the papers measured
    /// for up to an hour
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, conflicts_with_all = ["from", "list"])]
    pub(super) seconds: Option<Nanos>,
    /// Another system of the papers (linux, preempt_rt, xenomai or rtai): the results file with its
    /// runs, or the machine that is measured too, `vm:KERNEL` of the lab or `ssh:HOST`. Its CPUs must
    /// be of the same kind; machines of the lab are compared with each other
    #[arg(long, value_name = "NAME=PLACE")]
    pub(super) system: Vec<Elsewhere>,
    /// Directory for results.db, report.html and report.json; an unfinished session in it is
    /// resumed
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Measure nothing, and judge the findings by the runs of these results files
    #[arg(long, value_name = "STORE", num_args = 1.., conflicts_with = "budget")]
    pub(super) from: Vec<PathBuf>,
    /// List the findings and what each needs; this is the default without --budget, --out and
    /// --from
    #[arg(long, conflicts_with_all = ["from", "budget", "out", "system"])]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) session: SessionArgs,
    #[command(flatten)]
    pub(super) answer: WordsArgs,
}

impl StudiesArgs {
    pub(crate) fn makes_runs(&self) -> bool {
        self.from.is_empty() && (self.budget.is_some() || self.out.is_some())
    }
}

/// Rounds for a finding that no number of rounds decides with its runs.
const FEW_ROUNDS: usize = 3;

/// Findings that share runs, so that these alternate in rounds.
struct Group {
    /// Their names.
    findings: Vec<String>,
    /// Each run with the number of rounds that it is in.
    runs: Vec<(RunSpec, usize)>,
}

pub(super) struct Measured {
    pub(super) ended: Ended,
    /// The findings that the sessions decide, unless all their runs are done.
    open: Vec<String>,
    /// The findings that these machines can decide.
    decides: Vec<String>,
    pub(super) notes: Vec<String>,
}

struct Site {
    place: Place,
    /// Its name; `None` for this machine.
    wanted: Option<Wanted>,
    machine: Machine,
    results: PathBuf,
    /// The length of each run instead of that of its plan.
    length: Option<Nanos>,
}

/// The runs that decide findings at a site.
struct Sitting<'s> {
    site: &'s Site,
    decides: Vec<String>,
    groups: Vec<Group>,
    /// The findings that need longer runs than these.
    too_short: Vec<String>,
    turns: Vec<RunSpec>,
}

pub(super) fn measure(
    args: &StudiesArgs,
    findings: &[Finding],
    elsewhere: &[Outcome],
    out: &Path,
) -> Result<Measured> {
    let started = Instant::now();
    let sites = sites(&args.system, args.seconds, out)?;
    let mut sittings = Vec::new();
    for site in &sites {
        let other_sites = sites.iter().filter(|other| !std::ptr::eq(*other, site));
        let mut others: Vec<&Machine> = other_sites.map(|other| &other.machine).collect();
        others.extend(elsewhere.iter().map(|run| &*run.header.machine));
        sittings.push(site.sitting(findings, &others)?);
    }
    let decides = sittings.iter().flat_map(|sitting| sitting.decides.clone()).collect();
    sittings.retain(|sitting| !sitting.turns.is_empty());
    let Some(first) = sittings.first().map(|sitting| &sitting.turns[0]) else {
        bail!(
            "this machine decides none of these findings; `steadfast studies --list` says what each needs"
        );
    };
    if let Some(budget) = args.budget.filter(|budget| !has_room(*budget, first)) {
        bail!(need(first).refusal(budget));
    }
    make_directory(out)?;
    let title = format!("studies {}", args.names.join(" "));
    let end = args.budget.map(|budget| started + time_for_runs(budget));
    let ended = Ended { outcomes: Vec::new(), trouble: None };
    let mut measured = Measured { ended, open: Vec::new(), decides, notes: Vec::new() };
    for (at, sitting) in sittings.iter().enumerate() {
        // The sittings that are left share the time that is left.
        let (now, left) = (Instant::now(), u32::try_from(sittings.len() - at).unwrap_or(1));
        let deadline = end.map(|end| now + end.saturating_duration_since(now) / left);
        let heading = args.session.heading();
        let ended = sitting.carry_out(title.trim_end(), heading, deadline)?;
        let is_last = matches!(ended.trouble, Some(Trouble::Interrupted | Trouble::NotKept(_)));
        measured.add(sitting, ended, args.budget);
        if is_last {
            break;
        }
    }
    Ok(measured)
}

impl Measured {
    /// Tells what the session will still measure from what these machines cannot.
    pub(super) fn mark(&self, judged: &mut Judged) {
        let id = &judged.finding.id;
        let verdict = match &judged.verdict {
            Verdict::NotMeasured(_) | Verdict::NotTestable(Missing::System(_))
                if self.open.contains(id) =>
            {
                Verdict::NotMeasured(Unmeasured::NotYet)
            }
            Verdict::NotMeasured(Unmeasured::Side(side)) if !self.decides.contains(id) => {
                Verdict::NotTestable(Missing::Plan(side.clone()))
            }
            _ => return,
        };
        judged.verdict = verdict;
    }

    fn add(&mut self, sitting: &Sitting, ended: Ended, budget: Option<Nanos>) {
        let done = ended.outcomes.len();
        if done < sitting.turns.len() {
            self.open.extend(sitting.decides.iter().cloned());
        }
        if done < sitting.turns.len() || !sitting.site.is_exact() {
            self.notes.push(sitting.at(&what_is_left(&sitting.turns, done, budget)));
        }
        self.notes.extend(sitting.undecided(done));
        self.ended.outcomes.extend(ended.outcomes);
        self.ended.trouble = self.ended.trouble.take().or(ended.trouble);
    }
}

impl Site {
    /// Whether its runs repeat exactly, so that each is made once.
    fn is_exact(&self) -> bool {
        counts_instructions(&self.machine)
    }

    /// Whether a finding is decided here: on this machine, or on a system that it names.
    fn is_for(&self, finding: &Finding) -> bool {
        let Some(wanted) = self.wanted else { return true };
        let mut systems = finding.sides().filter_map(|side| side.system);
        systems.any(|system| system.may_be(&self.machine) && wanted.includes(system))
    }

    /// Returns the possible runs that findings need here, plan by plan.
    fn needed(&self, findings: &[&Finding], others: &[&Machine]) -> Result<Vec<RunSpec>> {
        let ready = ReadyArgs::at(&self.place);
        let mut needed = Vec::new();
        for plan in plans::READY {
            let mut own = findings.iter().filter(|finding| finding.plan == plan.name).peekable();
            if own.peek().is_none() {
                continue;
            }
            let (mut round, _) = plan.round(&|request| ready.begin(request))?;
            if let Some(length) = self.length {
                round.iter_mut().for_each(|spec| set_length(spec, length));
            }
            let runs = own.filter_map(|finding| finding.runs_on(&self.machine, others, &round));
            needed.extend(runs.flatten().cloned());
        }
        ready.possible(each_once(needed))
    }

    fn sitting(&self, findings: &[Finding], others: &[&Machine]) -> Result<Sitting<'_>> {
        let findings: Vec<&Finding> = findings.iter().filter(|one| self.is_for(one)).collect();
        let specs = self.needed(&findings, others)?;
        let (mut decides, mut needs, mut too_short) = (Vec::new(), Vec::new(), Vec::new());
        for finding in findings {
            let runs = finding.runs_on(&self.machine, others, &specs).unwrap_or_default();
            if runs.is_empty() {
                continue;
            }
            decides.push(finding.id.clone());
            let rounds = match self.is_exact() {
                true => 1,
                false => finding.rounds(&self.machine, &runs).unwrap_or_else(|| {
                    too_short.push(finding.id.clone());
                    FEW_ROUNDS
                }),
            };
            let runs = runs.into_iter().map(|run| (run.clone(), rounds)).collect();
            needs.push(Group { findings: vec![finding.id.clone()], runs });
        }
        let groups = groups(needs);
        let mut turns: Vec<RunSpec> = groups.iter().flat_map(|one| in_turns(&one.runs)).collect();
        if self.is_exact() && self.results.exists() {
            let known = Store::open_existing(&self.results)?.all_outcomes()?;
            turns.retain(|turn| !known.iter().any(|run| run.header.spec == *turn));
        }
        Ok(Sitting { site: self, decides, groups, too_short, turns })
    }
}

fn sites(systems: &[Elsewhere], length: Option<Nanos>, out: &Path) -> Result<Vec<Site>> {
    let (place, results) = (Place::Local, results(out));
    let mut sites = vec![Site { machine: place.machine()?, place, wanted: None, results, length }];
    for system in systems {
        if let Some(place) = system.measured() {
            make_directory(out)?;
            let results = out.join(system.file());
            let machine = machine_of(system, place, &results)?;
            let wanted = Some(system.wanted);
            sites.push(Site { place: place.clone(), wanted, machine, results, length });
        }
    }
    Ok(sites)
}

impl Sitting<'_> {
    fn carry_out(&self, title: &str, heading: Heading, deadline: Option<Instant>) -> Result<Ended> {
        let found = counted(self.decides.len(), "finding");
        let runs = counted(self.turns.len(), "run");
        let time = in_words(self.turns.iter().map(planned).sum());
        say(&self.at(&format!("{found} can be decided: {runs}, {time}.")));
        let Site { place, results, .. } = self.site;
        let store = Store::open(results)?;
        let keeping = Keeping::of(store, title, &self.turns, place.machine()?).headed(heading);
        let mut plan = List::with(&self.turns, Rule::Possible(None));
        Work::resumed(keeping)?.until(deadline).carry_out(&mut plan, &mut Targets::at(place)?)
    }

    /// Names the findings that have fewer rounds than they need after this number of turns.
    fn undecided(&self, done: usize) -> Vec<String> {
        let mut end = 0;
        let unfinished = self.groups.iter().filter(|group| {
            end += group.runs.iter().map(|(_, rounds)| rounds).sum::<usize>();
            end > done
        });
        let unfinished: Vec<&str> =
            unfinished.flat_map(|group| &group.findings).map(String::as_str).collect();
        let few = format!("Fewer rounds than they need: {}.", unfinished.join(", "));
        let short = format!(
            "Longer runs, or more than {MOST_ROUNDS} rounds, are needed to decide: {}.",
            self.too_short.join(", ")
        );
        let all = [(few, unfinished.is_empty()), (short, self.too_short.is_empty())];
        all.into_iter().filter(|(_, none)| !none).map(|(words, _)| self.at(&words)).collect()
    }

    fn at(&self, sentence: &str) -> String {
        match &self.site.place {
            Place::Local => sentence.to_owned(),
            place => format!("{place}: {sentence}"),
        }
    }
}

fn has_room(budget: Nanos, run: &RunSpec) -> bool {
    time_for_runs(budget) >= planned(run) + TO_START
}

fn need(run: &RunSpec) -> Need {
    Need::of_run("the next run", run)
}

fn what_is_left(turns: &[RunSpec], done: usize, budget: Option<Nanos>) -> String {
    let all = turns.len();
    let longer = turns.get(done).filter(|run| budget.is_some_and(|budget| !has_room(budget, run)));
    match (longer, done < all) {
        (Some(run), _) => {
            format!("{done} of {all} runs done; the next one needs --budget {}.", need(run).least())
        }
        (None, true) => format!("{done} of {all} runs done; the same command continues."),
        (None, false) => format!("All {all} runs are done; the same command adds as many again."),
    }
}

/// Joins findings that share runs, the least time per finding first. A run is in as many rounds as
/// the finding that needs most of it.
fn groups(of_findings: impl IntoIterator<Item = Group>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for mut joined in of_findings {
        let is_shared = |group: &mut Group| {
            group.runs.iter().any(|(run, _)| joined.runs.iter().any(|(own, _)| own == run))
        };
        for group in groups.extract_if(.., is_shared).collect::<Vec<Group>>() {
            joined.findings.extend(group.findings);
            for (run, rounds) in group.runs {
                match joined.runs.iter_mut().find(|(known, _)| *known == run) {
                    Some((_, known)) => *known = rounds.max(*known),
                    None => joined.runs.push((run, rounds)),
                }
            }
        }
        groups.push(joined);
    }
    groups.sort_by_key(|group| {
        let each = group
            .runs
            .iter()
            .map(|(run, rounds)| planned(run) * u32::try_from(*rounds).unwrap_or(u32::MAX));
        each.sum::<Duration>() / u32::try_from(group.findings.len()).unwrap_or(u32::MAX)
    });
    groups
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::session::driver::Plan;

    /// Returns the runs of a study on a machine, as the command executes them, and each run once.
    pub(crate) fn asked(study: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
        let findings = super::super::chosen(&[study.to_owned()]).unwrap();
        let sites = sites(&[], None, Path::new("")).unwrap();
        let all: Vec<&Finding> = findings.iter().collect();
        let specs = sites[0].needed(&all, &[]).unwrap();
        let sitting = sites[0].sitting(&findings, &[]).unwrap();
        (Box::new(List::with(&sitting.turns, Rule::Possible(None))), specs)
    }

    #[test]
    fn findings_that_share_runs_are_measured_in_turns_and_the_cheapest_first() {
        let plan = plans::find("tel-messages").unwrap();
        let (round, _) = plan.round(&|_| {}).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| round[place].clone());
        let group = |finding: &str, runs: &[(&RunSpec, usize)]| Group {
            findings: vec![finding.to_owned()],
            runs: runs.iter().map(|(run, rounds)| ((*run).clone(), *rounds)).collect(),
        };
        let groups = groups([
            group("ab", &[(&a, 3), (&b, 3)]),
            group("c", &[(&c, 9)]),
            group("d", &[(&d, 3)]),
            group("bc", &[(&b, 3), (&c, 3)]),
        ]);
        let sizes: Vec<[usize; 2]> =
            groups.iter().map(|group| [group.findings.len(), group.runs.len()]).collect();
        assert_eq!(sizes, [[1, 1], [3, 3]], "all runs are equally long");
        assert_eq!(in_turns(&groups[0].runs), [d.clone(), d.clone(), d]);
        let turns = in_turns(&groups[1].runs);
        let places = |of: &RunSpec| -> Vec<usize> {
            (0..turns.len()).filter(|place| turns[*place] == *of).collect()
        };
        assert_eq!([&a, &b, &c].map(|run| places(run).len()), [3, 3, 9]);
        for few in [&a, &b] {
            let (few, many) = (places(few), places(&c));
            assert!(many[0] < few[1] && few[1] < many[8] && few[0] < many[4] && many[4] < few[2]);
        }
    }

    #[test]
    fn a_run_that_its_plan_traces_is_traced() {
        let (_, specs) = asked("fra");
        assert!(specs.iter().any(|spec| spec.blame_beyond.is_some()));
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
