//! Whether periodic work holds a rate within limits that a person sets: passed, failed, or not
//! shown yet, and what it takes to show it.

use std::str::FromStr;

use plan::{Outcome, Row};
use serde::Serialize;
use stats::frontier::{Demand, Standing};
use stats::{MissRate, Tries};
use units::Nanos;

use crate::Analysis;
use crate::answer::{self, Answer, Line, Remark};
use crate::fields::SCHEMA_VERSION;
use crate::held::{Held, one_in};
use crate::standards::{FirmMisses, Limits, Standards, Strictness};
use crate::{real_time, words};

/// A check is what is asked of deadlines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// The time between two deadlines.
    pub period: Nanos,
    /// The latest that anything may come after it was due; `None`: before it is due again.
    pub max: Option<Nanos>,
    /// How many deadlines may be missed, or come later than that.
    pub misses: MostMisses,
}

/// The most misses that are allowed: none, or as many an hour or in so many periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MostMisses(Option<FirmMisses>);

impl FromStr for MostMisses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "0" => Ok(Self(None)),
            text => text.parse().map(|misses| Self(Some(misses))).map_err(|_| {
                "expected 0, so many an hour, such as 10/h, or in so many periods, such as \
                 1/1000000"
                    .to_owned()
            }),
        }
    }
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checked {
    schema_version: u32,
    /// Whether it passed.
    pub result: CheckResult,
    /// Runs that count.
    pub runs: u64,
    /// Deadlines of these.
    pub due: u64,
    /// Those of them that were missed: the work was not done when it was due again.
    pub missed: u64,
    /// Those of them that came later than the limit, missed ones among them; `None` without one.
    pub too_late: Option<u64>,
    /// The rate of what was missed, or of what came too late where there is a limit, is below
    /// this, at 95 % confidence, 0 to 1.
    pub rate_upper: f64,
    /// How much longer to measure, with nothing more of that, until it passes, in nanoseconds.
    pub more_ns: Option<u64>,
    /// The answer in words.
    pub answer: Answer,
}

/// Whether a check passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It is shown to hold.
    Pass,
    /// It does not hold.
    Fail,
    /// Nothing speaks against it, and it is not shown.
    NotShownYet,
    /// A run was INVALID, so nothing is known.
    Invalid,
}

impl Check {
    /// Whether a run breaks what is asked, so that no other one can mend it.
    #[must_use]
    pub fn is_broken_by(&self, outcome: &Outcome) -> bool {
        let tries = self.tries(outcome);
        !outcome.is_valid() || (self.misses.0.is_none() && tries.missed > 0)
    }

    /// What came of the runs, each of which measured for that long.
    #[must_use]
    pub fn of(&self, analysis: &Analysis, each: Nanos) -> Checked {
        let outcomes = &analysis.outcomes;
        let valid = || outcomes.iter().filter(|outcome| outcome.is_valid());
        let sum = |of: &dyn Fn(&Outcome) -> Tries| {
            let mut tries = Tries::default();
            valid().for_each(|outcome| tries.add(of(outcome)));
            tries
        };
        let tries = sum(&|outcome| self.tries(outcome));
        let missed = sum(&missed_of).missed;
        let demand = self.demand(analysis.standards);
        let held = Held::of(tries, demand, 1);
        let result = match held.standing {
            _ if outcomes.iter().any(|outcome| !outcome.is_valid()) => CheckResult::Invalid,
            Standing::Held => CheckResult::Pass,
            Standing::SeemsHeld => CheckResult::NotShownYet,
            Standing::SeemsMissed | Standing::Missed => CheckResult::Fail,
        };
        let more = (result == CheckResult::NotShownYet).then(|| self.more(tries, demand, each));
        let mut answer = analysis.answer.clone();
        answer.standing = result.standing();
        answer.verdict = self.verdict(result, &held, more);
        if let (Some(max), Some(line)) = (self.limit(), answer.lines.first_mut()) {
            in_time(line, max, tries);
        }
        let is_passed = result == CheckResult::Pass;
        let is_kept = |name| name != answer::SURE && !(is_passed && name == answer::FIRST);
        answer.remarks.retain(|remark| is_kept(remark.name));
        Checked {
            schema_version: SCHEMA_VERSION,
            result,
            runs: tries.runs,
            due: tries.due,
            missed,
            too_late: self.limit().map(|_| tries.missed),
            rate_upper: held.bound.upper,
            more_ns: more.map(|more| more.0),
            answer: self.judged(answer).with(self.sure(&held)),
        }
    }

