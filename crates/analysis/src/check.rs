//! Whether periodic work holds a rate within the user's limits: passed, failed, or not shown yet,
//! and what it takes to show it.

use std::fmt;
use std::str::FromStr;

use base::{Nanos, SchemaVersion};
use record::{Outcome, Row, RunSpec, fact};
use serde::Serialize;
use serde_json::Value;
use stats::Tries;
use stats::frontier::{Demand, Standing};

use crate::finding::Finding;
pub use crate::finding::{AboutDeadlines, AboutMachine, CheckResult};
use crate::held::Held;
use crate::spacing::Spacing;
use crate::standards::{FirmMisses, Limits, Standards, Strictness};
use crate::{Analysis, general, real_time};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    pub period: Nanos,
    /// The latest completion after the release; `None`: the next release.
    pub max: Option<Nanos>,
    pub misses: MostMisses,
}

/// The allowed misses: none, a rate per hour, or a share of periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MostMisses(Option<FirmMisses>);

impl fmt::Display for MostMisses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("0"),
            Some(misses) => misses.fmt(f),
        }
    }
}

impl FromStr for MostMisses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "0" => Ok(Self(None)),
            text => text.parse().map(|misses| Self(Some(misses))).map_err(|_| {
                "expected 0, a rate, such as 10/h, or a fraction of periods, such as 1/1000000"
                    .to_owned()
            }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    schema_version: SchemaVersion<1>,
    /// Whether the rate is shown to hold within the requested limits.
    pub result: CheckResult,
    /// Number of valid runs.
    pub runs: u64,
    /// Number of deadlines in these runs.
    pub due: u64,
    /// Number of these deadlines that were missed: the work was not done when it was next due.
    pub missed: u64,
    /// Number of wake-ups or steps later than `--max`, missed deadlines included; null if `--max`
    /// is not given or not shorter than the period.
    pub too_late: Option<u64>,
    /// Upper bound of the miss rate, or of the rate of `too_late` if that is not null, at 95 %
    /// confidence; a share of deadlines from 0 to 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub rate_upper: f64,
    /// Further measuring time until the check passes, in nanoseconds, if no more deadlines are
    /// missed or too late; null if `result` is not `not_shown_yet`.
    pub more_ns: Option<u64>,
    #[serde(skip)]
    check: Check,
}

impl Check {
    /// Whether a run violates the check, so that further runs cannot make it pass.
    pub fn is_broken_by(&self, outcome: &Outcome) -> bool {
        let tries = self.tries(outcome);
        let misses_any = self.misses.0.is_none() && tries.missed > 0;
        !outcome.is_valid() || misses_any || lacks_steps(outcome)
    }

    /// Returns how long runs like this one must go without a miss until the check passes.
    pub fn takes(&self, standards: &Standards, run: &RunSpec) -> Nanos {
        let due = self.due(Some(run));
        more(Tries::default(), self.demand(standards, due), due, run.asked.duration)
    }

    fn due(&self, run: Option<&RunSpec>) -> Spacing {
        run.and_then(Spacing::of_run).unwrap_or(self.period.into())
    }

    /// Judges the runs, each of which measured for `each`.
    pub fn of(&self, analysis: &Analysis, each: Nanos) -> Checked {
        let outcomes = &analysis.outcomes;
        let valid = || outcomes.iter().filter(|outcome| outcome.is_valid());
        let missed = valid().map(|outcome| deadlines(outcome).missed).sum();
        let mut tries = Tries::default();
        valid().for_each(|outcome| tries.add(self.tries(outcome)));
        let due = self.due(outcomes.first().map(|first| &first.header.spec));
        let demand = self.demand(analysis.standards, due);
        let held = Held::of(tries, demand, 1);
        let result = match held.standing {
            _ if outcomes.iter().any(|outcome| !outcome.is_valid()) => CheckResult::Invalid,
            _ if valid().any(|outcome| lacks_steps(outcome)) => CheckResult::Fail,
            Standing::Held => CheckResult::Pass,
            Standing::SeemsHeld => CheckResult::NotShownYet,
            Standing::SeemsMissed | Standing::Missed => CheckResult::Fail,
        };
        let more = (result == CheckResult::NotShownYet).then(|| more(tries, demand, due, each));
        Checked {
            schema_version: SchemaVersion,
            result,
            runs: tries.runs,
            due: tries.due,
            missed,
            too_late: self.limit().map(|_| tries.missed),
            rate_upper: held.bound.upper,
            more_ns: more.map(|more| more.0),
            check: *self,
        }
    }

