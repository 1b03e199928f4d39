//! Scheduling policies of the Linux kernel.

use std::fmt;
use std::str::FromStr;

use crate::{Nanos, ParseError, nearest, serde_as_text};

/// A scheduling policy with its parameters, as in `sched_setattr(2)`.
///
/// Parsed and printed as `other`, `other:NICE`, `other:NICE/SLICE`, `fifo:N`, `rr:N`,
/// `deadline:RUNTIME/PERIOD` (the deadline is the period) or `idle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// `SCHED_OTHER`, the kernel's default policy.
    Other {
        /// Nice value, -20 (favoured) to 19. `None` requests the inherited one; a policy that was
        /// read back never has `None` here: the value is then 0.
        nice: Option<i8>,
        /// Time slice; `None` leaves the kernel's default.
        slice: Option<Nanos>,
    },
    /// `SCHED_FIFO` at a priority from 1 to 99.
    Fifo(u8),
    /// `SCHED_RR` at a priority from 1 to 99.
    Rr(u8),
    /// `SCHED_IDLE`: runs only when the CPU has nothing else to do.
    Idle,
    /// `SCHED_DEADLINE`: `runtime` in each `period`, at least 1024 ns.
    Deadline {
        /// CPU time that is granted in each period.
        runtime: Nanos,
        /// Period, which is also the relative deadline.
        period: Nanos,
    },
}

impl Policy {
    /// The kernel's default policy with the inherited nice value.
    pub const OTHER: Self = Self::Other { nice: None, slice: None };

    /// Returns the policy to expect later if `found` was granted now: an inherited nice value
    /// stays.
    pub fn once_found(self, found: Self) -> Self {
        match (self, found) {
            (Self::Other { nice: None, slice }, Self::Other { nice, .. }) => {
                Self::Other { nice: nice.or(Some(0)), slice }
            }
            _ => self,
        }
    }

    /// Returns true if tasks of this policy run before those of the default policy.
    pub fn is_real_time(self) -> bool {
        !matches!(self, Self::Other { .. } | Self::Idle)
    }

    /// Returns the fixed priority of `fifo` or `rr`, 1 to 99.
    pub fn priority(self) -> Option<u8> {
        match self {
            Self::Fifo(priority) | Self::Rr(priority) => Some(priority),
            Self::Other { .. } | Self::Idle | Self::Deadline { .. } => None,
        }
    }

    /// Returns the same policy `steps` priorities lower, or `None` if the policy has no priority or
    /// the result would be below 1.
    pub fn lowered(self, steps: u8) -> Option<Self> {
        let lower = |priority: u8| priority.checked_sub(steps).filter(|p| *p >= 1);
        match self {
            Self::Fifo(priority) => lower(priority).map(Self::Fifo),
            Self::Rr(priority) => lower(priority).map(Self::Rr),
            Self::Other { .. } | Self::Idle | Self::Deadline { .. } => None,
        }
    }
}

const NAMES: [&str; 5] = ["other", "fifo", "rr", "deadline", "idle"];
const EXPECTED: &str = "expected other, other:NICE[/SLICE], fifo:N, rr:N (N from 1 to 99), \
                        deadline:RUNTIME/PERIOD or idle";
/// The kernel refuses shorter `SCHED_DEADLINE` runtimes (sched(7)), and periods outside its default
/// limits (`sched_deadline_period_min_us`, `..._max_us`).
const SHORTEST_RUNTIME: Nanos = Nanos(1024);
const SHORTEST_PERIOD: Nanos = Nanos(100_000);
const LONGEST_PERIOD: Nanos = Nanos(4_194_304_000);

impl FromStr for Policy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, argument) = match text.trim().split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text.trim(), None),
        };
        match (name, argument) {
            ("other", None) => Ok(Self::OTHER),
            ("idle", None) => Ok(Self::Idle),
            ("other", Some(argument)) => other(argument),
            ("fifo", Some(argument)) => priority(argument).map(Self::Fifo),
            ("rr", Some(argument)) => priority(argument).map(Self::Rr),
            ("deadline", Some(argument)) => deadline(argument),
            ("fifo" | "rr" | "deadline", None) => {
                Err(ParseError::new(format!("policy `{name}` needs a parameter; {EXPECTED}")))
            }
            _ => Err(ParseError::new(match nearest(name, NAMES) {
                Some(near) => {
                    format!("`{name}` is not a policy; did you mean `{near}`? {EXPECTED}")
                }
                None => format!("`{name}` is not a policy; {EXPECTED}"),
            })),
        }
    }
}