    /// The answer with what is judged by, where that is not the limit asked for.
    fn judged(&self, answer: Answer) -> Answer {
        match (self.max, self.limit()) {
            (Some(max), None) => answer.with(Remark::new(
                "Judged",
                format!(
                    "by the period, {period}: what comes later has missed its next turn, so the \
                     limit of {} changes nothing; give --max less than {period}",
                    time(max),
                    period = time(self.period),
                ),
            )),
            _ => answer,
        }
    }

    /// What is judged by in place of the period: what comes later than a period has missed its
    /// next turn, whatever a limit beyond allows.
    fn limit(&self) -> Option<Nanos> {
        self.max.filter(|max| *max < self.period)
    }

    /// Deadlines of a run, with those that break what is asked: where there is a limit, what came
    /// later than that, and what did not come.
    fn tries(&self, outcome: &Outcome) -> Tries {
        let missed = missed_of(outcome);
        let Some(max) = self.limit() else {
            return missed;
        };
        let mut tries = Tries::default();
        for row in judged(outcome) {
            let late = row.skipped + later_than(row, max);
            tries.add(Tries::one(row.due, missed.missed.max(late)));
        }
        tries
    }

    fn demand(&self, standards: &Standards) -> Demand {
        let limits = standards.limits;
        match self.misses.0 {
            None => limits.demand(Strictness::Hard, self.period),
            Some(firm) => Limits { firm, ..limits }.demand(Strictness::Firm, self.period),
        }
    }

    /// How much longer it takes without a further miss.
    fn more(&self, tries: Tries, demand: Demand, each: Nanos) -> Nanos {
        let runs = demand.enough_runs(1).saturating_sub(tries.runs);
        let mut due = demand.enough(1).max(tries.due);
        let is_within = |due: u64| {
            let bound = MissRate::among(1, tries.missed, due);
            demand.most == 0.0 || bound.is_some_and(|bound| bound.upper <= demand.most)
        };
        while !is_within(due) && due < u64::MAX / 2 {
            due += due / 8 + 1;
        }
        let deadlines = (due - tries.due).saturating_mul(self.period.0);
        Nanos(runs.saturating_mul(each.0).max(deadlines))
    }

    fn verdict(&self, result: CheckResult, held: &Held, more: Option<Nanos>) -> String {
        let seen = match self.limit() {
            Some(max) => format!("{} came later than {}", share_of(held.tries), time(max)),
            None => held.missed(""),
        };
        match (result, more) {
            (CheckResult::Pass, _) => format!("PASS: {seen}."),
            (CheckResult::NotShownYet, Some(more)) => format!(
                "NOT SHOWN YET: {seen}; {} more without one would show it.",
                words::time(more.0 as f64)
            ),
            (CheckResult::Invalid, _) => {
                format!("INVALID: a run cannot be used, so nothing is decided; so far {seen}.")
            }
            _ => format!("FAIL: {seen}; {}.", self.allowed()),
        }
    }

    fn allowed(&self) -> String {
        match self.misses.0 {
            None => "none may".to_owned(),
            Some(misses) => format!("allowed are {misses}"),
        }
    }

    fn sure(&self, held: &Held) -> Remark {
        let do_what = match self.limit() {
            Some(max) => format!("come later than {}", time(max)),
            None => "miss".to_owned(),
        };
        let words = format!(
            "at 95 % confidence fewer than {} {do_what}, from {}",
            one_in(held.bound.upper),
            words::counted(held.tries.runs as usize, "run"),
        );
        Remark::new(answer::SURE, words)
    }
}

impl CheckResult {
    fn standing(self) -> answer::Standing {
        match self {
            Self::Pass => answer::Standing::Good,
            Self::NotShownYet => answer::Standing::Open,
            Self::Fail | Self::Invalid => answer::Standing::Bad,
        }
    }
}

/// The rows of a run that are judged.
fn judged(outcome: &Outcome) -> impl Iterator<Item = &Row> {
    outcome.rows.iter().take(1).filter(|row| row.due > 0)
}

/// Deadlines of a run, with those that were missed.
fn missed_of(outcome: &Outcome) -> Tries {
    let mut tries = Tries::default();
    for row in judged(outcome) {
        let usual = real_time::tries(&outcome.header.spec, &[row]);
        let missed = usual.map_or(row.skipped, |(usual, _)| usual.missed);
        tries.add(Tries::one(row.due, missed));
    }
    tries
}

/// Puts what came later than a limit in the place of missed deadlines, of which it speaks no
/// more: "missed" has one meaning.
fn in_time(line: &mut Line, max: Nanos, tries: Tries) {
    let of_misses = |figure: &str| figure.starts_with("missed ") || figure.starts_with('(');
    line.figures.retain(|figure| !of_misses(figure));
    let over = format!("over {}: {}", time(max), share_of(tries));
    line.figures.insert(0, over);
}

