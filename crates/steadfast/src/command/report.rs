//! `steadfast report`: writes or prints the report of stored runs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::Analysis;
use analysis::share::Tolerance;
use analysis::standards::Standards;
use anyhow::{Result, bail};
use base::quoted_file;
use clap::Args;
use record::{Heading, Outcome, fact};
use serde_json::json;
use store::Store;

use crate::options::{AnswerArgs, IdentifyArgs, InGeneral, SessionArgs};
use crate::session::conclusion::conclude;
use crate::session::results_dir::Noted;
use crate::startup::files::{make_directory, of_database, of_report, report_line, write_reports};
use crate::startup::output::print_with;

#[derive(Debug, Args)]
#[command(mut_arg("json", |arg| arg.help("Print the report as JSON instead of text")))]
pub(crate) struct ReportArgs {
    /// Results files, such as DIR/results.db of `quick --out DIR`, or the file of
    /// `run --store FILE`
    #[arg(value_name = "STORE", required = true)]
    stores: Vec<PathBuf>,
    /// Directory for report.html, its tables as CSV, and report.json
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How far above the average a time still counts as predictable, as a share of the average
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    tolerance: Tolerance,
    #[command(flatten)]
    session: SessionArgs,
    #[command(flatten)]
    identify: IdentifyArgs,
    #[command(flatten)]
    answer: AnswerArgs,
}

pub(crate) fn report(args: &ReportArgs) -> Result<ExitCode> {
    let mut newest = Newest::default();
    for path in &args.stores {
        newest.add(&Store::open_existing(path)?)?;
    }
    let heading = args.session.heading().or(newest.heading());
    let outcomes = newest.outcomes();
    if outcomes.is_empty() {
        bail!("the stores have no finished runs; measure some, for example with `steadfast quick`");
    }
    let standards = Standards { tolerance: args.tolerance, ..args.answer.standards() };
    let analysis = args.identify.applied(Analysis::of(&outcomes, &standards).headed(heading));
    if let Some(directory) = &args.out {
        make_directory(directory)?;
    }
    let stores = args.stores.iter().flat_map(|store| of_database(store, "STORE"));
    let reports = args.out.iter().flat_map(|directory| of_report(directory));
    args.answer.check_files(stores.chain(reports).collect())?;
    if let Some(directory) = &args.out {
        write_reports(directory, &analysis)?;
    }
    let answer = &args.answer;
    if answer.json {
        print_with(&|out| report::json(&analysis, out))?;
    } else {
        let places = args.out.as_deref().map_or_else(String::new, report_line);
        let telling = Noted { telling: &InGeneral, notes: "", places: &places };
        answer.print(&analysis, &telling, &more(args))?;
    }
    conclude(answer, &analysis, None, Vec::new())
}

fn more(args: &ReportArgs) -> String {
    let stores: Vec<String> = args.stores.iter().map(|path| quoted_file(path)).collect();
    let typed = format!("steadfast report {} --verbose", stores.join(" "));
    match &args.out {
        Some(directory) => format!("{}, or {typed}", directory.join("report.html").display()),
        None => format!("{typed}, or --out DIR for the report"),
    }
}

/// Beyond this number of runs, only those lists over time are kept in memory that are shown.
const MANY_RUNS: usize = 1_000;
/// The facts that take most of a run's memory. A page shows only one of each for several equal runs.
const OVER_TIME: [&str; 2] = [fact::TIMELINE.name, fact::STRIP.name];

/// The newest of the sessions whose runs repeat each other on one machine; each run takes the place
/// of the first one that it repeats. Repetitions within one session, such as the rounds of a
/// benchmark, are all kept.
#[derive(Default)]
struct Newest {
    /// Runs that repeat each other, and the number of their session.
    kept: Vec<(usize, Vec<Outcome>)>,
    /// Indices in `kept`, by specification.
    places: HashMap<String, Vec<usize>>,
    headings: Vec<Heading>,
    sessions: usize,
    runs: usize,
}

impl Newest {
    /// Adds every finished run of a store, the oldest session first.
    fn add(&mut self, store: &Store) -> Result<()> {
        for session in store.sessions()? {
            self.sessions += 1;
            store.each_outcome(session.id, |outcome| self.add_run(outcome))?;
            self.headings.push(session.heading);
        }
        Ok(())
    }

