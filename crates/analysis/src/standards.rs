//! The user's criteria for judging figures.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use base::Nanos;
use record::{Periods, RunOption, RunSpec};
use serde::Serialize;
use stats::frontier::{BAD_RUNS, Demand, Demands};

use crate::fail_if::FailIf;
pub use crate::share::SoftShare;
use crate::share::{ManyMisses, Tolerance};
use crate::spacing::Spacing;
use crate::words;

/// Criteria for judging figures. Results contain none of them, so the same results can be judged
/// again by others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standards {
    pub tolerance: Tolerance,
    pub limits: Limits,
    pub strictness: Strictness,
    /// The share of misses above which a map is red.
    pub many: ManyMisses,
    pub fail_if: Vec<FailIf>,
    /// How late work may be done; `None`: by its next release.
    pub latest: Option<Nanos>,
    pub usual_options: UsualOptions,
    /// The command that is repeated to look for causes; `None`: the run itself.
    pub command: Option<String>,
}

/// The options that a run has anyway, so that its command line leaves them out: those with their
/// default values. Without them a command line names every option.
#[derive(Debug, Clone, Copy)]
pub struct UsualOptions(pub fn(&RunSpec) -> Vec<RunOption>);

impl Default for UsualOptions {
    fn default() -> Self {
        Self(|_| Vec::new())
    }
}

impl PartialEq for UsualOptions {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

/// The criteria of a user who sets none.
pub static DEFAULT_STANDARDS: LazyLock<Standards> = LazyLock::new(Standards::default);

/// The limits of firm and soft real time. Hard has none to set: no miss.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    pub firm: FirmMisses,
    pub soft: SoftShare,
    pub held_for: HeldFor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    #[default]
    Hard,
    Firm,
    Soft,
}

/// A mission: it is shown to hold without a miss where fewer than one deadline in this time is
/// missed. So long must a size have kept to any limit, in all its runs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldFor(pub Nanos);

/// At 1 kHz, to show it is to show that fewer than 1 in 10 000 periods miss: 30 s without a miss.
impl Default for HeldFor {
    fn default() -> Self {
        Self(Nanos(10 * Nanos::SECOND.0))
    }
}

impl Limits {
    /// Returns the requirement for deadlines that are due this often: the share of them that may be
    /// missed, how many must have been tried, and the share of runs that may have misses. Misses per
    /// hour are those of the machine: each of its rows may miss the same share.
    pub fn demand(&self, strictness: Strictness, due: impl Into<Spacing>) -> Demand {
        let due = due.into();
        let most = match strictness {
            Strictness::Hard => 0.0,
            Strictness::Firm => self.firm.share(due),
            Strictness::Soft => self.soft.share(),
        };
        // Of an allowance of nothing, a share above 0 can be shown all the same.
        let mission = (due.row_ns / self.held_for.0.0 as f64).min(1.0);
        Demand {
            most: most.min(1.0),
            shown: if most > 0.0 { most.min(1.0) } else { mission },
            least: (self.held_for.0.0 as f64 / due.row_ns).ceil() as u64,
            bad_runs: BAD_RUNS,
        }
    }

    pub fn demands(self, strictness: Strictness, periods: Periods) -> Demanded {
        Demanded { limits: self, strictness, periods }
    }

    /// Says what is shown, and by what: `fewer than one per 10 s (by 30 s or more, in 29 runs or more)`.
    pub fn shown_in_words(&self) -> String {
        let Proof { time_ns, runs } = self.proof();
        let [mission, time] = [self.held_for.0.0, time_ns].map(|ns| words::time(ns as f64));
        format!("fewer than one per {mission} (by {time} or more, in {runs} runs or more)")
    }

    /// Returns what it takes to show that fewer than one deadline per mission is missed, if the first
    /// that is tried is shown.
    pub fn proof(&self) -> Proof {
        // A millionth of the mission: the time is the same at every rate that is high enough.
        let spacing = Nanos((self.held_for.0.0 / 1_000_000).max(1));
        let demand = self.demand(Strictness::Hard, spacing);
        Proof { time_ns: demand.enough(1) * spacing.0, runs: demand.enough_runs(1) }
    }

