//! Hard, firm or soft: what periodic work met, and what its count of misses can claim.

use base::Nanos;
use record::{Family, Outcome, Row, RunSpec, fact};
use serde_json::Value;
use stats::frontier::Standing;
use stats::{Distribution, InOrder, Tries};

use crate::held::Held;
use crate::spacing::{self, Spacing, row_period};
use crate::standards::{Limits, Strictness};
use crate::survey::{Series, System};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RealTime {
    /// The strictest grade that the count allows.
    pub grade: Grade,
    /// Periods due and missed or skipped, and what they show about the grade.
    pub held: Held,
    pub period: Nanos,
    pub due: Spacing,
}

base::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Grade {
        Hard = "hard",
        Firm = "firm",
        Soft = "soft",
        Missed = "not even soft",
    }
}

impl Grade {
    /// Returns the strictness that it is judged by: that of the limit it meets, else the last one.
    fn strictness(self) -> Strictness {
        match self {
            Self::Hard => Strictness::Hard,
            Self::Firm => Strictness::Firm,
            Self::Soft | Self::Missed => Strictness::Soft,
        }
    }
}

/// The verdict without a missed deadline, but with too few deadlines to show hard real time.
const NO_MISS_SO_FAR: &str = "no miss so far";

#[cfg(feature = "schema")]
pub(crate) const VERDICTS: [&str; 8] = [
    "hard",
    NO_MISS_SO_FAR,
    "firm",
    "firm so far",
    "soft",
    "soft so far",
    "not even soft",
    "not even soft so far",
];

/// What they skip is what they miss: work not done by its next release.
const MISSED_IS_SKIPPED: [Option<Family>; 2] = [Some(Family::Wakeups), Some(Family::Interrupts)];

/// Returns the missed deadlines of a row; `None` if nothing has a deadline.
pub(crate) fn misses_of(measurement: &str, row: &Row) -> Option<u64> {
    match row.fact(&fact::MISSED) {
        Some(missed) => missed.as_u64(),
        None => MISSED_IS_SKIPPED.contains(&Family::of(measurement)).then_some(row.skipped),
    }
}

/// Returns the latest response of a row, from due to done, in nanoseconds. The times of frames begin
/// with their start; a run of an older version gives a lower bound.
pub(crate) fn response_ns(row: &Row) -> Option<i64> {
    let number = |fact| row.fact(fact).and_then(Value::as_i64);
    number(&fact::RESPONSE_MAX_NS).or_else(|| row.max_ns().max(number(&fact::START_DELAY_MAX_NS)))
}

/// Counts the missed deadlines of a series; `None` if nothing has a deadline.
pub fn misses(series: &Series) -> Option<u64> {
    series.rows.iter().map(|row| misses_of(&series.spec.measurement, row)).sum()
}

/// Returns how many deadlines of a run were completed later than `max`, or left no sample.
pub(crate) fn too_late(run: &Outcome, max: Nanos) -> u64 {
    let late = |row: &Row| {
        let samples = row.latency.as_ref().map_or(0, Distribution::count);
        row.due.saturating_sub(samples) + later_than(row, max)
    };
    judged(run).into_iter().map(late).sum()
}

pub(crate) fn later_than(row: &Row, max: Nanos) -> u64 {
    let Some(latency) = &row.latency else { return 0 };
    // A bin's upper edge is at most 0.1 % too high; the maximum is exact.
    let longest = u64::from(latency.max.value_ns > max.0 as i64);
    let within = latency.count_at_or_below(max.0 as f64);
    within.map_or(0, |within| latency.count().saturating_sub(within)).max(longest)
}

/// Returns the rows of a run that count its deadlines: those of each process, clock or member, else
/// the headline. Empty if nothing has a deadline.
pub fn judged(run: &Outcome) -> Vec<&Row> {
    let rows = run.rows.iter();
    let counting: Vec<&Row> = rows.filter(|row| row.fact(&fact::MISSED).is_some()).collect();
    if !counting.is_empty() {
        return counting;
    }
    let has_deadlines = |row: &&Row| misses_of(&run.header.spec.measurement, row).is_some();
    run.rows.first().into_iter().filter(has_deadlines).collect()
}

/// Counts the deadlines of a run; `None` if none was due.
pub fn of_run(run: &Outcome) -> Option<Tries> {
    together(&run.header.spec.measurement, &judged(run))
}