    /// Returns the limit that replaces the period. A limit longer than the period has no effect,
    /// because later work has already missed its next release.
    fn limit(&self) -> Option<Nanos> {
        self.max.filter(|max| *max < self.period)
    }

    /// Counts deadlines and violations: with a limit, also completions after it and lost samples.
    fn tries(&self, outcome: &Outcome) -> Tries {
        let deadlines = deadlines(outcome);
        let Some(max) = self.limit() else { return deadlines };
        Tries::one(deadlines.due, deadlines.missed.max(real_time::too_late(outcome, max)))
    }

    fn demand(&self, standards: &Standards, due: Spacing) -> Demand {
        let limits = standards.limits;
        match self.misses.0 {
            None => limits.demand(Strictness::Hard, due),
            Some(firm) => Limits { firm, ..limits }.demand(Strictness::Firm, due),
        }
    }
}

/// Returns how much longer to measure, in runs of this length, until it is shown.
fn more(tries: Tries, demand: Demand, due: Spacing, each: Nanos) -> Nanos {
    let runs = demand.enough_runs(1).saturating_sub(tries.runs);
    let mut needed = demand.enough(1).max(tries.due);
    // Misses that are concentrated in few runs count as fewer misses of fewer deadlines.
    let is_within = |needed: u64| {
        let deadlines = needed - tries.due;
        let runs = (deadlines as f64 * due.row_ns / each.0.max(1) as f64).ceil() as u64;
        let bound = tries.with_clean(runs, deadlines).rate(1);
        bound.is_some_and(|bound| bound.upper <= demand.shown)
    };
    while !is_within(needed) && needed < u64::MAX / 2 {
        needed += needed / 8 + 1;
    }
    let deadlines = (needed - tries.due) as f64 * due.row_ns;
    Nanos(runs.saturating_mul(each.0).max(deadlines as u64))
}

/// Whether a model did not make steps as requested: no share of such steps is allowed, because its
/// outputs are then not those of its time.
fn lacks_steps(outcome: &Outcome) -> bool {
    let not_made = |row: &Row| row.fact(&fact::NOT_MADE).and_then(Value::as_u64);
    outcome.rows.iter().any(|row| not_made(row).is_some_and(|steps| steps > 0))
}

impl Checked {
    pub fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let (check, limit_ns) = (&self.check, self.limit_ns());
        let verdict = Finding::Deadlines(AboutDeadlines::Checked {
            result: self.result,
            missed: self.broken(),
            due: self.due,
            upper: self.rate_upper,
            limit_ns,
            more_ns: self.more_ns,
            allowed: check.misses.0.map(|misses| misses.to_string()),
        });
        let is_kept = |finding: &Finding| match finding {
            Finding::Deadlines(
                AboutDeadlines::Deadlines { .. }
                | AboutDeadlines::Unknown { .. }
                | AboutDeadlines::NoValidRun
                | AboutDeadlines::MissRate { .. }
                | AboutDeadlines::RareEvents { .. },
            ) => false,
            Finding::Machine(AboutMachine::FixFirst { .. }) => self.result != CheckResult::Pass,
            _ => true,
        };
        let others = general::findings(analysis).into_iter().filter(is_kept);
        let beyond = check.max.filter(|_| limit_ns.is_none());
        let judged = beyond.map(|max| {
            let (max_ns, period_ns) = (max.0, check.period.0);
            Finding::Deadlines(AboutDeadlines::JudgedByPeriod { max_ns, period_ns })
        });
        let rate = Finding::Deadlines(AboutDeadlines::MissRate {
            of: None,
            upper: self.rate_upper,
            runs: self.runs,
            limit_ns,
            to_show: None,
        });
        [verdict].into_iter().chain(others).chain(judged).chain([rate]).collect()
    }

    pub fn limit_ns(&self) -> Option<u64> {
        self.check.limit().map(|limit| limit.0)
    }

    pub fn broken(&self) -> u64 {
        self.too_late.unwrap_or(self.missed)
    }
}

