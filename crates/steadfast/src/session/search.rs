//! The search of `frontier` and `map` as a plan: the next run is the one that gives most
//! information in the time that is left.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::mem;
use std::time::{Duration, Instant};

use analysis::capacity::Size;
use analysis::finding::{AboutCapacity, Finding, Point};
use analysis::standards::{Demanded, SoftShare};
use analysis::words::{self, counted};
use anyhow::{Error, Result, bail};
use base::Nanos;
use record::{Axis, Outcome, RunSpec};
use stats::Tries;
use stats::frontier::{Criterion, Demands, Known as Sizes, Next, Search};

use crate::session::budget::Need;
use crate::session::driver::{
    Due, Ended, Known, Left, OVERHEAD, Plan, Targets, Work, planned, time_for_runs,
};
use crate::session::progress::in_words;
use crate::session::search_args::{self, VariedArgs};
use crate::startup::output::tell;

/// The shortest budget: pilot runs and a report take a few seconds.
const LEAST_BUDGET: Nanos = Nanos(5_000_000_000);
/// A run that time cuts short to fewer deadlines than this shows too little to be worth making.
const FEWEST: u64 = 50;
/// How many runs of a fixed length are repeated because something else disturbed them.
const MOST_REPEATS: usize = 20;

pub(crate) fn time_of(budget: Nanos) -> Result<Duration> {
    if budget < LEAST_BUDGET {
        bail!("--budget: {budget} is too short; the minimum is {LEAST_BUDGET}");
    }
    Ok(time_for_runs(budget))
}

pub(crate) struct FrontierSearch {
    axis: Axis,
    pub(crate) lines: Vec<SearchLine>,
    lengths: Lengths,
    /// The only size to try, if the question is about its headroom.
    size: Option<u64>,
    before: Vec<SearchLine>,
    then: Option<Box<NextLines>>,
    /// Number of known outcomes that the lines have already learnt from.
    taken: usize,
    /// The machine of the last outcome. Outcomes of another machine say nothing about this one.
    machine: String,
    repeats: usize,
    asked: Option<Trial>,
}

/// Returns the lines that follow lines without a run left.
type NextLines = dyn FnOnce(&[SearchLine]) -> Vec<SearchLine>;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lengths {
    /// As long as the search needs. An unfinished session is resumed.
    Searched,
    /// As long as their line says, so that any session's runs are part of the same picture.
    Fixed,
}

/// The search among runs that differ in size and length alone.
pub(crate) struct SearchLine {
    /// A specification; its size and steps are placeholders.
    pub(crate) template: RunSpec,
    pub(crate) search: Search<Demanded>,
    pub(crate) known: Sizes,
    /// Indices of the runs of each size among all known outcomes.
    tried: BTreeMap<u64, Vec<usize>>,
    spent: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Trial {
    line: usize,
    size: u64,
    steps: u64,
}

impl Plan for FrontierSearch {
    fn next(&mut self, known: &Known) -> Option<Due> {
        self.learn(known);
        let is_over = || self.lines.iter().all(|line| self.wanted(line).is_none());
        if self.then.is_some() && self.repeats > 0 && is_over() {
            let lines = self.then.take().map_or_else(Vec::new, |then| then(&self.lines));
            self.before = mem::replace(&mut self.lines, lines);
            self.taken = 0;
            self.learn(known);
        }
        let time = known.affords.unwrap_or(Duration::MAX);
        self.asked = self.trial(time).filter(|_| self.repeats > 0);
        let trial = self.asked.as_ref()?;
        let spec = self.spec(&self.lines[trial.line], trial.size, trial.steps);
        Some(Due { ordinal: known.next_ordinal(), spec })
    }

