//! Hard, firm or soft: what periodic work met, and what its count of misses can claim.

use plan::{Row, RunSpec};
use stats::MissRate;
use units::Nanos;

use crate::capacity;
use crate::standards::Limits;
use crate::survey::{Series, System};
use crate::words;

/// What the deadlines of periodic work came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RealTime {
    /// The best that holds.
    pub grade: Grade,
    /// Periods that missed their deadline, or had no turn.
    pub misses: u64,
    /// Periods that were due.
    pub periods: u64,
    /// How long each is.
    pub period: Nanos,
    /// What the count says of the rate of misses.
    pub claim: MissRate,
}

/// A kind of real time, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// No miss.
    Hard,
    /// A few.
    Firm,
    /// Misses are rare.
    Soft,
    /// None of these.
    Missed,
}

impl Grade {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Firm => "firm",
            Self::Soft => "soft",
            Self::Missed => "not even soft",
        }
    }
}

/// Measurements with deadlines, and how long a period of theirs is.
const PERIODIC: [(&str, &str); 3] = [("wakeup", "period"), ("frame", "rate"), ("tire", "rate")];

impl RealTime {
    /// Of equal rows of a run or several; `None` where there are no deadlines.
    pub(crate) fn of(spec: &RunSpec, rows: &[&Row], limits: &Limits) -> Option<Self> {
        let (name, parameter) = PERIODIC
            .iter()
            .find(|(name, _)| *name == spec.measurement)?;
        let missed = |row: &Row| match row.facts.get("missed") {
            Some(missed) => missed.as_u64(),
            // A wake-up is missed where the next one came due before it.
            None => (*name == "wakeup").then_some(row.skipped),
        };
        let misses = rows.iter().map(|row| missed(row)).sum::<Option<u64>>()?;
        let periods = rows.iter().map(|row| row.due).sum();
        let period = spec.parameters.time(parameter);
        let claim = MissRate::of(misses, periods)?;
        let grade = if misses == 0 {
            Grade::Hard
        } else if claim.rate <= limits.firm.in_each(period) {
            Grade::Firm
        } else if claim.rate <= limits.soft.share() {
            Grade::Soft
        } else {
            Grade::Missed
        };
        Some(Self {
            grade,
            misses,
            periods,
            period,
            claim,
        })
    }

    pub(crate) fn of_series(series: &Series, limits: &Limits) -> Option<Self> {
        Self::of(series.spec, &series.rows, limits)
    }

    /// Misses an hour at a rate of misses in each period.
    pub(crate) fn an_hour(&self, rate: f64) -> f64 {
        rate * 3.6e12 / self.period.0 as f64
    }

    /// `0 of 60 000 missed; with 95 % confidence fewer than 1 in 20 028 (180 an hour)`.
    pub(crate) fn words(&self) -> String {
        let counted = format!(
            "{} of {} missed",
            words::grouped(self.misses),
            words::grouped(self.periods)
        );
        format!("{counted}; with 95 % confidence {}", self.bounds())
    }

    /// The claim in words.
    pub(crate) fn bounds(&self) -> String {
        let MissRate { lower, upper, .. } = self.claim;
        let an_hour = |rate: f64| words::quantity(self.an_hour(rate));
        match self.misses {
            0 => format!("fewer than {} ({} an hour)", one_in(upper), an_hour(upper)),
            _ => format!(
                "{} to {} ({} to {} an hour)",
                one_in(lower),
                one_in(upper),
                an_hour(lower),
                an_hour(upper)
            ),
        }
    }

    /// How much longer it takes without a miss to claim the limit of firm real time.
    pub(crate) fn longer(&self, limits: &Limits) -> Option<Nanos> {
        let limit = limits.firm.in_each(self.period);
        let is_open = self.misses == 0 && limit > 0.0 && limit < self.claim.upper;
        let more = || stats::clean_periods(limit).saturating_sub(self.periods);
        is_open.then(|| Nanos(more().saturating_mul(self.period.0)))
    }
}

/// A rate as one in so many; `3 in 100` where that is nearer.
pub(crate) fn one_in(rate: f64) -> String {
    match 1.0 / rate {
        often if often >= 10.0 => format!("1 in {}", words::grouped(often as u64)),
        _ => words::percent(rate),
    }
}

