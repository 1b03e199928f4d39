//! What a certificate states about stored runs, and the order of several certificates.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use base::{CpuSet, SchemaVersion};
use record::{Asked, RunSpec, SELF_TEST, Warning};
use serde::Serialize;
use stats::{Distribution, Misses, Tries, can_decide, chance_of_misses};

use crate::finding::{AboutCertificates, Disagreement, Finding};
use crate::lists::{each_once, found_or_new, groups};
use crate::survey::{Series, System, loads};
use crate::{Analysis, real_time, self_test, survey, words};

/// The statements of a certificate, apart from the answer of its runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Certificate {
    schema_version: SchemaVersion<1>,
    pub tool_version: &'static str,
    pub scope: Vec<Scope>,
    pub self_tests: Vec<Finding>,
    pub not_tried: Vec<Finding>,
    /// What disturbed runs without making them INVALID.
    pub warned: Vec<Finding>,
    pub commands: Vec<String>,
    pub recordings: Vec<Recorded>,
    /// Hash over the names and hashes of all recordings; `None` if no samples were kept.
    pub recordings_sha256: Option<String>,
}

/// Runs of one measurement under one load and of one duration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scope {
    pub run: String,
    pub loads: String,
    /// Of each run.
    pub duration_ns: u64,
    pub runs: usize,
    pub invalid: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    pub run_id: String,
    /// Hash of everything that was recorded; `None` if only histograms were kept.
    pub samples_sha256: Option<String>,
}

impl Certificate {
    /// States what is known about the runs; `loads` are the names of all that could be tried.
    pub fn of(
        analysis: &Analysis,
        tool_version: &'static str,
        loads: &[&str],
        commands: Vec<String>,
        recordings: Vec<Recorded>,
        recordings_sha256: Option<String>,
    ) -> Self {
        Self {
            schema_version: SchemaVersion,
            tool_version,
            scope: scope(analysis),
            self_tests: analysis.systems.iter().filter_map(self_test::tested).collect(),
            not_tried: not_tried(analysis, loads),
            warned: warned(analysis),
            commands,
            recordings,
            recordings_sha256,
        }
    }
}

fn scope(analysis: &Analysis) -> Vec<Scope> {
    let mut all: Vec<Scope> = Vec::new();
    for outcome in &analysis.outcomes {
        let spec = &outcome.header.spec;
        let (run, invalid) = (without_loads(spec).title(), usize::from(!outcome.is_valid()));
        let (loads, duration_ns) = (loads(&spec.asked), spec.asked.duration.0);
        let new = Scope { run, loads, duration_ns, runs: 0, invalid: 0 };
        let is_same = |known: &Scope| {
            (&known.run, &known.loads, known.duration_ns) == (&new.run, &new.loads, duration_ns)
        };
        let scope = found_or_new(&mut all, is_same, || new.clone());
        scope.runs += 1;
        scope.invalid += invalid;
    }
    all
}

fn without_loads(spec: &RunSpec) -> RunSpec {
    RunSpec { asked: Asked { loads: Vec::new(), ..spec.asked.clone() }, ..spec.clone() }
}

fn not_tried(analysis: &Analysis, loads: &[&str]) -> Vec<Finding> {
    let specs = analysis.outcomes.iter().map(|outcome| &outcome.header.spec);
    let measured = || specs.clone().filter(|spec| spec.measurement != SELF_TEST);
    let tried: BTreeSet<&str> =
        measured().flat_map(|spec| &spec.asked.loads).map(|load| load.name.as_str()).collect();
    let left = loads.iter().filter(|name| !tried.contains(*name)).map(|name| (*name).to_owned());
    let left: Vec<String> = left.collect();
    let left = (!left.is_empty()).then_some(AboutCertificates::LoadsNotTried { loads: left });
    let cpus = match &*analysis.systems {
        [only] => cpus_left(only),
        _ => None,
    };
    let longest = measured().map(|spec| spec.asked.duration.0).max();
    let longest = longest.map(|duration_ns| AboutCertificates::LongestRun { duration_ns });
    [left, cpus, longest].into_iter().flatten().map(Finding::Certificates).collect()
}

