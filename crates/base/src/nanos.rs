//! Durations in whole nanoseconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ParseError;

/// A duration in nanoseconds, from 0 to about 584 years.
///
/// Parsed and printed with a unit (`250us`, `1ms`, `1.5s`, `2min`); in JSON, a plain number of
/// nanoseconds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Nanos(pub u64);

/// Units from small to large, with their length in nanoseconds. The first name of a unit is the one
/// that is printed.
const UNITS: [(&[&str], u64); 7] = [
    (&["ns"], 1),
    (&["us", "µs"], 1_000),
    (&["ms"], 1_000_000),
    (&["s", "sec"], 1_000_000_000),
    (&["min", "m"], 60_000_000_000),
    (&["h"], 3_600_000_000_000),
    (&["d"], 86_400_000_000_000),
];

impl Nanos {
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);

    /// Returns the duration in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Parses a time; a number without a unit means seconds (`10`, `1.5`, `2min`). Only for options
    /// whose name is their unit, such as `--seconds`.
    ///
    /// # Errors
    /// Fails if the text is not a positive, finite time.
    pub fn parse_seconds(text: &str) -> Result<Self, ParseError> {
        match text.trim().parse::<f64>() {
            Ok(seconds) => scaled(text, seconds, Self::SECOND.0),
            Err(_) => text.parse(),
        }
    }
}

impl From<Nanos> for Duration {
    fn from(time: Nanos) -> Self {
        Self::from_nanos(time.0)
    }
}

impl FromStr for Nanos {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        if let Some(why) = ParseError::without_unit(text, ["us", "ms", "s"]) {
            return Err(why);
        }
        let refused = || ParseError::new(format!("`{text}` is not a time; {EXPECTED}"));
        let split = text.find(char::is_alphabetic).ok_or_else(refused)?;
        let (number, unit) = text.split_at(split);
        let number: f64 = number.trim().parse().map_err(|_| refused())?;
        let (_, length) =
            UNITS.iter().find(|(names, _)| names.contains(&unit)).ok_or_else(|| {
                ParseError::new(format!("`{unit}` is not a unit of time; {EXPECTED}"))
            })?;
        scaled(text, number, *length)
    }
}

const EXPECTED: &str = "expected a time such as 100us, 1ms, 10s or 2min";

/// Returns the product of a typed number and its unit, if it is positive and fits a [`Nanos`].
fn scaled(text: &str, number: f64, unit_ns: u64) -> Result<Nanos, ParseError> {
    let exact = number * unit_ns as f64;
    let nanos = exact.round();
    if !nanos.is_finite() || number < 0.0 {
        return Err(ParseError::new(format!("`{text}` is not a time; {EXPECTED}")));
    }
    // As decimal fractions of a second are rounded, one nanosecond may come out a little shorter.
    if exact < 1.0 - 1e-9 {
        return Err(ParseError::new(format!("`{text}` is too short: a time must be at least 1ns")));
    }
    if nanos >= u64::MAX as f64 {
        return Err(ParseError::new(format!("`{text}` is too long")));
    }
    Ok(Nanos(nanos as u64))
}

impl fmt::Display for Nanos {
    /// Prints the number in the largest unit that is not longer than the time, seconds at most.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, length) =
            UNITS[..4].iter().rev().find(|(_, length)| self.0 >= *length).unwrap_or(&UNITS[0]);
        let number = self.0 as f64 / *length as f64;
        write!(f, "{number}{}", names[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        for (text, nanos) in [
            ("100us", 100_000),
            ("1ms", 1_000_000),
            ("1.5s", 1_500_000_000),
            ("2min", 120_000_000_000),
            ("7ns", 7),
            ("0.000000001s", 1),
            ("7d", 604_800_000_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for nanos in [1, 999, 1_000, 1_500, 100_000, 1_000_000_000, 90_000_000_000] {
            let text = Nanos(nanos).to_string();
            assert_eq!(text.parse(), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (text, reason) in [
            ("1parsec", "`parsec` is not a unit of time"),
            ("10", "`10` has no unit; write 10us, 10ms or 10s"),
            ("-", "is not a time"),
            ("0ms", "too short"),
            ("0.5ns", "too short"),
            ("-1ms", "is not a time"),
            ("nan s", "is not a time"),
            ("99999999999h", "is too long"),
            ("", "is not a time"),
        ] {
            let error = text.parse::<Nanos>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn bare_seconds_are_finite_and_positive() {
        assert_eq!(Nanos::parse_seconds("1.5"), Ok(Nanos(1_500_000_000)));
        assert_eq!(Nanos::parse_seconds("2min"), Ok(Nanos(120_000_000_000)));
        for text in ["nan", "inf", "0", "-3", "1e30", "ten"] {
            assert!(Nanos::parse_seconds(text).is_err(), "{text}");
        }
    }
}