/// A sentence for each measurement of a machine that has deadlines.
pub(crate) fn sentences(system: &System, limits: &Limits) -> Vec<String> {
    let names = PERIODIC.iter().map(|(name, _)| *name);
    names
        .filter_map(|name| sentence(system, name, limits))
        .collect()
}

/// How many cases were hard and what the weakest of them can claim; then each other one.
fn sentence(system: &System, name: &str, limits: &Limits) -> Option<String> {
    let mut judged: Vec<(&Series, RealTime)> = system
        .of(name)
        .filter(|series| name != "tire" || capacity::is_real_time(series))
        .filter(|series| name != "wakeup" || series.headline)
        .filter_map(|series| Some((series, RealTime::of_series(series, limits)?)))
        .collect();
    judged.sort_by_key(|(_, real_time)| real_time.grade);
    let hard = judged.partition_point(|(_, real_time)| real_time.grade == Grade::Hard);
    let peers: Vec<&Series> = judged.iter().map(|(series, _)| *series).collect();
    let mut parts = Vec::new();
    let weakest = judged[..hard]
        .iter()
        .max_by(|(_, one), (_, other)| one.claim.upper.total_cmp(&other.claim.upper));
    if let Some((_, weakest)) = weakest {
        let cases = match judged.len() {
            1 => String::new(),
            all => format!(
                " in {} of {}",
                words::grouped(hard as u64),
                words::counted(all, "case")
            ),
        };
        parts.push(format!("hard{cases}: {}", weakest.words()));
    }
    for (series, real_time) in &judged[hard..] {
        parts.push(format!(
            "{} with {} ({}): {}",
            real_time.grade.name(),
            words::label(series.label),
            series.conditions(&peers),
            real_time.words()
        ));
    }
    (!parts.is_empty()).then(|| format!("`{name}` {}.", parts.join(". ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{tire, wakeup};
    use crate::survey::systems;
    use units::Policy;

    fn grade(missed: u64, limits: &Limits) -> Grade {
        let run = tire("real-time", 100, 1, 1000, missed);
        RealTime::of(&run.header.spec, &[&run.rows[0]], limits)
            .unwrap()
            .grade
    }

    #[test]
    fn grades_follow_the_limits_that_a_person_sets() {
        let usual = Limits::default();
        // 1000 steps at 100 Hz are 10 s: one miss is 360 an hour.
        let grades = [0, 1, 10, 11].map(|missed| grade(missed, &usual));
        assert_eq!(
            grades,
            [Grade::Hard, Grade::Soft, Grade::Soft, Grade::Missed]
        );
        let generous = Limits {
            firm: "2/1000".parse().unwrap(),
            soft: "2%".parse().unwrap(),
            ..usual
        };
        let grades = [1, 2, 3, 20, 21].map(|missed| grade(missed, &generous));
        assert_eq!(
            grades,
            [
                Grade::Firm,
                Grade::Firm,
                Grade::Soft,
                Grade::Soft,
                Grade::Missed
            ]
        );
        let strict = Limits {
            firm: "0/h".parse().unwrap(),
            soft: "0%".parse().unwrap(),
            ..usual
        };
        assert_eq!(grade(1, &strict), Grade::Missed);
    }

    #[test]
    fn a_clean_run_says_what_it_can_claim_and_what_it_lacks() {
        let run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let limits = Limits::default();
        let real_time = RealTime::of(&run.header.spec, &[&run.rows[1]], &limits).unwrap();
        assert_eq!(
            real_time.words(),
            "0 of 10 000 missed; with 95 % confidence fewer than 1 in 3 338 (1 080 an hour)"
        );
        // 10 an hour at 1 kHz are 1 in 360 000, which 1 078 463 clean periods claim.
        let longer = real_time.longer(&limits).unwrap();
        assert_eq!(longer.0 / 1_000_000, 1_068_463);
        let runs = [run, tire("real-time", 100, 1, 1000, 3)];
        let told = sentences(&systems(&runs)[0], &limits);
        assert_eq!(told.len(), 2);
        assert!(
            told[0].starts_with("`wakeup` hard: 0 of 20 000 missed"),
            "{}",
            told[0]
        );
        assert!(told[1].contains("soft with 100 masses"), "{}", told[1]);
    }

    #[test]
    fn what_has_no_deadline_has_no_grade() {
        let run = tire("real-fast", 100, 1, 1000, 0);
        assert_eq!(
            RealTime::of(&run.header.spec, &[&run.rows[0]], &Limits::default()),
            None
        );
    }
}
