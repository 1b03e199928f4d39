//! The frontier as a plan: the next run is the one that gives most information in the time that is
//! left.

use std::collections::BTreeMap;
use std::time::Duration;

use analysis::capacity::Size;
use analysis::standards::Demanded;
use analysis::words;
use anyhow::{Error, Result};
use plan::{Axis, Outcome, RunSpec};
use stats::frontier::{Criterion, Demands, Known as Sizes, Search};

use super::question::{Question, Trial};
use crate::driver::{Due, Known, Left, Plan};
use crate::output::tell;

/// A run that time cuts short to fewer deadlines than this shows too little to be worth making.
const FEWEST: u64 = 50;

/// The searches of all lines, and what they know. A line is one rate and number of threads.
pub(super) struct Hunt {
    question: Question,
    lines: Vec<Line>,
    /// Number of known outcomes that the lines have already learnt from.
    taken: usize,
    /// The machine of the last outcome. Outcomes of another machine say nothing about this one.
    machine: String,
    /// The trial that was requested last.
    asked: Option<Trial>,
}

/// The search for one number of threads at one rate.
pub(super) struct Line {
    pub(super) search: Search<Demanded>,
    /// Indices of the runs of each size among all known outcomes.
    tried: BTreeMap<u64, Vec<usize>>,
    pub(super) known: Sizes,
    spent: Duration,
}

impl Plan for Hunt {
    fn next(&mut self, known: &Known) -> Option<Due> {
        self.learn(known);
        self.asked = self.trial(known.affords().unwrap_or(Duration::MAX));
        let spec = self.question.spec(self.asked.as_ref()?);
        Some(Due { ordinal: known.next_ordinal(), spec })
    }

    fn left(&self) -> Left {
        Left::default()
    }

    fn is_done(&self) -> bool {
        self.lines.iter().all(|line| self.wanted(line).is_none())
    }

    /// Limits the line to the largest size known to work, because a larger one cannot be run.
    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        let Some(trial) = self.asked else {
            return Err(why);
        };
        let line = &mut self.lines[trial.line];
        let Some((largest, _)) = line.known.range(..trial.size).next_back() else {
            return Err(why);
        };
        line.search.largest = *largest;
        tell(&format!(
            "{} cannot be tried, so the search stays below that: {why:#}",
            words::place(self.axis(), trial.size)
        ));
        Ok(())
    }
}

impl Hunt {
    /// Creates a search for the answer to the question, to end within that time.
    pub(super) fn new(question: Question, time: Duration) -> Self {
        let searches = question.searches(time).into_iter();
        Self {
            lines: searches.map(Line::new).collect(),
            question,
            taken: 0,
            machine: String::new(),
            asked: None,
        }
    }

    /// Learns from the outcomes that are new.
    fn learn(&mut self, known: &Known) {
        for outcome in known.since(self.taken) {
            let place = self.taken;
            self.taken += 1;
            let machine = outcome.header.machine.id();
            if machine != self.machine {
                self.machine = machine;
                self.lines.iter_mut().for_each(Line::forget);
            }
            let line = self.question.line_of(&outcome.header.spec);
            if let Some(line) = line {
                self.lines[line].add(&self.question.axis, place, outcome, known);
            }
        }
    }

    /// Returns the next run, of the line that has had least time so far, shortened to that time;
    /// `None` if no line needs a run, or none fits.
    fn trial(&self, time: Duration) -> Option<Trial> {
        let mut lines: Vec<usize> = (0..self.lines.len()).collect();
        lines.sort_by_key(|line| self.lines[*line].spent);
        lines.into_iter().find_map(|line| self.of(line, time))
    }

    fn of(&self, line: usize, time: Duration) -> Option<Trial> {
        let (size, steps) = self.wanted(&self.lines[line])?;
        let period = self.lines[line].period_ns(size);
        let affordable = (time.as_nanos() as f64 / period) as u64;
        (affordable >= steps.min(FEWEST)).then(|| Trial {
            line,
            size,
            steps: steps.min(affordable),
        })
    }

