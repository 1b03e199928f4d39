//! Which run comes next, of all lines, in the time that is left.

use std::time::Duration;

use stats::frontier::{Known, Lies, Search};

/// What a run takes besides its steps, before one has told.
const OVERHEAD: Duration = Duration::from_secs(1);
/// Deadlines below which a run that time cuts short tells too little.
const FEWEST: u64 = 50;

/// The searches of all lines, and what they know.
pub(super) struct Hunt {
    lines: Vec<Line>,
    /// The only size, where no frontier is asked for.
    pub(super) size: Option<u64>,
    /// The most that a run took besides its steps.
    overhead: Duration,
}

/// The search on one number of threads at one rate.
pub(super) struct Line {
    pub(super) search: Search,
    pub(super) known: Known,
    spent: Duration,
}

/// A run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// Place of its line.
    pub(super) line: usize,
    /// Masses.
    pub(super) size: u64,
    /// Deadlines.
    pub(super) steps: u64,
}

impl Hunt {
    pub(super) fn new(searches: Vec<Search>, size: Option<u64>) -> Self {
        let line = |search| Line {
            search,
            known: Known::new(),
            spent: Duration::ZERO,
        };
        Self {
            lines: searches.into_iter().map(line).collect(),
            size,
            overhead: OVERHEAD,
        }
    }

    /// All that is known of a line now.
    pub(super) fn knows(&mut self, line: usize, known: Known) {
        self.lines[line].known = known;
    }

    /// How long a run of a line took in all.
    pub(super) fn took(&mut self, trial: &Trial, time: Duration) {
        let line = &mut self.lines[trial.line];
        line.spent += time;
        let besides = time.saturating_sub(line.time_of(trial.steps));
        self.overhead = match self.overhead {
            OVERHEAD => besides,
            most => most.max(besides),
        };
    }

    /// The next run, of the line that had least time so far, as long as the time that is
    /// left allows; `None` where no line needs or can have one.
    pub(super) fn next(&self, left: Duration) -> Option<Trial> {
        let time = left.saturating_sub(self.overhead);
        let mut lines: Vec<usize> = (0..self.lines.len()).collect();
        lines.sort_by_key(|line| self.lines[*line].spent);
        lines.into_iter().find_map(|line| self.trial(line, time))
    }

    /// Whether no line needs another run.
    pub(super) fn is_done(&self) -> bool {
        self.lines().all(|line| self.wanted(line).is_none())
    }

