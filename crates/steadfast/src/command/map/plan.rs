//! A map as a plan: a pretest where it is needed, then the map itself, each in rounds whose
//! order is drawn, so that what drifts meets all cells of a round alike.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::mem;
use std::time::Duration;

use analysis::standards::Standards;
use analysis::words;
use anyhow::{Error, Result};
use plan::{Axis, Outcome, RunSpec};
use units::Rate;

use super::pretest::{self, Proposed};
use super::question::{self, Question};
use super::refine::{Place, Refinement, Severity};
use super::sizes::Sizes;
use crate::driver::{Due, Known, Left, Plan, planned};
use crate::order::Order;
use crate::output::tell;
use crate::progress::{in_words, say};

/// The rounds of a map, and before it of its pretest.
pub(super) struct Mapping {
    question: Question,
    standards: Standards,
    rounds: Rounds,
    is_pretest: bool,
    /// The runs that the map is made of, by their specification.
    used: BTreeSet<String>,
}

impl Mapping {
    /// A map whose results are judged so.
    pub(super) fn of(question: Question, standards: &Standards) -> Self {
        let is_pretest = question.pretest.is_some();
        let rounds = match question.pretest {
            Some(rate) => Rounds::of_pretest(&question.rows, rate, question.sizes),
            None => {
                let reach = vec![question.reach; question.rows.len()];
                Rounds::of_map(question.rows.clone(), &reach, &question)
            }
        };
        Self { question, standards: standards.clone(), rounds, is_pretest, used: BTreeSet::new() }
    }

    /// The map, where it came to its end.
    pub(super) fn refinement(&self) -> Option<&Refinement> {
        self.is_done().then_some(&self.rounds.map)
    }

    /// Of all that is known the runs that belong to the map.
    pub(super) fn own(&self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        let mut wanted = self.used.clone();
        let is_own = |outcome: &Outcome| wanted.remove(&key(&outcome.header.spec));
        outcomes.into_iter().filter(is_own).collect()
    }

    /// The map that the pretest proposes.
    fn begin_map(&mut self, rate: Rate) {
        let proposed = pretest::proposed(&self.question.rows, rate, &self.rounds.map);
        say(&format!("Pretest at {rate}: {}.", told(&proposed)));
        let (rows, reach): (Vec<_>, Vec<_>) =
            proposed.into_iter().map(|one| (one.row, one.reach)).unzip();
        self.rounds = Rounds::of_map(rows, &reach, &self.question);
        self.is_pretest = false;
    }
}

impl Plan for Mapping {
    fn next(&mut self, known: &Known) -> Option<Due> {
        loop {
            if let Some(spec) = self.rounds.next(known, &self.standards, &mut self.used) {
                let ordinal = known.next_ordinal();
                return Some(Due { ordinal, spec });
            }
            match self.question.pretest {
                Some(rate) if self.is_pretest && self.rounds.is_done => self.begin_map(rate),
                _ => return None,
            }
        }
    }

    fn left(&self) -> Left {
        self.rounds.left()
    }

    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        self.rounds.refused(why)
    }

    fn is_done(&self) -> bool {
        self.rounds.is_done && !self.is_pretest
    }
}

/// Round after round until no cell is left to try.
struct Rounds {
    what: &'static str,
    axis: Axis,
    rows: Vec<RunSpec>,
    map: Refinement,
    /// How many of the known outcomes are among the cells, and these.
    taken: usize,
    cells: BTreeMap<String, Option<Severity>>,
    round: usize,
    wanted: Vec<Place>,
    queue: VecDeque<Place>,
    /// What was asked for last.
    asked: Option<Place>,
    is_done: bool,
}

impl Rounds {
    fn new(what: &'static str, axis: Axis, rows: Vec<RunSpec>, map: Refinement) -> Self {
        Self {
            what,
            axis,
            rows,
            map,
            taken: 0,
            cells: BTreeMap::new(),
            round: 0,
            wanted: Vec::new(),
            queue: VecDeque::new(),
            asked: None,
            is_done: false,
        }
    }

    fn of_pretest(candidates: &[RunSpec], rate: Rate, sizes: Sizes) -> Self {
        let rows = pretest::rows(candidates, rate);
        let rough = Refinement::new(pretest::sizes(sizes), &vec![sizes.from; rows.len()]);
        Self::new("Pretest", Axis::Masses, rows, rough)
    }

    fn of_map(rows: Vec<RunSpec>, reach: &[u64], question: &Question) -> Self {
        let map = match question.is_full {
            true => Refinement::full(question.sizes, rows.len()),
            false => Refinement::new(question.sizes, reach),
        };
        Self::new("Map", question.axis.clone(), rows, map)
    }