    /// Returns the chance that work which misses each deadline with this chance, above 0 and below 1,
    /// is shown to miss none, at the first moment at which that can be shown.
    pub fn chance_of_shown(&self, miss: f64, period: Nanos) -> f64 {
        let demand = self.demand(Strictness::Hard, period);
        (demand.enough(1) as f64 * (-miss).ln_1p()).exp()
    }

    /// `hard real time (no miss)`.
    pub fn words(&self, strictness: Strictness) -> String {
        match strictness {
            Strictness::Hard => "hard real time (no miss)".to_owned(),
            Strictness::Firm => format!("firm real time (at most {})", self.firm),
            Strictness::Soft => format!("soft real time (at most {})", self.soft),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Proof {
    pub time_ns: u64,
    pub runs: u64,
}

impl Proof {
    /// `at least 30 s in 29 runs`.
    pub fn words(&self) -> String {
        let (time, runs) =
            (words::time(self.time_ns as f64), words::counted(self.runs as usize, "run"));
        format!("at least {time} in {runs}")
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demanded {
    limits: Limits,
    strictness: Strictness,
    periods: Periods,
}

impl Demands for Demanded {
    fn of(&self, size: u64) -> Demand {
        self.limits.demand(self.strictness, self.periods.of(size))
    }

    fn times_as_often(&self, size: u64) -> f64 {
        self.periods.times_as_often(size)
    }
}

/// The most misses of firm real time: `10/h` or `1/1000000` (periods).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirmMisses {
    misses: u64,
    /// `None`: per hour.
    periods: Option<u64>,
}

/// The default is low enough that someone watching notices every miss as a single event.
impl Default for FirmMisses {
    fn default() -> Self {
        Self { misses: 10, periods: None }
    }
}

impl FirmMisses {
    /// Returns the share of deadlines that it allows: of the machine's in an hour, or of so many.
    pub fn share(self, due: impl Into<Spacing>) -> f64 {
        let misses = self.misses as f64;
        match self.periods {
            Some(periods) => misses / periods as f64,
            None => due.into().share_of_hour(misses),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a limit of misses; expected misses per hour or per number of periods, such as \
     10/h or 1/1000000"
)]
pub struct NotALimit(String);

impl FromStr for FirmMisses {
    type Err = NotALimit;

    fn from_str(text: &str) -> Result<Self, NotALimit> {
        let read = || {
            let (misses, of) = text.split_once('/')?;
            let periods = match of.trim() {
                "h" => None,
                periods => Some(periods.parse().ok().filter(|periods| *periods > 0)?),
            };
            let misses = misses.trim().parse().ok()?;
            periods.is_none_or(|periods| misses <= periods).then_some(Self { misses, periods })
        };
        read().ok_or_else(|| NotALimit(text.to_owned()))
    }
}

impl fmt::Display for FirmMisses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let misses = words::counted(usize::try_from(self.misses).unwrap_or(usize::MAX), "miss");
        match self.periods {
            Some(periods) => write!(f, "{misses} in {} periods", words::grouped(periods)),
            None => write!(f, "{misses} per hour"),
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { firm, soft, .. } = self;
        let mission = words::time(self.held_for.0.0 as f64);
        write!(
            f,
            "hard: no miss, shown below one per {mission}; firm: at most {firm}; soft: at most {soft}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_typed_and_reported() {
        let limits = Limits::default();
        assert_eq!(
            limits.to_string(),
            "hard: no miss, shown below one per 10 s; firm: at most 10 misses per hour; soft: at most 1 % of periods"
        );
        let firm: FirmMisses = "1/1000000".parse().unwrap();
        assert_eq!(firm.to_string(), "1 miss in 1 000 000 periods");
        assert_eq!(firm.share(Nanos::SECOND), 1e-6);
        let firm: FirmMisses = "36/h".parse().unwrap();
        assert_eq!(firm.share(Nanos::SECOND), 0.01);
        for text in ["", "10", "/h", "-1/h", "1/0", "2/1", "1/d", "10/h/h"] {
            assert!(text.parse::<FirmMisses>().is_err(), "{text}");
        }
    }
}
