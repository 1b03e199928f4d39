//! A gate in the lab: every run has exactly the samples of its baseline, or this is where it
//! differs. Time is a count of instructions there, so there is no tolerance.

use std::cmp::Reverse;

use record::{Outcome, Row, Track};
use serde::Serialize;
use stats::Distribution;

use super::moved::Moved;
use crate::claims::QUANTILES;
use crate::clock::instruction_ns;
use crate::comparison::{Differing, differing};
use crate::finding::{
    AboutGate, FigureDiffers, Finding, FirstDiffering, GateAnswer, LONGEST, PathMoved, RowDiffers,
    RowMoved, RunDifference, SetupDiffers,
};
use crate::lists::{each_once, filled};
use crate::survey::{System, invalidating};

#[derive(Clone)]
pub struct Sampled {
    pub outcome: Outcome,
    pub tracks: Vec<Track>,
}

/// Samples that may differ from the baseline: exactly these, for this reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    pub samples_sha256: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exact {
    /// Name of the baseline.
    pub name: String,
    /// Machines of each kernel that were measured; with more than one, only typical times are compared.
    pub draws: usize,
    /// The worst answer of all runs.
    pub answer: GateAnswer,
    /// The runs, in the order of the plan.
    pub runs: Vec<ExactRun>,
    /// Differences between the setups; empty if their hashes are equal.
    pub setup: Vec<SetupDiffers>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExactRun {
    /// The run in words.
    pub run: String,
    /// Name of the run's kernel in the lab.
    pub kernel: String,
    /// Number of rows of the run in the baseline.
    pub rows: usize,
    /// SHA-256 of everything recorded; null if the run was not done, and with several draws.
    pub samples_sha256: Option<String>,
    /// Answer for the run: `equal`, `allowed` (with `reason`), `differs` (with `rows` and `first`)
    /// or `not_measured` (with `why`); with several draws `not_longer` or `longer` (with the rows that moved).
    pub answer: ExactAnswer,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExactAnswer {
    Equal,
    Allowed {
        /// Why the run may differ.
        reason: String,
    },
    Differs(RunDifference),
    NotLonger(Moved),
    Longer(Moved),
    NotMeasured {
        /// Why the run was not measured or is INVALID.
        why: String,
    },
}

impl Exact {
    /// Compares runs with a baseline in the plan's order; `None` was not made, for this reason.
    pub fn of(
        name: &str,
        baseline: &[Sampled],
        now: &[Option<Sampled>],
        why: &str,
        allowances: &[Allowance],
    ) -> Self {
        let pairs = baseline.iter().zip(now);
        let runs: Vec<ExactRun> =
            pairs.map(|(was, now)| run(was, now.as_ref(), why, allowances)).collect();
        Self::made(name, 1, runs, setup(baseline, now))
    }

    pub(super) fn made(
        name: &str,
        draws: usize,
        runs: Vec<ExactRun>,
        setup: Vec<SetupDiffers>,
    ) -> Self {
        let worst = runs.iter().map(|run| run.answer.kind()).max();
        let answer = worst.unwrap_or(GateAnswer::NotMeasured);
        Self { name: name.to_owned(), draws, answer, runs, setup }
    }

    pub fn findings(&self) -> Vec<Finding> {
        let mut runs: Vec<&ExactRun> = self.runs.iter().collect();
        runs.sort_by_key(|run| Reverse(run.answer.kind()));
        let passes = (self.answer == GateAnswer::Passes).then(|| {
            let (baseline, runs) = (self.name.clone(), self.runs.len());
            let rows = self.runs.iter().map(|run| run.rows).sum();
            match self.draws {
                1 => AboutGate::Equal { baseline, runs, rows },
                draws => AboutGate::NoneLonger { baseline, runs, rows, draws },
            }
        });
        let setup = filled(self.setup.clone()).map(|facts| AboutGate::SetupDiffers { facts });
        let [passes, setup] = [passes, setup].map(|finding| finding.map(Finding::Gate).into_iter());
        passes.chain(of_runs(&runs)).chain(setup).collect()
    }
}

impl ExactAnswer {
    fn kind(&self) -> GateAnswer {
        match self {
            Self::Equal | Self::Allowed { .. } | Self::NotLonger(_) => GateAnswer::Passes,
            Self::NotMeasured { .. } => GateAnswer::NotMeasured,
            Self::Differs(_) | Self::Longer(_) => GateAnswer::Fails,
        }
    }
}

impl ExactRun {
    pub(super) fn of(was: &Outcome, now: Option<&Outcome>, answer: ExactAnswer) -> Self {
        let header = &now.unwrap_or(was).header;
        let lab = header.machine.lab.as_ref();
        Self {
            run: header.spec.title(),
            kernel: lab.map_or_else(String::new, |lab| lab.kernel.clone()),
            rows: was.rows.len(),
            samples_sha256: None,
            answer,
        }
    }

    fn paths(&self, rows: &[RowMoved]) -> Vec<PathMoved> {
        let path = |row: &RowMoved| PathMoved {
            run: self.run.clone(),
            kernel: self.kernel.clone(),
            row: row.clone(),
        };
        rows.iter().map(path).collect()
    }

    /// Returns the finding about the run; `None` if it is equal to its baseline.
    pub fn finding(&self) -> Option<Finding> {
        let run = self.run.clone();
        Some(Finding::Gate(match &self.answer {
            ExactAnswer::Equal | ExactAnswer::NotLonger(_) => return None,
            ExactAnswer::Longer(moved) => AboutGate::Longer { paths: self.paths(&moved.longer) },
            ExactAnswer::Allowed { reason } => AboutGate::Allowed { run, reason: reason.clone() },
            ExactAnswer::NotMeasured { why } => AboutGate::NotMade { run, why: why.clone() },
            ExactAnswer::Differs(difference) => AboutGate::RunDiffers {
                run,
                kernel: self.kernel.clone(),
                difference: difference.clone(),
            },
        }))
    }
}

/// Returns the findings of all runs; those over draws together, so that the largest changes come first.
fn of_runs(runs: &[&ExactRun]) -> Vec<Finding> {
    let moved = |which: fn(&Moved) -> &Vec<RowMoved>| {
        let paths = runs.iter().flat_map(|run| match &run.answer {
            ExactAnswer::Longer(moved) | ExactAnswer::NotLonger(moved) => run.paths(which(moved)),
            _ => Vec::new(),
        });
        let mut paths: Vec<PathMoved> = paths.collect();
        paths.sort_by(|a, b| a.row.by_ratio(&b.row));
        filled(paths)
    };
    let longer = moved(|moved| &moved.longer).map(|paths| AboutGate::Longer { paths });
    let shorter = moved(|moved| &moved.shorter).map(|paths| AboutGate::Shorter { paths });
    let each = runs.iter().filter(|run| !matches!(run.answer, ExactAnswer::Longer(_)));
    let [longer, shorter] = [longer, shorter].map(|about| about.map(Finding::Gate));
    longer.into_iter().chain(each.filter_map(|run| run.finding())).chain(shorter).collect()
}

fn run(was: &Sampled, now: Option<&Sampled>, why: &str, allowances: &[Allowance]) -> ExactRun {
    let samples_sha256 = now.and_then(|now| samples(&now.outcome));
    let allowed = || {
        let is_it =
            |allowance: &&Allowance| Some(&*allowance.samples_sha256) == samples_sha256.as_deref();
        let reason = allowances.iter().find(is_it)?.reason.clone();
        Some(ExactAnswer::Allowed { reason })
    };
    let answer = match now {
        None => ExactAnswer::NotMeasured { why: why.to_owned() },
        Some(now) => match (invalidating(&now.outcome), difference(was, now)) {
            (Some(why), _) => ExactAnswer::NotMeasured { why: why.cause() },
            (None, None) => ExactAnswer::Equal,
            (None, Some(difference)) => allowed().unwrap_or(ExactAnswer::Differs(difference)),
        },
    };
    let made = now.map(|now| &now.outcome);
    ExactRun { samples_sha256, ..ExactRun::of(&was.outcome, made, answer) }
}

fn samples(outcome: &Outcome) -> Option<String> {
    outcome.found.lab.as_ref().map(|lab| lab.samples_sha256.clone())
}

fn difference(was: &Sampled, now: &Sampled) -> Option<RunDifference> {
    let (before, after) = (&was.outcome, &now.outcome);
    if samples(before) == samples(after) && before.rows == after.rows {
        return None;
    }
    let ns = instruction_ns(&after.header.machine).unwrap_or(1) as i64;
    let labels = each_once(before.rows.iter().chain(&after.rows).map(|row| &row.label));
    let none = Row::default();
    let row = |label: &String| {
        let [was, now] = [before, after].map(|run| run.rows.iter().find(|row| row.label == *label));
        let figures = figures(was.unwrap_or(&none), now.unwrap_or(&none), ns);
        (was != now).then(|| RowDiffers { label: label.clone(), figures })
    };
    Some(RunDifference {
        rows: labels.into_iter().filter_map(row).collect(),
        first: first(&was.tracks, &now.tracks, ns),
    })
}

fn figures(was: &Row, now: &Row, ns: i64) -> Vec<FigureDiffers> {
    let figures = |row: &Row| {
        let counts = [("due", row.due), ("executed", row.executed), ("skipped", row.skipped)];
        let counts = counts.map(|(name, count)| (name, count as i64, false));
        let time = |name, of: &dyn Fn(&Distribution) -> i64| {
            (name, row.latency.as_ref().map_or(0, of) / ns, true)
        };
        let quantiles =
            QUANTILES.map(|(name, _, share)| time(name, &|times| times.quantile_ns(share)));
        let shortest = time("shortest", &|times| times.min.value_ns);
        let longest = time(LONGEST, &|times| times.max.value_ns);
        [&counts[..], &[shortest], &quantiles, &[longest]].concat()
    };
    let both = figures(was).into_iter().zip(figures(now)).filter(|(was, now)| was != now);
    let differs = both.map(|((figure, was, is_in_instructions), (_, now, _))| FigureDiffers {
        figure,
        was,
        now,
        is_in_instructions,
    });
    differs.collect()
}

fn first(was: &[Track], now: &[Track], ns: i64) -> Option<FirstDiffering> {
    was.iter().find_map(|track| {
        let other = now.iter().find(|other| other.name == track.name);
        track.columns.iter().find_map(|column| {
            let after = other.map_or(&[][..], |other| other.values(&column.name));
            let before = &column.values;
            let differs = |index: &usize| before.get(*index) != after.get(*index);
            let index = (0..before.len().max(after.len())).find(differs)?;
            let (was, now) = (before.get(index).copied(), after.get(index).copied());
            let is_time = column.name.ends_with("_ns");
            let instructions = was.zip(now).filter(|_| is_time).map(|(was, now)| (now - was) / ns);
            let (track, column) = (track.name.clone(), column.name.clone());
            Some(FirstDiffering { track, column, index, was, now, instructions })
        })
    })
}

/// Facts that differ in each session, and one that the lab names part by part.
const OF_NO_INTEREST: [&str; 4] = ["Runs", "First run", "Last run", "Kernel command line"];

/// Returns the facts about the setups that differ; one that says so if only their hashes do.
pub(super) fn setup(baseline: &[Sampled], now: &[Option<Sampled>]) -> Vec<SetupDiffers> {
    let hash = |run: &Outcome| run.found.lab.as_ref().map(|lab| lab.setup_sha256.clone());
    let pairs = baseline.iter().zip(now).filter_map(|(was, now)| {
        let pair = [&was.outcome, &now.as_ref()?.outcome];
        (hash(pair[0]) != hash(pair[1])).then_some(pair)
    });
    let pairs: Vec<[&Outcome; 2]> = pairs.collect();
    let differing = pairs.iter().flat_map(|pair| files(pair).into_iter().chain(facts(pair)));
    let mut all = each_once(differing);
    if all.is_empty() && !pairs.is_empty() {
        all.push(SetupDiffers {
            what: "Hash of the setup".to_owned(),
            was: "another build of steadfast, or another file of the guest".to_owned(),
            now: "no recorded fact differs".to_owned(),
        });
    }
    all
}

fn facts(pair: &[&Outcome; 2]) -> Vec<SetupDiffers> {
    let systems = pair.iter().filter_map(|run| System::named(String::new(), vec![*run]));
    let facts = differing(&systems.collect::<Vec<System>>()).into_iter();
    let facts = facts.filter(|fact| !OF_NO_INTEREST.contains(&&*fact.what));
    let fact = |fact: Differing| {
        let [was, now] = fact.values.try_into().ok()?;
        Some(SetupDiffers { what: fact.what, was, now })
    };
    facts.filter_map(fact).collect()
}

fn files([was, now]: &[&Outcome; 2]) -> Vec<SetupDiffers> {
    let files = was.header.spec.files.iter().zip(&now.header.spec.files);
    let differs = files.filter(|(was, now)| was != now).map(|(was, now)| SetupDiffers {
        what: format!("File {}", now.path),
        was: was.sha256.clone(),
        now: now.sha256.clone(),
    });
    differs.collect()
}
