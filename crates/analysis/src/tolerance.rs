//! The tolerance of predictability.

use std::fmt;
use std::str::FromStr;

use crate::words;

/// How far above the average a time still counts as predictable, as a share of
/// the average from 0 to 1. Typed and printed in percent: `5%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance(f64);

/// The default allows for the resolution of the clock and the width of a histogram's bin, and is
/// far below the typical distance of the worst case from the average.
impl Default for Tolerance {
    fn default() -> Self {
        Self(0.05)
    }
}

impl Tolerance {
    /// The share of the average, 0 to 1.
    pub fn share(self) -> f64 {
        self.0
    }
}

/// A tolerance that cannot be used: one line that says what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a tolerance; expected a share of the average from 0% to 100%, such as 5%")]
pub struct NotATolerance(String);

impl FromStr for Tolerance {
    type Err = NotATolerance;

    fn from_str(text: &str) -> Result<Self, NotATolerance> {
        let share = share_in_percent(text).map(Self);
        share.ok_or_else(|| NotATolerance(text.to_owned()))
    }
}

/// Parses a share from 0 to 1 typed in percent; `None` for anything else.
pub fn share_in_percent(text: &str) -> Option<f64> {
    let number = text.trim().strip_suffix('%')?.trim();
    let percent: f64 = number.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::percent(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_typed_in_percent() {
        let share = |text: &str| text.parse::<Tolerance>().map(Tolerance::share);
        assert_eq!(share("5%"), Ok(0.05));
        assert_eq!(share(" 12.5 % "), Ok(0.125));
        assert_eq!((share("0%"), share("100%")), (Ok(0.0), Ok(1.0)));
        assert_eq!(Tolerance::default().to_string(), "5 %");
        for text in ["", "5", "0.05", "-1%", "101%", "nan%", "%", "five%"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