/// Returns each warning of runs, with and without deadlines, with the number of its runs.
fn warned(analysis: &Analysis) -> Vec<Finding> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for outcome in &analysis.outcomes {
        let warnings = survey::warnings(outcome).filter(|warning| !warning.invalidates());
        for cause in each_once(warnings.map(Warning::cause)) {
            found_or_new(&mut counts, |(known, _)| *known == cause, || (cause.clone(), 0)).1 += 1;
        }
    }
    let of = analysis.outcomes.len();
    let finding = |(cause, runs)| AboutCertificates::Warned { cause, runs, of };
    counts.into_iter().map(finding).map(Finding::Certificates).collect()
}

fn cpus_left(system: &System) -> Option<AboutCertificates> {
    let asked = system.outcomes.iter().map(|outcome| &outcome.header.spec.asked.cpus);
    let measured = asked.fold(CpuSet::default(), |all, more| all.with(more));
    let left: CpuSet = system.machine.cpus.iter().filter(|cpu| !measured.contains(*cpu)).collect();
    let is_any = !left.is_empty() && !measured.is_empty();
    is_any.then(|| AboutCertificates::CpusNotMeasured { cpus: left.in_words() })
}

pub struct Entrant<'e, 'a> {
    pub name: String,
    pub analysis: &'e Analysis<'a>,
    pub is_recomputed: bool,
    /// What contradicts its figures; such a certificate is not ranked.
    pub problem: Option<Disagreement>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    pub findings: Vec<Finding>,
    pub tests: Vec<Test>,
}

/// What several certificates may have in common: measurement, parameters, load and duration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    pub run: String,
    pub loads: String,
    /// The time of all valid runs together.
    pub duration_ns: u64,
    /// The best first; a single one has no rank.
    pub places: Vec<Place>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    pub name: String,
    pub runs: usize,
    pub missed: u64,
    /// 0 if nothing has a deadline.
    pub due: u64,
    pub p999_ns: Option<i64>,
    pub max_ns: Option<i64>,
    /// Whether it is shown to be better than the next one; `None` for the last.
    pub shown: Option<bool>,
    pub is_recomputed: bool,
    /// The figure of each run that decides if nothing was missed.
    #[serde(skip)]
    each_ns: Vec<i64>,
    #[serde(skip)]
    each_missed: Vec<Misses>,
}

impl Board {
    /// Puts certificates in order: by the share of missed deadlines, then by p99.9.
    pub fn of(entrants: &[Entrant]) -> Self {
        let mut tests: Vec<Test> = Vec::new();
        for entrant in entrants.iter().filter(|entrant| entrant.problem.is_none()) {
            let systems = entrant.analysis.systems.iter();
            let series =
                systems.flat_map(|system| system.series.iter().map(move |series| (system, series)));
            for (system, series) in series {
                add(&mut tests, entrant, system, series);
            }
        }
        tests.iter_mut().for_each(Test::order);
        Self { findings: findings(entrants, &tests), tests }
    }
}

fn add(tests: &mut Vec<Test>, entrant: &Entrant, system: &System, series: &Series) {
    let Some(latency) = series.latency.as_ref().filter(|_| series.headline()) else { return };
    let spec = series.spec;
    let cpus = words::counted(spec.asked.cpus.len(), "CPU");
    let run = format!("{} on {cpus}", without_loads(spec).title());
    let duration_ns = spec.asked.duration.0 * series.rows.len() as u64;
    let place = Place::of(entrant, system, series, latency);
    let loads = loads(&spec.asked);
    let is_same = |test: &&mut Test| {
        (&test.run, &test.loads, test.duration_ns) == (&run, &loads, duration_ns)
    };
    match tests.iter_mut().find(is_same) {
        // Runs that differ in another condition only are not ranked among each other.
        Some(test) if test.places.iter().any(|known| known.name == place.name) => {}
        Some(test) => test.places.push(place),
        None => tests.push(Test { run, loads, duration_ns, places: vec![place] }),
    }
}