fn deadlines(outcome: &Outcome) -> Tries {
    real_time::of_run(outcome).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AboutDeadlines::JudgedByPeriod;
    use crate::fixture::{own_model, refused, scheduled, wakeup};
    use crate::standards::DEFAULT_STANDARDS;
    use base::Policy;

    const EACH: Nanos = Nanos::SECOND;

    fn check(max: Option<u64>, misses: &str) -> Check {
        Check { period: Nanos(1_000_000), max: max.map(Nanos), misses: misses.parse().unwrap() }
    }

    fn clean(runs: usize) -> Vec<Outcome> {
        vec![wakeup(Policy::Fifo(80), None, 8e3, 6e4); runs]
    }

    fn result(check: Check, outcomes: &[Outcome]) -> Checked {
        check.of(&Analysis::of(outcomes, &DEFAULT_STANDARDS), EACH)
    }

    #[test]
    fn it_passes_where_enough_clean_runs_show_it_and_tells_how_many_are_lacking() {
        let few = result(check(None, "0"), &clean(4));
        assert_eq!(few.result, CheckResult::NotShownYet);
        assert_eq!(few.more_ns, Some(25 * EACH.0));
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
    }

    /// A skipped deadline already has a sample: its lateness.
    #[test]
    fn a_skipped_deadline_counts_once() {
        let mut runs = clean(1);
        let row = &mut runs[0].rows[0];
        let above = real_time::later_than(row, Nanos(20_000));
        (row.executed, row.skipped) = (row.due - 5, 5);
        let late = result(check(Some(20_000), "0"), &runs);
        assert_eq!(late.too_late, Some(above));
    }

    #[test]
    fn a_limit_beyond_the_period_changes_nothing() {
        let mut runs = clean(29);
        runs[0].rows[0].skipped = 2;
        let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
        let found = |max| check(max, "0").of(&analysis, EACH).findings(&analysis);
        let (beyond, without) = (found(Some(5_000_000)), found(None));
        assert_eq!(beyond[0], without[0]);
        let judged = Finding::Deadlines(JudgedByPeriod { max_ns: 5_000_000, period_ns: 1_000_000 });
        assert!(beyond.contains(&judged) && !without.contains(&judged), "{beyond:?}");
        let is_judged =
            |finding: &Finding| matches!(finding, Finding::Deadlines(JudgedByPeriod { .. }));
        assert!(!found(Some(60_000)).iter().any(is_judged));
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
    fn misses_of_one_run_take_longer_to_make_up_for_than_the_same_number_in_all_runs() {
        let mut runs = clean(29);
        let each = Nanos(runs[0].rows[0].due * 1_000_000);
        runs[0].rows[0].skipped = runs[0].rows[0].due / 2;
        let judged = |runs: &[Outcome]| {
            check(None, "1/20").of(&Analysis::of(runs, &DEFAULT_STANDARDS), each)
        };
        let checked = judged(&runs);
        assert_eq!(checked.result, CheckResult::NotShownYet);
        let more = checked.more_ns.unwrap();
        assert!(more > each.0, "{more}");
        let enough = clean(more.div_ceil(each.0) as usize);
        assert_eq!(judged(&[runs.clone(), enough].concat()).result, CheckResult::Pass);
        assert_eq!(judged(&[runs, clean(1)].concat()).result, CheckResult::NotShownYet);
    }

    #[test]
    fn misses_per_hour_are_those_of_all_cpus() {
        let mut runs = clean(29);
        for run in &mut runs {
            run.header.spec.asked.cpus = base::CpuSet::from_iter(0..16);
            run.rows[0].due *= 16;
        }
        // 2 misses in 29 runs of 20 s are 12 in an hour.
        runs.iter_mut().take(2).for_each(|run| run.rows[0].skipped = 1);
        let standing = |misses| result(check(None, misses), &runs).result;
        assert_ne!(standing("10/h"), CheckResult::Pass);
        assert_eq!(standing("80/h"), CheckResult::Pass);
    }

    #[test]
    fn no_share_of_steps_that_were_not_made_is_allowed() {
        let mut runs = vec![own_model("real-time", 0); 29];
        assert_eq!(result(check(None, "1/2"), &runs).result, CheckResult::Pass);
        runs[7].rows[0].tell(&fact::NOT_MADE, 1);
        assert_eq!(result(check(None, "1/2"), &runs).result, CheckResult::Fail);
        assert!(check(None, "1/2").is_broken_by(&runs[7]));
    }

    #[test]
    fn a_missed_tick_of_any_clock_is_a_miss() {
        let runs = vec![scheduled([0, 0]); 29];
        assert_eq!(result(check(None, "0"), &runs).result, CheckResult::Pass);
        let late = [runs, vec![scheduled([0, 1])]].concat();
        assert_eq!(result(check(None, "0"), &late).result, CheckResult::Fail);
        assert!(check(None, "0").is_broken_by(&late[29]));
        // Only the slow clock takes longer than 0.5 ms.
        let limited = result(check(Some(500_000), "0"), &late[..29]);
        assert_eq!((limited.result, limited.too_late), (CheckResult::Fail, Some(29 * 100)));
    }

    #[test]
    fn an_invalid_run_decides_nothing() {
        let runs = [clean(29), vec![refused()]].concat();
        assert_eq!(result(check(None, "0"), &runs).result, CheckResult::Invalid);
    }
}
