//! Plain numbers.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, serde_as_text};

/// A finite number, whose unit depends on where it is used.
///
/// Parsed and printed as `0.3`, `-2` or `1e-6`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(f64);

/// Equality is total because NaN is refused.
impl Eq for Number {}

impl Number {
    /// Returns the number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Number {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Self(number)),
            _ => Err(ParseError::new(format!(
                "`{text}` is not a number; expected one such as 0.3 or 1e-6"
            ))),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e7).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

serde_as_text!(Number);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_as_printed() {
        for text in ["0.3", "-2", "0", "1e-6", "1.5e9", "9.81"] {
            let number: Number = text.parse().unwrap();
            assert_eq!(number.to_string(), text);
            assert_eq!(number.to_string().parse(), Ok(number));
        }
    }

    #[test]
    fn anything_but_a_finite_number_is_refused() {
        for text in ["", "nan", "inf", "1e999", "three", "1,5"] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
    }
}