impl Place {
    fn of(entrant: &Entrant, system: &System, series: &Series, latency: &Distribution) -> Self {
        let each = series.latencies();
        let deadlines: Vec<Tries> = system.runs_of(series).filter_map(real_time::of_run).collect();
        Self {
            name: entrant.name.clone(),
            runs: series.rows.len(),
            missed: deadlines.iter().map(|run| run.missed).sum(),
            due: deadlines.iter().map(|run| run.due).sum(),
            p999_ns: Some(latency.quantile_ns(P999)),
            max_ns: Some(latency.max.value_ns),
            shown: None,
            is_recomputed: entrant.is_recomputed,
            each_ns: each.map(|latency| latency.quantile_ns(P999)).collect(),
            each_missed: deadlines.iter().map(|run| [run.missed, run.due]).collect(),
        }
    }

    fn share_missed(&self) -> f64 {
        self.missed as f64 / self.due.max(1) as f64
    }

    fn order(&self, other: &Self) -> Ordering {
        let by_misses = self.share_missed().total_cmp(&other.share_missed());
        by_misses.then(self.p999_ns.cmp(&other.p999_ns))
    }

    /// Returns whether it is shown to be better than a worse one, with the run as the unit: equal
    /// machines would miss as unequally in at most 5 % of cases; or neither missed a deadline, and
    /// p99.9 of every run is below that of every run of the other, of enough runs to decide.
    fn is_shown_before(&self, worse: &Self) -> bool {
        if self.missed + worse.missed > 0 {
            return self.share_missed() < worse.share_missed()
                && chance_of_misses(&worse.each_missed, &self.each_missed) <= LEVEL;
        }
        let is_apart = self.each_ns.iter().max() < worse.each_ns.iter().min();
        is_apart && can_decide(self.each_ns.len(), worse.each_ns.len())
    }
}

const LEVEL: f64 = 0.05;
const P999: f64 = 0.999;

impl Test {
    fn order(&mut self) {
        self.places.sort_by(Place::order);
        for at in 1..self.places.len() {
            let (better, worse) = (&self.places[at - 1], &self.places[at]);
            self.places[at - 1].shown = Some(better.is_shown_before(worse));
        }
    }

    pub fn is_ranked(&self) -> bool {
        self.places.len() > 1
    }
}