    /// Ends a line at the largest size known of it, since a run of a larger one cannot be
    /// made. False where nothing is known of it.
    pub(super) fn end_below(&mut self, trial: &Trial) -> bool {
        let line = &mut self.lines[trial.line];
        let below = line.known.range(..trial.size).next_back();
        let largest = below.map(|(size, _)| *size);
        line.search.largest = largest.unwrap_or(line.search.largest);
        largest.is_some()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    fn trial(&self, line: usize, time: Duration) -> Option<Trial> {
        let (size, steps) = self.wanted(&self.lines[line])?;
        let period = self.lines[line].search.period_ns;
        let affordable = (time.as_nanos() as f64 / period) as u64;
        (affordable >= steps.min(FEWEST)).then(|| Trial {
            line,
            size,
            steps: steps.min(affordable),
        })
    }

    /// Size and deadlines of the run that tells most.
    fn wanted(&self, line: &Line) -> Option<(u64, u64)> {
        let Some(size) = self.size else {
            return line
                .search
                .next(&line.known)
                .map(|next| (next.size, next.steps));
        };
        let seen = line.known.get(&size);
        let tries = seen.map(|seen| seen.deadlines).unwrap_or_default();
        let lacks = line.search.demand.least.saturating_sub(tries.due);
        let more = line.search.more(Lies::InDeadlines, tries, 1);
        let steps = more.or((lacks > 0).then_some(lacks))?;
        Some((size, steps))
    }
}

impl Line {
    /// How long so many steps take.
    pub(super) fn time_of(&self, steps: u64) -> Duration {
        Duration::from_nanos((steps as f64 * self.search.period_ns) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_frontier;
    use crate::frontier::question::Question;
    use stats::Tries;
    use stats::frontier::{Edge, Seen};

    /// A machine without noise and its clock.
    struct Machine {
        edge: u64,
        now: Duration,
    }

    impl Machine {
        /// Makes a run, which takes a bit longer than its steps.
        fn run(&mut self, hunt: &mut Hunt, trial: Trial) {
            let line = &hunt.lines[trial.line];
            let time = line.time_of(trial.steps) + Duration::from_millis(300);
            let missed = if trial.size > self.edge {
                trial.steps
            } else {
                0
            };
            let tries = Tries::one(trial.steps, missed);
            let seen = Seen {
                deadlines: tries,
                own: tries,
                steps: tries,
                usual_ns: trial.size as f64 / self.edge as f64 * line.search.period_ns,
            };
            let mut known = line.known.clone();
            known.entry(trial.size).or_default().add(seen);
            hunt.knows(trial.line, known);
            hunt.took(&trial, time);
            self.now += time;
        }
    }

    const BUDGET: Duration = Duration::from_secs(180);

    fn hunt(line: &str) -> Hunt {
        let question = Question::of(&parse_frontier(line).unwrap()).unwrap();
        Hunt::new(question.searches(BUDGET), question.size)
    }

    /// Hunts until the time is up; which lines had runs.
    fn hunted(hunt: &mut Hunt, edge: u64, budget: Duration) -> (Vec<usize>, Duration) {
        let now = Duration::ZERO;
        let mut machine = Machine { edge, now };
        let mut lines = Vec::new();
        while let Some(trial) = hunt.next(budget.saturating_sub(machine.now)) {
            machine.run(hunt, trial);
            lines.push(trial.line);
            assert!(lines.len() < 200);
        }
        (lines, machine.now)
    }

    fn ends(line: &Line) -> (u64, u64) {
        let edge = Edge::shown(&line.known, Lies::InDeadlines, line.search.demand);
        (edge.held.unwrap_or(0), edge.missed.unwrap_or(u64::MAX))
    }

    #[test]
    fn every_line_is_solved_within_the_budget() {
        let mut hunt = hunt("--rate 1kHz --threads 1,2");
        let (lines, took) = hunted(&mut hunt, 18_000, BUDGET);
        assert!(hunt.is_done() && took < BUDGET);
        for line in hunt.lines() {
            let (held, missed) = ends(line);
            assert!(held <= 18_000 && 18_000 < missed);
            assert!((missed - held) as f64 <= 0.05 * missed as f64);
        }
        // They take turns.
        assert!(
            lines
                .windows(3)
                .all(|turn| turn.iter().any(|line| *line != turn[0]))
        );
    }

    #[test]
    fn a_budget_that_is_spent_leaves_what_is_known() {
        let whole = hunted(&mut hunt("--rate 1kHz --threads 1,2"), 18_000, BUDGET).1;
        for part in 1..20 {
            let mut hunt = hunt("--rate 1kHz --threads 1,2");
            let budget = whole * part / 20;
            let (_, took) = hunted(&mut hunt, 18_000, budget);
            assert!(
                took <= budget && !hunt.is_done(),
                "{part}: {took:?} of {budget:?}"
            );
            for line in hunt.lines() {
                let (held, missed) = ends(line);
                assert!(held <= 18_000 && 18_000 < missed);
            }
        }
    }

    #[test]
    fn a_search_that_goes_on_makes_no_run_again() {
        let mut alone = hunt("--rate 1kHz --threads 1");
        let (all, _) = hunted(&mut alone, 18_000, BUDGET);
        let mut first = hunt("--rate 1kHz --threads 1");
        let (some, _) = hunted(&mut first, 18_000, BUDGET / 20);
        let mut second = hunt("--rate 1kHz --threads 1");
        second.knows(0, first.lines[0].known.clone());
        let (rest, _) = hunted(&mut second, 18_000, BUDGET);
        assert!(!some.is_empty() && some.len() + rest.len() <= all.len() + 1);
        assert_eq!(ends(&second.lines[0]), ends(&alone.lines[0]));
    }

    #[test]
    fn a_size_that_cannot_be_run_ends_its_line() {
        let mut hunt = hunt("--rate 1kHz --threads 1");
        let unmakable = |trial: &Trial| trial.size > 9000;
        let mut machine = Machine {
            edge: 18_000,
            now: Duration::ZERO,
        };
        while let Some(trial) = hunt.next(BUDGET - machine.now) {
            if unmakable(&trial) {
                assert!(hunt.end_below(&trial));
            } else {
                machine.run(&mut hunt, trial);
            }
        }
        let (held, missed) = ends(&hunt.lines[0]);
        assert!(held <= 9000 && held > 0);
        assert_eq!(missed, u64::MAX);
    }

    #[test]
    fn one_size_is_tried_as_long_as_it_takes_to_count_as_held() {
        let mut hunt = hunt("--rate 1kHz --threads 1,2 --size 4000 --held-for 3s");
        let (lines, _) = hunted(&mut hunt, 18_000, BUDGET);
        assert_eq!(lines[..4], [0, 1, 0, 1]);
        for line in hunt.lines() {
            let tries = line.known[&4000].deadlines;
            assert!(tries.due >= 3000);
            // 1 - 0.05^(1/29) is below 1 in 10.
            assert_eq!(tries.runs, 29);
        }
    }
}