    fn left(&self) -> Left {
        let is_forecast = |line: &SearchLine| !line.known.is_empty();
        let trial = self.asked.filter(|_| self.lengths == Lengths::Fixed);
        let (Some(trial), true) = (trial, self.lines.iter().all(is_forecast)) else {
            return Left::default();
        };
        let (mut runs, mut time) = (0_usize, Duration::ZERO);
        for line in &self.lines {
            let left = line.search.left(&line.known).len();
            runs += left;
            time += planned(&line.template) * left as u32;
        }
        let own = planned(&self.lines[trial.line].template);
        Left { runs: Some(runs.saturating_sub(1)), time: time.saturating_sub(own) }
    }

    fn is_done(&self) -> bool {
        self.then.is_none() && self.lines.iter().all(|line| self.wanted(line).is_none())
    }

    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        if let Some(Trial { line, size, .. }) = self.asked
            && let SearchLine { search, known, .. } = &mut self.lines[line]
            && search.end_below(size, known)
        {
            let size = words::place(&self.axis, size);
            tell(&format!("{size} cannot be tried, so the search stays below that: {why:#}"));
            return Ok(());
        }
        Err(why)
    }
}

impl FrontierSearch {
    pub(crate) fn new(axis: Axis, lines: Vec<SearchLine>, lengths: Lengths) -> Self {
        Self {
            axis,
            lines,
            lengths,
            size: None,
            before: Vec::new(),
            then: None,
            taken: 0,
            machine: String::new(),
            repeats: MOST_REPEATS,
            asked: None,
        }
    }

    pub(crate) fn of_size(self, size: Option<u64>) -> Self {
        Self { size, ..self }
    }

    /// Makes other lines follow, which are chosen by what these found.
    pub(crate) fn followed_by(
        self,
        then: impl FnOnce(&[SearchLine]) -> Vec<SearchLine> + 'static,
    ) -> Self {
        Self { then: Some(Box::new(then)), ..self }
    }

    pub(crate) fn carry_out(
        &mut self,
        title: &str,
        plan: &[RunSpec],
        varied: &VariedArgs,
        until: Option<Instant>,
    ) -> Result<Ended> {
        let place = &varied.place;
        let mut targets = Targets::at(place)?.checked_at(place);
        let mut keeping = varied.kept.session(title, plan, place.machine()?)?;
        let known = match self.lengths {
            Lengths::Fixed => keeping.take_up_all()?,
            Lengths::Searched => keeping.take_up()?,
        };
        let work = Work::kept(Some(keeping)).knowing(known).until(until);
        let ended = work.carry_out(self, &mut targets)?;
        Ok(Ended { outcomes: self.own(ended.outcomes), ..ended })
    }

    /// Returns the runs of a picture, a pretest's last, without INVALID ones that were repeated.
    fn own(&self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        if self.lengths == Lengths::Searched {
            return outcomes;
        }
        let (mut all, mut invalid): (Vec<_>, Vec<_>) =
            outcomes.into_iter().partition(Outcome::is_valid);
        invalid.retain(|one| !all.iter().any(|valid| valid.header.spec == one.header.spec));
        all.extend(invalid);
        let is_of =
            |lines: &[SearchLine], run: &Outcome| self.line_of(lines, &run.header.spec).is_some();
        let (mut own, mut others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|run| is_of(&self.lines, run));
        others.retain(|run| is_of(&self.before, run));
        own.extend(others);
        own
    }

    fn learn(&mut self, known: &Known) {
        for outcome in known.since(self.taken) {
            let place = self.taken;
            self.taken += 1;
            let machine = outcome.header.machine.id();
            if machine != self.machine {
                self.machine = machine;
                self.lines.iter_mut().for_each(SearchLine::forget);
            }
            let Some(line) = self.line_of(&self.lines, &outcome.header.spec) else {
                continue;
            };
            self.lines[line].add(&self.axis, place, outcome, known);
            if self.lengths == Lengths::Fixed && !outcome.is_valid() {
                let left = self.repeats.saturating_sub(1);
                self.repeats = if outcome.is_worth_repeating() { left } else { 0 };
            }
        }
    }