fn priority(text: &str) -> Result<u8, ParseError> {
    match text.parse() {
        Ok(priority @ 1..=99) => Ok(priority),
        _ => Err(ParseError::new(format!(
            "`{text}` is not a priority; expected 1 (lowest) to 99 (highest)"
        ))),
    }
}

fn other(text: &str) -> Result<Policy, ParseError> {
    let (nice, slice) = match text.split_once('/') {
        Some((nice, slice)) => (nice, Some(slice.parse::<Nanos>()?)),
        None => (text, None),
    };
    if slice.is_some_and(|s| !(100_000..=100_000_000).contains(&s.0)) {
        return Err(ParseError::new("the kernel accepts only slices from 100us to 100ms"));
    }
    match nice.parse() {
        Ok(nice @ -20..=19) => Ok(Policy::Other { nice: Some(nice), slice }),
        _ => Err(ParseError::new(format!(
            "`{nice}` is not a nice value; expected -20 (favoured) to 19"
        ))),
    }
}

fn deadline(text: &str) -> Result<Policy, ParseError> {
    let (runtime, period) = text.split_once('/').ok_or_else(|| {
        ParseError::new(format!(
            "`{text}` is not RUNTIME/PERIOD; expected for instance deadline:200us/1ms"
        ))
    })?;
    let (runtime, period) = (runtime.parse::<Nanos>()?, period.parse::<Nanos>()?);
    if runtime > period || runtime < SHORTEST_RUNTIME {
        return Err(ParseError::new(format!(
            "runtime {runtime} must be at least 1024ns and at most the period {period}"
        )));
    }
    if !(SHORTEST_PERIOD..=LONGEST_PERIOD).contains(&period) {
        return Err(ParseError::new(format!(
            "the kernel accepts only deadline periods from {SHORTEST_PERIOD} to 4s, not {period}"
        )));
    }
    Ok(Policy::Deadline { runtime, period })
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other { nice, slice } => {
                write!(f, "other")?;
                match (nice, slice) {
                    (None, None) => Ok(()),
                    (Some(nice), None) => write!(f, ":{nice}"),
                    (nice, Some(slice)) => write!(f, ":{}/{slice}", nice.unwrap_or(0)),
                }
            }
            Self::Idle => write!(f, "idle"),
            Self::Fifo(priority) => write!(f, "fifo:{priority}"),
            Self::Rr(priority) => write!(f, "rr:{priority}"),
            Self::Deadline { runtime, period } => write!(f, "deadline:{runtime}/{period}"),
        }
    }
}

serde_as_text!(Policy);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_print_as_typed() {
        let all = "other other:-5 other:0 other:0/1ms fifo:80 rr:1 deadline:200us/1ms idle";
        for text in all.split(' ') {
            assert_eq!(text.parse::<Policy>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (text, reason) in [
            ("ffio:10", "`ffio` is not a policy; did you mean `fifo`?"),
            ("realtime", "`realtime` is not a policy; expected"),
            ("fifo:100", "`100` is not a priority"),
            ("fifo:0", "`0` is not a priority"),
            ("fifo", "needs a parameter"),
            ("other:20", "`20` is not a nice value"),
            ("other:0/1s", "slices from"),
            ("deadline:1ms", "is not RUNTIME/PERIOD"),
            ("deadline:2ms/1ms", "at most the period"),
            ("deadline:1ns/1ms", "at least 1024ns"),
            ("deadline:20us/50us", "periods from 100us"),
        ] {
            let error = text.parse::<Policy>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn an_inherited_nice_value_stays() {
        let policy = |text: &str| text.parse::<Policy>().unwrap();
        for (asked, found, later) in [
            ("other", "other:5", "other:5"),
            ("other", "other", "other:0"),
            ("other:3", "other:5", "other:3"),
            ("fifo:3", "other", "fifo:3"),
        ] {
            assert_eq!(policy(asked).once_found(policy(found)), policy(later));
        }
    }

    #[test]
    fn lowering_keeps_the_policy_and_stays_valid() {
        assert_eq!(Policy::Fifo(80).lowered(1), Some(Policy::Fifo(79)));
        assert_eq!(Policy::Rr(2).lowered(2), None);
        assert_eq!(Policy::OTHER.lowered(1), None);
    }
}