    /// The next run that is not known; `None` at the end, and where a cell of a round has no
    /// result.
    fn next(
        &mut self,
        known: &Known,
        standards: &Standards,
        used: &mut BTreeSet<String>,
    ) -> Option<RunSpec> {
        for outcome in known.since(self.taken) {
            self.taken += 1;
            let severity = || question::severity(outcome, standards);
            let cell = self.cells.entry(key(&outcome.header.spec));
            cell.or_insert_with(severity);
        }
        loop {
            while let Some(place) = self.queue.pop_front() {
                let spec = question::spec(&self.rows, &self.axis, place);
                let key = key(&spec);
                let is_known = self.cells.contains_key(&key);
                used.insert(key);
                if !is_known {
                    self.asked = Some(place);
                    return Some(spec);
                }
            }
            for place in mem::take(&mut self.wanted) {
                let cell = key(&question::spec(&self.rows, &self.axis, place));
                let severity = self.cells.get(&cell).copied().flatten()?;
                self.map.observe(place, severity);
            }
            self.wanted = self.map.next();
            if self.wanted.is_empty() {
                self.is_done = true;
                return None;
            }
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        let wanted = self.wanted.iter();
        let specs: Vec<RunSpec> =
            wanted.map(|p| question::spec(&self.rows, &self.axis, *p)).collect();
        let missing: Vec<&RunSpec> =
            specs.iter().filter(|spec| !self.cells.contains_key(&key(spec))).collect();
        if !missing.is_empty() {
            self.round += 1;
            say(&ahead(self.what, self.round, &missing, self.map.left()));
        }
        let lines: Vec<String> = specs.iter().map(RunSpec::title).collect();
        let order = Order::drawn_from(lines.iter().map(String::as_str));
        let places = order.places(specs.len(), 1).into_iter();
        self.queue = places.map(|place| self.wanted[place]).collect();
    }

    /// Goes on without a size that cannot be made, and without larger ones in its row.
    fn refused(&mut self, why: Error) -> Result<()> {
        let Some(place) = self.asked.filter(|place| self.map.end_below(*place)) else {
            return Err(why);
        };
        self.wanted.retain(|place| self.map.has(*place));
        self.queue.retain(|place| self.map.has(*place));
        tell(&format!(
            "{} cannot be tried, so its row ends below: {why:#}",
            words::place(&self.axis, place.size)
        ));
        Ok(())
    }

    /// What of the round is left.
    fn left(&self) -> Left {
        let queue = self.queue.iter();
        let specs = queue.map(|place| question::spec(&self.rows, &self.axis, *place));
        let missing = specs.filter(|spec| !self.cells.contains_key(&key(spec)));
        let (runs, time) = missing
            .fold((0, Duration::ZERO), |(runs, time), spec| (runs + 1, time + planned(&spec)));
        Left { runs: Some(runs), time }
    }
}

/// What equal runs have in common, and others have not.
fn key(spec: &RunSpec) -> String {
    serde_json::to_string(spec).expect("a specification is plain data")
}

/// What a round is, and how much may follow.
fn ahead(what: &str, round: usize, missing: &[&RunSpec], left: Option<usize>) -> String {
    let durations = || missing.iter().map(|spec| spec.asked.duration.0);
    let time = Duration::from_nanos(durations().sum());
    let now = format!("{what}, round {round}: {} runs, {}", missing.len(), in_words(time));
    match left.map(|left| left.saturating_sub(missing.len())) {
        Some(0) => format!("{now}; the last."),
        Some(later) => {
            let each = Duration::from_nanos(durations().max().unwrap_or(0));
            let times = u32::try_from(later).unwrap_or(u32::MAX);
            let then = in_words(each.saturating_mul(times));
            format!("{now}; then about {later} more, {then}.")
        }
        None => format!("{now}; then larger sizes, and those near the edges."),
    }
}

/// `worth a row are --threads 1 (usable up to 12 000 masses)`.
fn told(proposed: &[Proposed]) -> String {
    let one = |one: &Proposed| {
        let threads = one.row.parameters.count("threads");
        let usable = one
            .usable
            .map_or_else(|| "no size".to_owned(), |usable| words::place(&Axis::Masses, usable));
        format!("--threads {threads} (usable up to {usable})")
    };
    let all: Vec<String> = proposed.iter().map(one).collect();
    format!("worth a row are {}", all.join(", "))
}