    /// Returns the next run that fits, of the line that has had least time so far.
    fn trial(&self, time: Duration) -> Option<Trial> {
        let mut lines: Vec<usize> = (0..self.lines.len()).collect();
        lines.sort_by_key(|line| self.lines[*line].spent);
        lines.into_iter().find_map(|line| self.trial_of(line, time))
    }

    fn trial_of(&self, line: usize, time: Duration) -> Option<Trial> {
        let (size, steps) = self.wanted(&self.lines[line])?;
        let affordable = (time.as_nanos() as f64 / self.lines[line].period_ns(size)) as u64;
        let least = match self.lengths {
            Lengths::Searched => steps.min(FEWEST),
            Lengths::Fixed => steps,
        };
        (affordable >= least).then(|| Trial { line, size, steps: steps.min(affordable) })
    }

    /// Returns the size and the number of deadlines of the run that gives most information.
    fn wanted(&self, line: &SearchLine) -> Option<(u64, u64)> {
        let Some(size) = self.size else {
            return line.search.next(&line.known).map(|next| (next.size, next.steps));
        };
        let tries = line.known.get(&size).map(|seen| seen.deadlines).unwrap_or_default();
        let lacks = line.search.demand.of(size).least.saturating_sub(tries.due);
        let more = line.search.more(Criterion::InDeadlines, size, tries, 1);
        Some((size, more.or((lacks > 0).then_some(lacks))?))
    }

    fn line_of(&self, lines: &[SearchLine], spec: &RunSpec) -> Option<usize> {
        let [size, steps] = [self.axis.place(spec), measure::steps(spec)];
        lines.iter().position(|line| {
            let has = (line.search.smallest..=line.search.largest).contains(&size);
            has && self.spec(line, size, steps) == *spec
        })
    }

    fn spec(&self, line: &SearchLine, size: u64, steps: u64) -> RunSpec {
        let spec = search_args::at(&line.template, &self.axis, size);
        match self.lengths {
            Lengths::Searched => search_args::lasting(&spec, steps),
            Lengths::Fixed => spec,
        }
    }

    /// Says how long a machine without misses takes, and what to expect if that is more than the
    /// time.
    pub(crate) fn time_it_takes(&self, time: Duration) -> String {
        let (runs, takes) = self.forecast();
        let lines = counted(self.lines.len(), "line");
        let sum = format!(
            "{lines} of the search take {} on a machine without misses: {} to find and show both ends.",
            in_words(takes),
            counted(runs, "run")
        );
        match takes > time {
            true => format!("{sum} --budget is shorter, so ends may stay unshown (marked ?)."),
            false => sum,
        }
    }

    /// Returns the number of runs of the whole search, and their time, if no size that fits misses.
    fn forecast(&self) -> (usize, Duration) {
        let of_line = |line: &SearchLine| {
            let left = line.search.left(&Sizes::new());
            let each = |next: &Next| Duration::from_nanos(line.time_ns(next)) + OVERHEAD;
            (left.len(), left.iter().map(each).sum::<Duration>())
        };
        let lines = self.lines.iter().map(of_line);
        lines.fold((0, Duration::ZERO), |(runs, time), (more, longer)| (runs + more, time + longer))
    }

    /// Refuses a search that ended without a run although nothing went wrong: its time was too short,
    /// or over before a run could begin.
    pub(crate) fn expect_runs(&self, ended: &Ended, budget: Nanos) -> Result<()> {
        if !ended.outcomes.is_empty() || ended.trouble.is_some() {
            return Ok(());
        }
        let first = self.lines.iter().find_map(|line| {
            let (size, steps) = self.wanted(line)?;
            Some(self.spec(line, size, steps))
        });
        let need = first.map(|run| Need::of_run("the first run", &run));
        match need.filter(|need| need.least() > budget) {
            Some(need) => bail!("{}, or search fewer threads", need.refusal(budget)),
            None => bail!("--budget: {budget} was over before a run could begin; give more"),
        }
    }