    fn add_run(&mut self, mut outcome: Outcome) {
        self.runs += 1;
        let session = self.sessions;
        let spec = json!(outcome.header.spec).to_string();
        let places = self.places.entry(spec).or_default();
        let mut known = places.iter().copied();
        let Some(place) = known.find(|place| repeats(&self.kept[*place].1[0], &outcome)) else {
            places.push(self.kept.len());
            self.kept.push((session, vec![outcome]));
            return;
        };
        let (known, runs) = &mut self.kept[place];
        if *known == session {
            if self.runs > MANY_RUNS {
                for row in &mut outcome.rows {
                    row.facts.retain(|name, _| !OVER_TIME.contains(&&**name));
                }
            }
            runs.push(outcome);
        } else if runs[0].header.started_unix_ns <= outcome.header.started_unix_ns {
            self.kept[place] = (session, vec![outcome]);
        }
    }

    /// Returns the title and the note that all sessions share that have one.
    fn heading(&self) -> Heading {
        Heading {
            title: only(self.headings.iter().filter_map(|heading| heading.title.clone())),
            note: only(self.headings.iter().filter_map(|heading| heading.note.clone())),
        }
    }

    /// Returns the runs as they were made, in the order that gates and the newest experiment need.
    fn outcomes(self) -> Vec<Outcome> {
        let mut all: Vec<Outcome> = self.kept.into_iter().flat_map(|(_, runs)| runs).collect();
        all.sort_by_key(|run| run.header.started_unix_ns);
        all
    }
}

/// Returns the value if all are equal; `None` if two differ.
fn only<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Returns whether two runs repeat each other; those that contradict each other are both shown.
fn repeats(one: &Outcome, other: &Outcome) -> bool {
    one.header.spec == other.header.spec
        && one.header.machine == other.header.machine
        && !analysis::samples::contradict(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;
    use crate::session::driver::fake;
    use analysis::standards::DEFAULT_STANDARDS;
    use record::{LabFound, Row};

    fn newest_of_each(sessions: Vec<Vec<Outcome>>) -> Vec<Outcome> {
        let mut newest = Newest::default();
        for session in sessions {
            newest.sessions += 1;
            session.into_iter().for_each(|run| newest.add_run(run));
        }
        newest.outcomes()
    }

    #[test]
    fn of_many_equal_runs_one_keeps_its_lists_over_time() {
        let run = |started, line| {
            let mut run = made(line, started);
            run.rows = vec![Row::default()];
            run.rows[0].facts = OVER_TIME.map(|name| (name.to_owned(), json!([]))).into();
            run
        };
        let mut session: Vec<Outcome> = (0..=MANY_RUNS as u64).map(|at| run(at, "tire")).collect();
        session.push(run(MANY_RUNS as u64 + 1, "wakeup"));
        let kept = newest_of_each(vec![session]);
        let with = kept.iter().filter(|run| run.rows[0].facts.len() == 2);
        assert_eq!((kept.len(), with.count()), (MANY_RUNS + 2, MANY_RUNS + 1));
        assert_eq!(kept[MANY_RUNS + 1].rows[0].facts.len(), 2, "of the other one");
    }

    fn made(line: &str, started_unix_ns: u64) -> Outcome {
        let run = fake::outcome(&specs_of(line).unwrap()[0], started_unix_ns as usize, 1);
        Outcome { rows: vec![], ..run }
    }

    #[test]
    fn runs_of_equal_setups_that_differ_both_stay() {
        let in_lab = |started, samples: &str| {
            let mut run = made("tire", started);
            run.found.lab = Some(LabFound {
                setup_sha256: "the same".into(),
                place: 0,
                samples_sha256: samples.into(),
            });
            vec![run]
        };
        let kept = |samples| newest_of_each(vec![in_lab(1, "a"), in_lab(2, samples)]);
        assert_eq!(kept("a").len(), 1);
        assert_eq!(kept("b").len(), 2);
        let runs = kept("b");
        assert_eq!(Analysis::of(&runs, &DEFAULT_STANDARDS).verdict.errors.len(), 1);
    }

    #[test]
    fn rounds_of_a_gate_stay_rounds() {
        let kept = newest_of_each(vec![testing::gates::rounds(8, 1.0, || 1.0)]);
        let gates = Analysis::of(&kept, &DEFAULT_STANDARDS).gates;
        assert_eq!((gates[0].rounds, gates[0].left_out), (8, 0));
    }

    #[test]
    fn rounds_stay_and_older_sessions_go() {
        let rounds = |first: u64| {
            vec![made("ceiling", first), made("tire", first + 1), made("ceiling", first + 2)]
        };
        let sessions = [rounds(10), vec![made("tire", 0)], rounds(20)];
        let kept = newest_of_each(sessions.into());
        let kept: Vec<(&str, u64)> = kept
            .iter()
            .map(|run| (run.header.spec.measurement.as_str(), run.header.started_unix_ns))
            .collect();
        assert_eq!(kept, [("ceiling", 20), ("tire", 21), ("ceiling", 22)]);
    }
}