    /// Returns the size and the number of deadlines of the run that gives most information.
    fn wanted(&self, line: &Line) -> Option<(u64, u64)> {
        let Some(size) = self.question.size else {
            let next = line.search.next(&line.known)?;
            return Some((self.question.axis.nearest(next.size), next.steps));
        };
        let seen = line.known.get(&size);
        let tries = seen.map(|seen| seen.deadlines).unwrap_or_default();
        let least = line.search.demand.of(size).least;
        let lacks = least.saturating_sub(tries.due);
        let more = line.search.more(Criterion::InDeadlines, size, tries, 1);
        let steps = more.or((lacks > 0).then_some(lacks))?;
        Some((size, steps))
    }

    /// Returns each line with the template of its runs.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&RunSpec, &Line)> {
        self.question.templates().iter().zip(&self.lines)
    }

    pub(super) fn axis(&self) -> &Axis {
        &self.question.axis
    }

    /// Returns whether the question is about one size, not a frontier.
    pub(super) fn is_of_one_size(&self) -> bool {
        self.question.size.is_some()
    }
}

impl Line {
    fn new(search: Search<Demanded>) -> Self {
        Self { search, tried: BTreeMap::new(), known: Sizes::new(), spent: Duration::ZERO }
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

    /// Returns how long `steps` steps of a size take.
    pub(super) fn time_of(&self, size: u64, steps: u64) -> Duration {
        Duration::from_nanos((steps as f64 * self.period_ns(size)) as u64)
    }

    fn period_ns(&self, size: u64) -> f64 {
        self.search.period_ns / self.search.demand.times_as_often(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::frontier::tests::parse;
    use crate::driver::fake;
    use anyhow::anyhow;
    use stats::frontier::Edge;
    use testing::models::{self, Kind, Version};

    const BUDGET: Duration = Duration::from_secs(180);
    /// Time per run in addition to its steps.
    const BESIDES: Duration = Duration::from_millis(300);
    const EDGE: u64 = 18_000;

    fn hunt(line: &str) -> Hunt {
        Hunt::new(Question::of(&parse(line).unwrap()).unwrap(), BUDGET)
    }

    /// Searches until the time is up. Returns which lines had runs, and how long it took.
    fn hunted(hunt: &mut Hunt, known: &mut Known, budget: Duration) -> (Vec<usize>, Duration) {
        let (mut lines, mut now) = (Vec::new(), Duration::ZERO);
        loop {
            known.afford(Some(budget.saturating_sub(now + BESIDES)));
            let Some(due) = hunt.next(known) else {
                return (lines, now);
            };
            let outcome = fake::outcome(&due.spec, due.ordinal, EDGE);
            known.add(Some(due.ordinal), outcome);
            now += Duration::from(due.spec.asked.duration) + BESIDES;
            lines.push(hunt.asked.unwrap().line);
            assert!(lines.len() < 200);
        }
    }

    fn ends(line: &Line) -> (u64, u64) {
        let edge = Edge::shown(&line.known, Criterion::InDeadlines, &line.search.demand);
        (edge.held.unwrap_or(0), edge.missed.unwrap_or(u64::MAX))
    }

    #[test]
    fn every_line_is_solved_within_the_budget() {
        let mut hunt = hunt("--rate 1kHz --threads 1,2");
        let (lines, took) = hunted(&mut hunt, &mut Known::default(), BUDGET);
        assert!(hunt.is_done() && took < BUDGET);
        for (_, line) in hunt.lines() {
            let (held, missed) = ends(line);
            assert!(held <= EDGE && EDGE < missed);
            assert!((missed - held) as f64 <= 0.05 * missed as f64);
        }
        // The lines take turns.
        assert!(lines.windows(3).all(|turn| turn.iter().any(|line| *line != turn[0])));
    }

    #[test]
    fn an_own_model_is_searched_over_whatever_it_has() {
        let fmu = models::fmu(Version::Two, Kind::CoSimulation, &[]);
        for (over, edge) in [("rate", 4650), ("instances", 37), ("k=1.0..20", 42)] {
            let mut hunt = hunt(&format!("--fmu {} --over {over}", fmu.display()));
            let mut known = Known::default();
            loop {
                known.afford(Some(BUDGET));
                let Some(due) = hunt.next(&known) else {
                    break;
                };
                assert_eq!(due.spec.blame_beyond, Some(due.spec.parameters.time("rate")));
                known.add(Some(due.ordinal), fake::outcome(&due.spec, due.ordinal, edge));
            }
            assert!(hunt.is_done(), "{over}");
            let (held, missed) = ends(&hunt.lines[0]);
            assert!(held <= edge && edge < missed, "{over}: {held} .. {missed}");
            let gap = (missed - held) as f64;
            assert!(gap <= 1.0 || gap <= 0.05 * missed as f64, "{over}: {held} .. {missed}");
        }
    }

    #[test]
    fn a_budget_that_is_spent_leaves_what_is_known() {
        let begin = || (hunt("--rate 1kHz --threads 1,2"), Known::default());
        let (mut all, mut known) = begin();
        let whole = hunted(&mut all, &mut known, BUDGET).1;
        for part in 1..20 {
            let (mut hunt, mut known) = begin();
            let budget = whole * part / 20;
            let (_, took) = hunted(&mut hunt, &mut known, budget);
            assert!(took <= budget && !hunt.is_done(), "{part}: {took:?} of {budget:?}");
            for (_, line) in hunt.lines() {
                let (held, missed) = ends(line);
                assert!(held <= EDGE && EDGE < missed);
            }
        }
    }

    #[test]
    fn what_another_machine_did_is_forgotten() {
        let (mut hunt, mut known) = (hunt("--rate 1kHz --threads 1"), Known::default());
        hunted(&mut hunt, &mut known, BUDGET);
        let trial = Trial { line: 0, size: 400, steps: 100 };
        let spec = hunt.question.spec(&trial);
        let mut elsewhere = fake::outcome(&spec, known.next_ordinal(), EDGE);
        elsewhere.header.machine.kernel_release = "another".to_owned();
        known.add(Some(known.next_ordinal()), elsewhere);
        hunt.learn(&known);
        assert_eq!(hunt.lines[0].known.len(), 1);
        assert!(!hunt.is_done());
    }

    #[test]
    fn a_size_that_cannot_be_run_ends_its_line() {
        let (mut hunt, mut known) = (hunt("--rate 1kHz --threads 1"), Known::default());
        let refusal = || anyhow!("no memory");
        let due = hunt.next(&known).unwrap();
        assert!(hunt.refused(&due, refusal()).is_err(), "nothing is known");
        while let Some(due) = hunt.next(&known) {
            match Axis::Masses.place(&due.spec) > 9000 {
                true => hunt.refused(&due, refusal()).unwrap(),
                false => {
                    let outcome = fake::outcome(&due.spec, due.ordinal, EDGE);
                    known.add(Some(due.ordinal), outcome);
                }
            }
        }
        let (held, missed) = ends(&hunt.lines[0]);
        assert!(held <= 9000 && held > 0);
        assert_eq!(missed, u64::MAX);
    }

    #[test]
    fn one_size_is_tried_as_long_as_it_takes_to_count_as_held() {
        let mut hunt = hunt("--rate 1kHz --threads 1,2 --size 4000 --held-for 3s");
        let (lines, _) = hunted(&mut hunt, &mut Known::default(), BUDGET);
        assert_eq!(lines[..4], [0, 1, 0, 1]);
        for (_, line) in hunt.lines() {
            let tries = line.known[&4000].deadlines;
            assert!(tries.due >= 3000);
            // 1 - 0.05^(1/29) is below 1 in 10.
            assert_eq!(tries.runs, 29);
        }
    }
}