    /// Returns what the search took, compared with a grid, and what more time would give.
    pub(crate) fn findings(&self, outcomes: &[Outcome]) -> Vec<Finding> {
        let durations = outcomes.iter().map(|outcome| outcome.header.spec.asked.duration.0);
        let effort = Finding::Capacity(AboutCapacity::SearchEffort {
            runs: outcomes.len() as u64,
            measured_ns: durations.sum(),
        });
        if self.size.is_some() {
            return vec![effort];
        }
        let is_tire = self.axis == Axis::Masses && self.lengths == Lengths::Searched;
        let of_papers =
            |line: &SearchLine| line.known.keys().last().unwrap_or(&0) / line.search.grain;
        let of_papers = self.lines.iter().map(of_papers).sum();
        let grid = Finding::Capacity(AboutCapacity::FullGrid {
            axis: self.axis.clone(),
            places: self.lines.iter().map(|line| line.search.grid_size(&line.known)).sum(),
            // 0 while no size is known.
            of_papers: (is_tire && of_papers > 0).then_some(of_papers),
        });
        let unfinished = self.lines.iter().filter_map(|line| line.unfinished(&self.axis));
        // Both ends are shown only by runs as long as that takes.
        let is_shown = self.lengths == Lengths::Searched && self.is_done();
        let finished = is_shown.then_some(Finding::Capacity(AboutCapacity::Finished));
        let ended = self.lines.iter().find_map(|line| line.ended_by_few_misses(&self.axis));
        let ended = ended.filter(|_| is_shown);
        [effort, grid].into_iter().chain(unfinished).chain(finished).chain(ended).collect()
    }
}

impl SearchLine {
    pub(crate) fn new(template: RunSpec, search: Search<Demanded>) -> Self {
        let (known, tried) = (Sizes::new(), BTreeMap::new());
        Self { template, search, known, tried, spent: Duration::ZERO }
    }

    fn add(&mut self, axis: &Axis, place: usize, outcome: &Outcome, known: &Known) {
        let spec = &outcome.header.spec;
        self.spent += Duration::from(spec.asked.duration);
        if outcome.is_valid() && !outcome.rows.is_empty() {
            let size = axis.place(spec);
            let tried = self.tried.entry(size).or_default();
            tried.push(place);
            let runs = tried.iter().filter_map(|place| known.since(*place).next());
            let mut seen = Size::of(runs).seen();
            seen.usual_ns *= self.search.demand.times_as_often(size);
            self.known.insert(size, seen);
        }
    }

    fn forget(&mut self) {
        self.tried.clear();
        self.known.clear();
    }

    fn period_ns(&self, size: u64) -> f64 {
        self.search.period_ns / self.search.demand.times_as_often(size)
    }

    fn time_ns(&self, next: &Next) -> u64 {
        (next.steps as f64 * self.period_ns(next.size)) as u64
    }

    /// Returns the misses at the easiest place, if a search for no miss ended there although they
    /// are as few as soft real time allows.
    fn ended_by_few_misses(&self, axis: &Axis) -> Option<Finding> {
        let (place, seen) = self.known.first_key_value()?;
        let Tries { missed, due, .. } = seen.deadlines;
        let is_hard = self.search.demand.of(*place).most == 0.0;
        let are_few = missed > 0 && missed as f64 <= SoftShare::default().share() * due as f64;
        let threads = self.template.parameters.threads();
        let at = Point { axis: axis.clone(), place: *place, threads };
        let ended = AboutCapacity::EndedByFewMisses { at, missed, due };
        (is_hard && are_few).then_some(Finding::Capacity(ended))
    }

    fn unfinished(&self, axis: &Axis) -> Option<Finding> {
        let left = self.search.left(&self.known);
        if left.is_empty() {
            return None;
        }
        let period = self.template.parameters.rate_period();
        Some(Finding::Capacity(AboutCapacity::Unfinished {
            rate_hz: (*axis != Axis::Rate).then(|| 1e9 / period.0 as f64),
            threads: self.template.parameters.threads(),
            runs: left.len() as u64,
            time_ns: left.iter().map(|next| self.time_ns(next)).sum(),
        }))
    }
}
