//! Numbers as files print them.

use record::LAST_STAMP;

use crate::Flaw;

/// Parses a decimal number times a power of ten. The power is applied to the text, so that the result is the nearest
/// number to what is printed: `7.54` microseconds are 7540 ns.
///
/// # Errors
/// Fails if the text is not a finite number of the size of times.
pub(crate) fn scaled(what: &str, text: &str, exponent: i32) -> Result<f64, Flaw> {
    let wrong = || Flaw::not(what, text, "a number");
    let is_plain = |sign: char| sign.is_ascii_digit() || "+-.eE".contains(sign);
    if !text.chars().all(is_plain)
        || !text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-')
    {
        return Err(wrong());
    }
    let number: f64 = match text.split_once(['e', 'E']) {
        None => format!("{text}e{exponent}").parse().map_err(|_| wrong())?,
        Some((digits, power)) => {
            let power: i32 = power.parse().map_err(|_| wrong())?;
            format!("{digits}e{}", power.saturating_add(exponent)).parse().map_err(|_| wrong())?
        }
    };
    let is_time = number.is_finite() && number.abs() <= LAST_STAMP as f64;
    is_time.then_some(number).ok_or_else(|| Flaw::not(what, text, "a time of less than 36 years"))
}

/// Parses a count.
///
/// # Errors
/// Fails if the text is not a whole number from 0.
pub(crate) fn count(what: &str, text: &str) -> Result<u64, Flaw> {
    let is_count = text.bytes().all(|byte| byte.is_ascii_digit());
    let count = text.parse().ok().filter(|_| is_count);
    count.ok_or_else(|| Flaw::not(what, text, "a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_decimals_are_scaled_exactly() {
        for (text, exponent, ns) in [
            ("7.54", 3, 7540.0),
            ("10994.52", 0, 10_994.52),
            ("-1.080", 3, -1080.0),
            ("2e1", 3, 20e3),
        ] {
            assert_eq!(scaled("x", text, exponent), Ok(ns));
        }
        for text in ["", "nan", "inf", "1e400", "0x10", "18446744073709551615", "1,5", "+", "-"] {
            assert!(scaled("x", text, 3).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_whole() {
        assert_eq!(count("x", "00150"), Ok(150));
        for text in ["", "-1", "+1", "1.5", "99999999999999999999"] {
            assert!(count("x", text).is_err(), "{text}");
        }
    }
}
