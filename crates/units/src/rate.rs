//! Rates of periodic work.

use std::fmt;
use std::str::FromStr;

use crate::{Nanos, ParseError, serde_as_text};

/// A rate, stored as its period (1 ns to 1 h).
///
/// Parsed and printed in hertz (`100Hz`, `1kHz`, `0.5Hz`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate {
    period: Nanos,
}

const EXPECTED: &str = "expected a rate above 0 such as 100Hz or 1kHz";
const LONGEST_PERIOD_NS: f64 = 3.6e12;

impl Rate {
    /// Returns a rate of `hertz` activations per second, at least 1, to the nearest whole
    /// nanosecond of its period.
    pub fn of_hertz(hertz: u64) -> Self {
        let period = (1e9 / hertz.max(1) as f64).round() as u64;
        Self { period: Nanos(period.max(1)) }
    }

    /// Returns the time from one activation to the next.
    pub fn period(self) -> Nanos {
        self.period
    }

    /// Returns the number of activations per second.
    pub fn hertz(self) -> f64 {
        1e9 / self.period.0 as f64
    }
}

impl FromStr for Rate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refused = || ParseError::new(format!("`{text}` is not a rate; {EXPECTED}"));
        let text = text.trim();
        let (number, factor) = [("kHz", 1e3), ("MHz", 1e6), ("Hz", 1.0)]
            .iter()
            .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
            .ok_or_else(|| {
                ParseError::without_unit(text, ["Hz", "kHz", "MHz"]).unwrap_or_else(refused)
            })?;
        let hertz: f64 = number.trim().parse().map_err(|_| refused())?;
        let period = (1e9 / (hertz * factor)).round();
        if hertz > 0.0 && (1.0..=LONGEST_PERIOD_NS).contains(&period) {
            Ok(Self { period: Nanos(period as u64) })
        } else {
            Err(refused())
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hertz = self.hertz();
        // As short as possible, provided that it is read back as the same period.
        let scales = [1.0, 1e1, 1e2, 1e3, 1e4].into_iter();
        let mut rounded = scales.map(|scale| (hertz * scale).round() / scale);
        let is_same = |rounded: &f64| (1e9 / rounded).round() as u64 == self.period.0;
        let number = rounded.find(is_same).unwrap_or(hertz);
        match number {
            1e6.. => write!(f, "{}MHz", number / 1e6),
            1e3.. => write!(f, "{}kHz", number / 1e3),
            _ => write!(f, "{number}Hz"),
        }
    }
}

serde_as_text!(Rate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_give_their_period() {
        for (text, period) in [
            ("100Hz", 10_000_000),
            ("1kHz", 1_000_000),
            ("60Hz", 16_666_667),
            ("0.5Hz", 2_000_000_000),
        ] {
            assert_eq!(text.parse::<Rate>().unwrap().period(), Nanos(period));
        }
    }

    #[test]
    fn rates_print_as_typed() {
        for text in ["100Hz", "1kHz", "60Hz", "0.5Hz", "2.5kHz", "3.25kHz", "100MHz"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_printed_gives_the_same_period() {
        for text in ["0.33333Hz", "1234.567Hz", "7Hz", "999.99kHz", "3MHz", "123.4MHz"] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(rate.to_string().parse(), Ok(rate), "{text}");
        }
    }

    #[test]
    fn a_bare_number_is_not_a_rate() {
        let refused = "60".parse::<Rate>().unwrap_err().to_string();
        assert_eq!(refused, "`60` has no unit; write 60Hz, 60kHz or 60MHz");
    }

    #[test]
    fn a_rate_is_above_zero_and_finite() {
        for text in ["0", "0Hz", "-1Hz", "nan", "inf", "1parsec", "1e-9Hz", "9e9kHz", ""] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