/// `7 of 2 000`, `none of 2 000`.
fn share_of(tries: Tries) -> String {
    let some = match tries.missed {
        0 => "none".to_owned(),
        some => words::grouped(some),
    };
    format!("{some} of {}", words::grouped(tries.due))
}

fn time(time: Nanos) -> String {
    words::time(time.0 as f64)
}

/// How many samples of a row lie above a time.
fn later_than(row: &Row, max: Nanos) -> u64 {
    let Some(latency) = &row.latency else {
        return 0;
    };
    // A bin reads at most 0.1 % wider than it is; the longest is exact.
    let longest = u64::from(latency.max.value_ns > max.0 as i64);
    let within = latency.count_at_or_below(max.0 as f64);
    within.map_or(0, |within| latency.count().saturating_sub(within)).max(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{refused, wakeup};
    use units::Policy;

    const EACH: Nanos = Nanos::SECOND;

    fn check(max: Option<u64>, misses: &str) -> Check {
        Check { period: Nanos(1_000_000), max: max.map(Nanos), misses: misses.parse().unwrap() }
    }

    fn clean(runs: usize) -> Vec<Outcome> {
        vec![wakeup(Policy::Fifo(80), None, 8e3, 6e4); runs]
    }

    fn result(check: Check, outcomes: &[Outcome]) -> Checked {
        check.of(&Analysis::of(outcomes, &Standards::default()), EACH)
    }

    #[test]
    fn it_passes_where_enough_clean_runs_show_it_and_tells_how_many_are_lacking() {
        let few = result(check(None, "0"), &clean(4));
        assert_eq!(few.result, CheckResult::NotShownYet);
        assert_eq!(few.more_ns, Some(25 * EACH.0));
        assert!(
            few.answer.verdict.starts_with("NOT SHOWN YET: missed none of 80 000; 25 s"),
            "{few:?}"
        );
        let enough = result(check(None, "0"), &clean(29));
        assert_eq!((enough.result, enough.more_ns), (CheckResult::Pass, None));
    }

    #[test]
    fn what_comes_later_than_it_may_is_missed() {
        let runs = clean(29);
        assert_eq!(result(check(Some(60_000), "0"), &runs).result, CheckResult::Pass);
        let late = result(check(Some(20_000), "0"), &runs);
        assert_eq!(late.result, CheckResult::Fail);
        assert!(late.too_late > Some(0) && check(Some(20_000), "0").is_broken_by(&runs[0]));
        let told = format!("{} {:?}", late.answer.verdict, late.answer.lines[0]);
        assert!(told.contains("came later than 20 µs; none may"), "{told}");
        assert!(told.contains("\"over 20 µs: "), "{told}");
    }

    #[test]
    fn missed_is_said_of_deadlines_alone() {
        let runs = clean(29);
        let late = result(check(Some(20_000), "0"), &runs);
        assert_eq!(late.missed, 0);
        let words = serde_json::to_string(&late.answer).unwrap();
        assert!(!words.contains("miss"), "{words}");
        let within = result(check(None, "0"), &runs);
        assert_eq!(within.too_late, None);
    }

    #[test]
    fn a_limit_beyond_the_period_is_said_to_change_nothing() {
        let mut runs = clean(29);
        runs[0].rows[0].skipped = 2;
        let (beyond, without) = (check(Some(5_000_000), "0"), check(None, "0"));
        let [beyond, without] = [beyond, without].map(|check| result(check, &runs));
        assert_eq!((beyond.missed, without.missed), (2, 2));
        assert_eq!(beyond.answer.verdict, without.answer.verdict);
        let judged = |checked: &Checked| {
            let remarks = checked.answer.remarks.iter();
            remarks.filter(|remark| remark.name == "Judged").count()
        };
        assert_eq!((judged(&beyond), judged(&without)), (1, 0));
        let within = result(check(Some(60_000), "0"), &runs);
        assert_eq!(judged(&within), 0);
    }

    #[test]
    fn some_misses_may_be_allowed_and_then_take_longer_to_show() {
        let mut runs = clean(29);
        runs[0].rows[0].skipped = 1;
        assert_eq!(result(check(None, "0"), &runs).result, CheckResult::Fail);
        let allowed = result(check(None, "1/1000"), &runs);
        assert_eq!(allowed.result, CheckResult::Pass);
        let rare = result(check(None, "1/1000000"), &clean(29));
        assert_eq!(rare.result, CheckResult::NotShownYet);
        let more = rare.more_ns.unwrap();
        assert!(more > 2_000 * EACH.0 && more < 4_000 * EACH.0, "{more}");
    }

    #[test]
    fn an_invalid_run_decides_nothing() {
        let runs = [clean(29), vec![refused()]].concat();
        assert_eq!(result(check(None, "0"), &runs).result, CheckResult::Invalid);
    }
}
