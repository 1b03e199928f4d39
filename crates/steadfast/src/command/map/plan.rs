//! A map as a plan: a pretest if needed, then the map itself. Each has rounds in random order, so
//! that drift affects all cells of a round alike.

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

/// How many runs of a map, or of its pretest, are repeated because something else disturbed them.
const MOST_REPEATS: usize = 20;

/// The rounds of a map, and of its pretest before it.
pub(super) struct Mapping {
    question: Question,
    standards: Standards,
    rounds: Rounds,
    is_pretest: bool,
    /// The runs that the map consists of, by their specification.
    used: BTreeSet<String>,
}

impl Mapping {
    /// Creates a map whose results are judged by these standards.
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

    /// What is varied.
    pub(super) fn axis(&self) -> &Axis {
        &self.question.axis
    }

    /// The map, where it came to its end.
    pub(super) fn refinement(&self) -> Option<&Refinement> {
        self.is_done().then_some(&self.rounds.map)
    }

    /// Selects the runs that belong to the map.
    pub(super) fn own(&self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        let mut wanted = self.used.clone();
        let is_own = |outcome: &Outcome| wanted.remove(&key(&outcome.header.spec));
        // Prefers a valid run to the one that it repeats.
        let (valid, others): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Outcome::is_valid);
        valid.into_iter().chain(others).filter(is_own).collect()
    }

    /// Starts the map that the pretest proposes.
    fn begin_map(&mut self, rate: Rate) {
        let proposed = pretest::proposed(&self.question.rows, rate, &self.rounds.map);
        say(&format!("Pretest at {rate}: {}.", in_words_of(&proposed)));
        let (rows, reach): (Vec<_>, Vec<_>) =
            proposed.into_iter().map(|row| (row.row, row.reach)).unzip();
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

/// Rounds, until no cell is left to try.
struct Rounds {
    what: &'static str,
    axis: Axis,
    rows: Vec<RunSpec>,
    map: Refinement,
    /// Number of known outcomes that are in `cells`.
    taken: usize,
    cells: BTreeMap<String, Option<Severity>>,
    round: usize,
    wanted: Vec<Place>,
    queue: VecDeque<Place>,
    /// The place that was requested last.
    asked: Option<Place>,
    /// How many more runs may be repeated.
    repeats: usize,
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
            repeats: MOST_REPEATS,
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

    /// Returns the next run whose outcome is not known; `None` at the end, or if a cell of a round
    /// has no result.
    fn next(
        &mut self,
        known: &Known,
        standards: &Standards,
        used: &mut BTreeSet<String>,
    ) -> Option<RunSpec> {
        for outcome in known.since(self.taken) {
            self.taken += 1;
            if outcome.is_worth_repeating() {
                if let Some(repeats) = self.repeats.checked_sub(1) {
                    self.repeats = repeats;
                    self.queue.extend(self.asked);
                }
                continue;
            }
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

    /// Continues without a size that cannot be run, and without larger ones in its row.
    fn refused(&mut self, why: Error) -> Result<()> {
        let Some(place) = self.asked.filter(|place| self.map.end_below(*place)) else {
            return Err(why);
        };
        self.wanted.retain(|place| self.map.has(*place));
        self.queue.retain(|place| self.map.has(*place));
        tell(&format!(
            "{} cannot be tried, so its row stays below that: {why:#}",
            words::place(&self.axis, place.size)
        ));
        Ok(())
    }

    /// Returns what is left of the round.
    fn left(&self) -> Left {
        let queue = self.queue.iter();
        let specs = queue.map(|place| question::spec(&self.rows, &self.axis, *place));
        let missing = specs.filter(|spec| !self.cells.contains_key(&key(spec)));
        let (runs, time) = missing
            .fold((0, Duration::ZERO), |(runs, time), spec| (runs + 1, time + planned(&spec)));
        Left { runs: Some(runs), time }
    }
}

/// Returns a key that is the same for equal runs only.
fn key(spec: &RunSpec) -> String {
    serde_json::to_string(spec).expect("a specification is plain data")
}

/// Returns what a round is, and how much may follow.
fn ahead(what: &str, round: usize, missing: &[&RunSpec], left: Option<usize>) -> String {
    let durations = || missing.iter().map(|spec| spec.asked.duration.0);
    let time = Duration::from_nanos(durations().sum());
    let now = format!("{what}, round {round}: {} runs, {}", missing.len(), in_words(time));
    match left.map(|left| left.saturating_sub(missing.len())) {
        Some(0) => format!("{now}; this is the last round."),
        Some(later) => {
            let each = Duration::from_nanos(durations().max().unwrap_or(0));
            let times = u32::try_from(later).unwrap_or(u32::MAX);
            let then = in_words(each.saturating_mul(times));
            format!("{now}; then about {later} more runs, {then}.")
        }
        None => format!("{now}; then larger sizes, and sizes near the edges."),
    }
}

/// Returns the pretest's proposals in words, such as `rows worth mapping: --threads 1 (usable up to
/// 12 000 masses)`.
fn in_words_of(proposed: &[Proposed]) -> String {
    let one = |one: &Proposed| {
        let threads = one.row.parameters.count("threads");
        let usable = one
            .usable
            .map_or_else(|| "no size".to_owned(), |usable| words::place(&Axis::Masses, usable));
        format!("--threads {threads} (usable up to {usable})")
    };
    let all: Vec<String> = proposed.iter().map(one).collect();
    format!("rows worth mapping: {}", all.join(", "))
}