/// Counts the deadlines of rows of one run; `None` if none was due.
pub(crate) fn together(measurement: &str, rows: &[&Row]) -> Option<Tries> {
    let due = rows.iter().map(|row| row.due).sum();
    let missed: Option<u64> = rows.iter().map(|row| misses_of(measurement, row)).sum();
    missed.filter(|_| due > 0).map(|missed| Tries::one(due, missed))
}

/// Counts the deadlines of equal rows, each of another run, in the order of the runs; `None` without
/// deadlines.
pub(crate) fn tries(spec: &RunSpec, rows: &[&Row]) -> Option<Tries> {
    let (name, _) = spacing::periodic(spec)?;
    let run = |row: &&Row| Some(Tries::one(row.due, misses_of(name, row)?));
    let tries = rows.iter().map(run).collect::<Option<InOrder>>()?.together();
    (tries.due > 0).then_some(tries)
}

impl RealTime {
    /// Grades equal rows of several runs, by their place in each.
    pub fn of(spec: &RunSpec, place: usize, rows: &[&Row], limits: &Limits) -> Option<Self> {
        let (tries, period) = (tries(spec, rows)?, row_period(spec, place)?);
        let due = Spacing::of_row(spec, place)?;
        let grade = if tries.missed == 0 {
            Grade::Hard
        } else if tries.share() <= limits.firm.share(due) {
            Grade::Firm
        } else if tries.share() <= limits.soft.share() {
            Grade::Soft
        } else {
            Grade::Missed
        };
        Some(Self {
            grade,
            held: Held::of(tries, limits.demand(grade.strictness(), due), 1),
            period,
            due,
        })
    }

    pub fn is_shown(&self) -> bool {
        match self.grade {
            Grade::Missed => self.held.standing == Standing::Missed,
            _ => self.held.is_shown(),
        }
    }

    pub fn of_series(series: &Series, limits: &Limits) -> Option<Self> {
        Self::of(series.spec, series.place, &series.rows, limits)
    }

    /// Returns the grade if it is shown, else what was counted so far.
    pub fn verdict(&self) -> String {
        match (self.grade, self.is_shown()) {
            (grade, true) => grade.name().to_owned(),
            (Grade::Hard, false) => NO_MISS_SO_FAR.to_owned(),
            (grade, false) => format!("{} so far", grade.name()),
        }
    }

    /// Returns how much longer to measure without a miss to claim the limit of firm real time.
    pub fn longer(&self, limits: &Limits) -> Option<Nanos> {
        let limit = limits.firm.share(self.due);
        let is_open = self.held.tries.missed == 0 && limit > 0.0 && limit < self.held.bound.upper;
        let more = || stats::clean_periods(limit).saturating_sub(self.held.tries.due);
        is_open.then(|| Nanos((more() as f64 * self.due.row_ns) as u64))
    }
}