fn findings(entrants: &[Entrant], tests: &[Test]) -> Vec<Finding> {
    let ranked: Vec<&Test> = tests.iter().filter(|test| test.is_ranked()).collect();
    let first = ranked.iter().map(|test| &test.places[0].name);
    let ahead = groups(first, |a, b| a == b).into_iter();
    let mut ahead: Vec<(String, usize)> =
        ahead.map(|tests| (tests[0].clone(), tests.len())).collect();
    ahead.sort_by_key(|(_, tests)| std::cmp::Reverse(*tests));
    let shown = ranked.iter().filter(|test| test.places[0].shown == Some(true)).count();
    let tests = ranked.len();
    let first = match ahead.as_slice() {
        [] => AboutCertificates::NotComparable { certificates: entrants.len() },
        [(name, _)] => AboutCertificates::Ahead { name: name.clone(), tests, shown },
        _ => AboutCertificates::Mixed { ahead, tests },
    };
    let left = entrants.iter().filter_map(|entrant| {
        let (name, problem) = (entrant.name.clone(), entrant.problem.clone()?);
        Some(AboutCertificates::NotRanked { name, problem })
    });
    let order = (tests > 0).then_some(AboutCertificates::OrderShown);
    [first].into_iter().chain(left).chain(order).map(Finding::Certificates).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{frames, refused, tire, wakeup};
    use crate::standards::DEFAULT_STANDARDS;
    use base::Policy;
    use record::{Outcome, fact};

    fn runs(usual: f64, missed: u64) -> Vec<Outcome> {
        let run = |place: u32| {
            let usual = usual * (1.0 + 0.01 * f64::from(place));
            let mut run = wakeup(Policy::Fifo(80), None, usual, 10.0 * usual);
            run.rows[0].skipped = missed;
            run
        };
        (0..3).map(run).collect()
    }

    #[test]
    fn every_warning_is_stated_also_of_runs_without_deadlines() {
        let who = "process 7 on CPU 1".to_owned();
        let beside = Warning::MeasuredBeside { who, asked: true };
        let mut runs = runs(8e3, 0);
        runs.push(refused());
        for run in &mut runs[..2] {
            run.header.spec.measurement = "fifo_transfer".to_owned();
            run.warnings = vec![beside.clone(), beside.clone()];
        }
        let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
        let stated = Certificate::of(&analysis, "1", &[], Vec::new(), Vec::new(), None).warned;
        let expected = AboutCertificates::Warned { cause: beside.cause(), runs: 2, of: 4 };
        assert_eq!(stated, [Finding::Certificates(expected)]);
    }

    fn board(all: &[(&str, Vec<Outcome>)]) -> Board {
        let analyses: Vec<Analysis> =
            all.iter().map(|(_, runs)| Analysis::of(runs, &DEFAULT_STANDARDS)).collect();
        let names = all.iter().map(|(name, _)| *name);
        let entrants = names.zip(&analyses).map(|(name, analysis)| Entrant {
            name: name.to_owned(),
            analysis,
            is_recomputed: false,
            problem: (name == "forged").then_some(Disagreement::SignatureWrong),
        });
        Board::of(&entrants.collect::<Vec<Entrant>>())
    }

    fn first(board: &Board) -> &AboutCertificates {
        match &board.findings[0] {
            Finding::Certificates(finding) => finding,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_machine_that_misses_less_or_wakes_earlier_is_ahead() {
        let found =
            board(&[("slow", runs(9e3, 0)), ("fast", runs(5e3, 0)), ("late", runs(4e3, 9))]);
        let places = found.tests[0].places.iter().map(|place| (&*place.name, place.shown));
        let expected = [("fast", Some(true)), ("slow", Some(true)), ("late", None)];
        assert_eq!(places.collect::<Vec<_>>(), expected);
        let ahead = AboutCertificates::Ahead { name: "fast".into(), tests: 1, shown: 1 };
        assert_eq!(first(&found), &ahead);
    }

    #[test]
    fn machines_are_ranked_by_missed_deadlines_alone() {
        let missed = |run: &Outcome| {
            let found = board(&[("a", vec![run.clone()])]);
            (found.tests[0].places[0].missed, found.tests[0].places[0].due)
        };
        let mut yields = runs(5e3, 9).remove(0);
        yields.header.spec.measurement = "task_switch".into();
        assert_eq!(missed(&yields), (0, 0));
        assert_eq!(missed(&tire("real-time", 100, 1, 1000, 7)), (7, 1_000));
        let mut of_second = frames("timer", 0);
        of_second.rows[2].tell(&fact::MISSED, 4);
        assert_eq!(missed(&of_second), (4, 2_000));
    }

    #[test]
    fn one_run_a_side_shows_nothing_and_unequal_tests_are_not_ranked() {
        let single = |usual| runs(usual, 0)[..1].to_vec();
        let found = board(&[("slow", single(9e3)), ("fast", single(5e3))]);
        assert_eq!(found.tests[0].places[0].shown, Some(false));
        let mut longer = runs(5e3, 0);
        longer[0].header.spec.asked.duration.0 *= 2;
        let found = board(&[("a", runs(5e3, 0)), ("b", longer[..1].to_vec())]);
        assert_eq!(first(&found), &AboutCertificates::NotComparable { certificates: 2 });
        let found = board(&[("a", runs(5e3, 0)), ("forged", runs(4e3, 0)), ("b", vec![refused()])]);
        assert!(found.tests.iter().all(|test| !test.is_ranked()), "{found:?}");
        assert_eq!(found.findings.len(), 2, "the forged one is named: {found:?}");
    }

    #[test]
    fn what_was_not_tried_is_listed() {
        let runs = runs(5e3, 0);
        let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
        let stated = Certificate::of(&analysis, "1", &["cpu", "disk"], vec![], vec![], None);
        let [Finding::Certificates(loads), Finding::Certificates(cpus), _] = &stated.not_tried[..]
        else {
            panic!("{:?}", stated.not_tried)
        };
        let both = ["cpu", "disk"].map(str::to_owned).to_vec();
        assert_eq!(loads, &AboutCertificates::LoadsNotTried { loads: both });
        assert_eq!(cpus, &AboutCertificates::CpusNotMeasured { cpus: "CPU 0".into() });
        assert_eq!((stated.scope.len(), stated.scope[0].runs), (1, 3));
    }
}
