//! The time of the model.

use base::{Nanos, Rate};

/// The start times of a model's steps, in the model's time: exact sums of the start time and of
/// multiples of the step, each rounded once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    /// Time of step 0, in seconds.
    pub(super) start: f64,
    /// Length of a step, in seconds.
    pub(super) step: f64,
    exact: Option<Exact>,
}

/// The largest whole number up to which doubles have all.
const EXACT: u128 = 1 << f64::MANTISSA_DIGITS;
/// Maximum number of binary digits of the exact numbers: products of larger ones would overflow.
const MOST_BITS: u32 = 70;

impl Default for Times {
    fn default() -> Self {
        Self::of_fraction(0.0, (0, 1))
    }
}

impl Times {
    pub(super) fn of(start: f64, rate: Rate) -> Self {
        Self::of_fraction(start, rate.period_s())
    }

    pub(super) fn of_period(start: f64, period: Nanos) -> Self {
        Self::of_fraction(start, (period.0, Nanos::SECOND.0))
    }

    fn of_fraction(start: f64, (numerator, denominator): (u64, u64)) -> Self {
        let step = numerator as f64 / denominator as f64;
        let [numerator, denominator] = [numerator, denominator].map(i128::from);
        // A double is a whole number divided by a power of two.
        let scaled = |halvings: u32| start * 2_f64.powi(halvings as i32);
        let halvings = (0..MOST_BITS).find(|halvings| scaled(*halvings).fract() == 0.0);
        let exact = halvings.filter(|_| start.abs() <= EXACT as f64).and_then(|halvings| {
            let fits =
                |number: i128| number.unsigned_abs().leading_zeros() + MOST_BITS >= 128 + halvings;
            let has_room = fits(numerator) && fits(denominator);
            has_room.then(|| Exact {
                start: scaled(halvings) as i128 * denominator,
                step: numerator << halvings,
                denominator: denominator << halvings,
            })
        });
        Self { start, step, exact }
    }

    /// Begin of a step in seconds: the double nearest to the exact time, unless the start time has
    /// too many binary digits. Whole start times never have.
    #[inline]
    pub(super) fn at(self, number: u64) -> f64 {
        match self.exact {
            Some(exact) => exact.at(number),
            None => self.start + number as f64 * self.step,
        }
    }
}

/// Times as multiples of a second divided by `denominator`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Exact {
    start: i128,
    step: i128,
    denominator: i128,
}

impl Exact {
    #[inline]
    fn at(self, number: u64) -> f64 {
        let time = self.start + i128::from(number) * self.step;
        match time.unsigned_abs().max(self.denominator.unsigned_abs()) <= EXACT {
            // Both are exact, and a division is rounded once.
            true => time as f64 / self.denominator as f64,
            false => nearest(time, self.denominator.unsigned_abs()),
        }
    }
}

/// Returns the double nearest to a quotient.
fn nearest(numerator: i128, denominator: u128) -> f64 {
    let size = numerator.unsigned_abs();
    let digits = |number: u128| 128 - number.leading_zeros();
    // More digits of the quotient than a double has.
    let shift = (digits(denominator) + 56).saturating_sub(digits(size));
    let (quotient, rest) = ((size << shift) / denominator, (size << shift) % denominator);
    // What is lost decides only between two doubles of equal distance.
    let rounded = (quotient | u128::from(rest != 0)) as f64 * 2_f64.powi(-(shift as i32));
    if numerator < 0 { -rounded } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(start: f64, rate: &str) -> Times {
        Times::of(start, rate.parse().unwrap())
    }

    #[test]
    fn times_are_the_nearest_doubles() {
        let [sixty, third] = [times(0.0, "60Hz"), times(0.0, "1/3kHz")];
        for number in [0, 1, 7, 59, 60, 120, 215_999, 1 << 40] {
            assert_eq!(sixty.at(number).to_bits(), (number as f64 / 60.0).to_bits());
            assert_eq!(third.at(number).to_bits(), (number as f64 * 3.0 / 1000.0).to_bits());
        }
        for start in [0, 3, 1_700_000_000, 99_999_999_999] {
            for number in [0, 1, 7, 999, 1000, 12_345, 3_600_000] {
                let (seconds, rest) = (start + number / 1000, number % 1000);
                // A decimal number is read as the nearest double.
                let expected: f64 = format!("{seconds}.{rest:03}").parse().unwrap();
                let found = times(start as f64, "1kHz").at(number);
                assert_eq!(found.to_bits(), expected.to_bits(), "{start} + {number} ms");
                let before = times(-0.5 - start as f64, "1kHz").at(number);
                let expected = -(start as f64 + 0.5 - number as f64 / 1000.0);
                assert!((before - expected).abs() <= expected.abs() * f64::EPSILON);
            }
        }
    }

    #[test]
    fn both_ways_to_divide_agree() {
        for number in (1..10_000).step_by(37) {
            for denominator in [1_u64, 3, 60, 44_100, 1_000_003] {
                let expected = number as f64 / denominator as f64;
                let found = nearest(i128::from(number), denominator.into());
                assert_eq!(found.to_bits(), expected.to_bits(), "{number}/{denominator}");
                let scaled = nearest(i128::from(-number) << 50, u128::from(denominator) << 50);
                assert_eq!(scaled.to_bits(), (-expected).to_bits(), "-{number}/{denominator}");
            }
        }
    }

    #[test]
    fn a_start_of_many_digits_is_as_exact_as_doubles_are() {
        for start in [0.1, 1e-300, 1e300, -1.0 / 3.0] {
            let times = times(start, "44.1kHz");
            assert_eq!(times.at(0).to_bits(), start.to_bits());
            let expected = start + 44_100.0 * times.step;
            assert!((times.at(44_100) - expected).abs() <= expected.abs() * 2.0 * f64::EPSILON);
        }
    }
}