/// The series of each measurement of a machine that has deadlines, the strictest grade first.
pub fn graded<'s, 'a>(
    system: &'s System<'a>,
    limits: &Limits,
) -> Vec<(&'static str, Vec<(&'s Series<'a>, RealTime)>)> {
    let of_name = |name: &'static str| {
        let all = system.of(name).filter(|series| name != "wakeup" || series.headline());
        let all = all.filter_map(|series| Some((series, RealTime::of_series(series, limits)?)));
        let mut all: Vec<(&Series, RealTime)> = all.collect();
        all.sort_by_key(|(_, real_time)| (real_time.grade, !real_time.is_shown()));
        (name, all)
    };
    spacing::PERIODIC
        .into_iter()
        .map(|(name, _)| of_name(name))
        .filter(|(_, all)| !all.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{frames, scheduled, tire, wakeup};
    use crate::survey::systems;
    use base::Policy;

    fn grade(missed: u64, limits: &Limits) -> Grade {
        let run = tire("real-time", 100, 1, 1000, missed);
        RealTime::of(&run.header.spec, 0, &[&run.rows[0]], limits).unwrap().grade
    }

    #[test]
    fn grades_follow_the_limits_that_a_person_sets() {
        let usual = Limits::default();
        // 1000 steps at 100 Hz are 10 s: one miss is 360 an hour.
        let grades = [0, 1, 10, 11].map(|missed| grade(missed, &usual));
        assert_eq!(grades, [Grade::Hard, Grade::Soft, Grade::Soft, Grade::Missed]);
        let generous =
            Limits { firm: "2/1000".parse().unwrap(), soft: "2%".parse().unwrap(), ..usual };
        let grades = [1, 2, 3, 20, 21].map(|missed| grade(missed, &generous));
        assert_eq!(grades, [Grade::Firm, Grade::Firm, Grade::Soft, Grade::Soft, Grade::Missed]);
        let strict = Limits { firm: "0/h".parse().unwrap(), soft: "0%".parse().unwrap(), ..usual };
        assert_eq!(grade(1, &strict), Grade::Missed);
    }

    #[test]
    fn a_clean_run_says_what_it_can_claim_and_what_it_lacks() {
        let run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let limits = Limits::default();
        let real_time = RealTime::of(&run.header.spec, 1, &[&run.rows[1]], &limits).unwrap();
        // 10 an hour at 1 kHz are 1 in 360 000, which 1 078 463 clean periods claim.
        let longer = real_time.longer(&limits).unwrap();
        assert_eq!(longer.0 / 1_000_000, 1_068_463);
        let runs = [run, tire("real-time", 100, 1, 1000, 3)];
        let systems = systems(&runs);
        let graded = graded(&systems[0], &limits).into_iter();
        let verdicts = graded.map(|(name, all)| (name, all[0].1.verdict()));
        let expected = [("wakeup", "no miss so far"), ("tire", "soft so far")];
        assert!(verdicts.eq(expected.map(|(name, verdict)| (name, verdict.to_owned()))));
    }

    #[test]
    fn hard_is_said_of_what_is_shown_alone() {
        let limits = Limits::default();
        let verdict = |steps: u64, missed: u64, runs: usize| {
            let run = tire("real-time", 100, 1, steps, missed);
            let rows = vec![&run.rows[0]; runs];
            RealTime::of(&run.header.spec, 0, &rows, &limits).unwrap().verdict()
        };
        // 30 s at 100 Hz (fewer than 1 in 1000), in 29 runs or more.
        assert_eq!(verdict(200, 0, 1), "no miss so far");
        assert_eq!(verdict(5_000, 0, 28), "no miss so far");
        assert_eq!(verdict(103, 0, 29), "no miss so far");
        assert_eq!(verdict(104, 0, 29), "hard");
        assert_eq!(verdict(1_000, 1, 29), "soft");
        assert_eq!(verdict(1_000, 1, 2), "soft so far");
        assert_eq!(verdict(50, 1, 2), "not even soft so far");
        assert_eq!(verdict(500, 100, 2), "not even soft");
    }

    #[test]
    fn what_has_no_deadline_misses_none() {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        for row in &mut run.rows {
            row.skipped = 3;
        }
        let misses = |run: &Outcome| {
            let runs = std::slice::from_ref(run);
            misses(&systems(runs)[0].series[0])
        };
        assert_eq!(misses(&run), Some(3));
        run.header.spec.measurement = "interrupt".into();
        assert_eq!(misses(&run), Some(3));
        run.header.spec.measurement = "task_switch".into();
        assert_eq!(misses(&run), None);
    }

    #[test]
    fn a_run_counts_once_with_all_its_processes_and_clocks() {
        let count = |run: &Outcome| of_run(run).map(|run| (run.runs, run.due, run.missed));
        assert_eq!(count(&frames("timer", 0)), Some((1, 2_000, 1)));
        assert_eq!(count(&scheduled([0, 7])), Some((1, 2_100, 7)));
        assert_eq!(count(&wakeup(Policy::Fifo(80), None, 8e3, 6e4)), Some((1, 20_000, 0)));
        assert_eq!(count(&tire("real-fast", 100, 1, 1000, 0)), None);
    }

    #[test]
    fn a_clock_is_graded_by_its_own_period() {
        let runs = [scheduled([0, 1])];
        let systems = systems(&runs);
        let limits = Limits::default();
        let grade = |series: &Series| RealTime::of_series(series, &limits).unwrap();
        let [fast, slow] = [0, 1].map(|place| grade(&systems[0].series[place]));
        assert_eq!((fast.period, fast.grade), (Nanos(1_000_000), Grade::Hard));
        assert_eq!((slow.period, slow.grade), (Nanos(20_000_000), Grade::Soft));
    }

    #[test]
    fn what_has_no_deadline_has_no_grade() {
        let run = tire("real-fast", 100, 1, 1000, 0);
        assert_eq!(RealTime::of(&run.header.spec, 0, &[&run.rows[0]], &Limits::default()), None);
    }
}
