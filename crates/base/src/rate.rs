//! Rates of periodic work.

use std::fmt;
use std::str::FromStr;

use crate::{Nanos, ParseError, serde_as_text};

/// A rate as an exact fraction, with a period from 1 ns to 1 h.
///
/// Parsed and printed in hertz (`100Hz`, `1kHz`, `1000/7Hz`), or as a period (`3ms`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    /// Activations in `seconds` seconds; the two have no common divisor.
    steps: u64,
    seconds: u64,
}

const EXPECTED: &str =
    "expected a rate above 0 such as 100Hz, 1kHz or 1000/7Hz, or a period such as 3ms";
const NS_PER_SECOND: u64 = 1_000_000_000;
const LONGEST_PERIOD_NS: u128 = 3_600 * NS_PER_SECOND as u128;
/// A rate has no larger numbers: doubles represent these and their products with small ones exactly.
const LARGEST: u128 = 1 << 53;
/// Numbers with more digits are not read exactly.
const MOST_DIGITS: usize = 24;

/// Units of rates, with their hertz.
const RATES: [(&str, u64); 3] = [("kHz", 1_000), ("MHz", 1_000_000), ("Hz", 1)];
/// Units of periods, with their nanoseconds; `ms` comes before `s`.
const PERIODS: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("min", 60 * NS_PER_SECOND),
    ("h", 3_600 * NS_PER_SECOND),
    ("s", NS_PER_SECOND),
];

/// A number as a fraction.
#[derive(Debug, Clone, Copy)]
struct Fraction(u128, u128);

impl Fraction {
    /// Divides both numbers by their common divisors.
    fn reduced(self) -> Self {
        let (mut a, mut b) = (self.0, self.1);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1);
        Self(self.0 / divisor, self.1 / divisor)
    }

    fn times(self, numerator: u64, denominator: u64) -> Option<Self> {
        let numerator = self.0.checked_mul(numerator.into())?;
        Some(Self(numerator, self.1.checked_mul(denominator.into())?).reduced())
    }

    /// Reads `A` or `A/B`, both decimal numbers.
    fn read(text: &str) -> Option<Self> {
        let Some((above, below)) = text.split_once('/') else {
            return Self::decimal(text);
        };
        let (Self(a, b), Self(c, d)) = (Self::decimal(above)?, Self::decimal(below)?);
        Some(Self(a.checked_mul(d)?, b.checked_mul(c)?).reduced())
    }

    /// Reads a number such as `12.5` or `1e3`.
    fn decimal(text: &str) -> Option<Self> {
        let (digits, exponent) = text.trim().split_once(['e', 'E']).unwrap_or((text.trim(), "0"));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let digits = format!("{}{part}", whole.strip_prefix('+').unwrap_or(whole));
        if digits.len() > MOST_DIGITS || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(part.len() as i32)?;
        let power = 10_u128.checked_pow(exponent.unsigned_abs())?;
        let number: u128 = digits.parse().ok()?;
        match exponent < 0 {
            true => Some(Self(number, power).reduced()),
            false => Some(Self(number.checked_mul(power)?, 1)),
        }
    }
}

impl Rate {
    /// Returns a rate of `hertz` activations per second, from 1 to 1 GHz.
    pub fn of_hertz(hertz: u64) -> Self {
        let hertz = hertz.clamp(1, NS_PER_SECOND);
        Self { steps: hertz, seconds: 1 }
    }

    /// Returns the rate with this period, from 1 ns to 1 h.
    pub fn of_period(period: Nanos) -> Self {
        let period = u128::from(period.0).clamp(1, LONGEST_PERIOD_NS);
        let Fraction(seconds, steps) = Fraction(period, NS_PER_SECOND.into()).reduced();
        Self { steps: steps as u64, seconds: seconds as u64 }
    }

    /// Returns the rate whose period in seconds is the simplest fraction that this double is nearest
    /// to, such as 1/60 for 0.016666666666666666.
    pub fn of_step(seconds: f64) -> Option<Self> {
        // The convergents of the continued fraction.
        let (mut before, mut last, mut rest) = (Fraction(0, 1), Fraction(1, 0), seconds);
        while rest.is_finite() && (0.0..LARGEST as f64).contains(&rest) {
            let whole = rest.floor() as u128;
            let next = Fraction(whole * last.0 + before.0, whole * last.1 + before.1);
            if next.0.max(next.1) > LARGEST {
                return None;
            }
            if (next.0 as f64 / next.1 as f64).to_bits() == seconds.to_bits() {
                return Self::of(Fraction(next.1, next.0));
            }
            (before, last, rest) = (last, next, 1.0 / rest.fract());
        }
        None
    }

    /// Returns how many whole periods of another rate a period of this one has, and whether it has
    /// no rest.
    pub fn in_periods_of(self, other: Self) -> (u64, bool) {
        let ours = u128::from(self.seconds) * u128::from(other.steps);
        let others = u128::from(self.steps) * u128::from(other.seconds);
        ((ours / others).min(u64::MAX.into()) as u64, ours % others == 0)
    }

    /// Returns the rate of every so many-th activation; `None` if its period would be too long.
    pub fn every(self, periods: u64) -> Option<Self> {
        Self::of(
            Fraction(self.steps.into(), u128::from(self.seconds) * u128::from(periods)).reduced(),
        )
    }

    /// Returns the rate of so many activations in so many seconds: exactly, or if its numbers are
    /// too large, with a period of whole nanoseconds.
    fn of(Fraction(steps, seconds): Fraction) -> Option<Self> {
        let of_period = |Fraction(seconds, steps)| {
            let nanos = Fraction(seconds, steps).times(NS_PER_SECOND, 1)?;
            let nearest = (nanos.0 + nanos.1 / 2) / nanos.1;
            let is_allowed = nanos.0 >= nanos.1 && nearest <= LONGEST_PERIOD_NS;
            is_allowed.then_some((nanos, nearest))
        };
        let period = (steps > 0 && seconds > 0).then_some(Fraction(seconds, steps))?;
        let (nanos, nearest) = of_period(period)?;
        match [nanos.0, nanos.1, steps, seconds].iter().all(|number| *number <= LARGEST) {
            true => Some(Self { steps: steps as u64, seconds: seconds as u64 }),
            false => Some(Self::of_period(Nanos(nearest as u64))),
        }
    }

    /// Returns the time from one activation to the next, to the nearest nanosecond.
    pub fn period(self) -> Nanos {
        let (nanos, steps) = self.period_ns();
        Nanos((nanos + steps / 2) / steps)
    }

    /// Returns the period in nanoseconds as a numerator and a denominator, at most 2^53 each.
    pub fn period_ns(self) -> (u64, u64) {
        let nanos = u128::from(self.seconds) * u128::from(NS_PER_SECOND);
        let Fraction(nanos, steps) = Fraction(nanos, self.steps.into()).reduced();
        (nanos as u64, steps as u64)
    }

    /// Returns the period in seconds as a numerator and a denominator, at most 2^53 each.
    pub fn period_s(self) -> (u64, u64) {
        (self.seconds, self.steps)
    }

    /// Returns the number of activations per second.
    pub fn hertz(self) -> f64 {
        self.steps as f64 / self.seconds as f64
    }

    /// Returns how many whole periods a time has.
    pub fn periods_in(self, time: Nanos) -> u64 {
        let (nanos, steps) = self.period_ns();
        (u128::from(time.0) * u128::from(steps) / u128::from(nanos)).min(u64::MAX.into()) as u64
    }

    /// Returns the shortest time with this number of whole periods.
    pub fn time_of(self, periods: u64) -> Nanos {
        let (nanos, steps) = self.period_ns();
        let time = (u128::from(periods) * u128::from(nanos)).div_ceil(steps.into());
        Nanos(time.min(u64::MAX.into()) as u64)
    }
}

impl FromStr for Rate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        let read = || {
            if let Some((unit, hertz)) = RATES.iter().find(|(unit, _)| text.ends_with(unit)) {
                return Fraction::read(text.strip_suffix(unit)?)?.times(*hertz, 1);
            }
            let (unit, nanos) = PERIODS.iter().find(|(unit, _)| text.ends_with(unit))?;
            let Fraction(seconds, steps) =
                Fraction::read(text.strip_suffix(unit)?)?.times(*nanos, NS_PER_SECOND)?;
            Some(Fraction(steps, seconds))
        };
        let refused = || ParseError::new(format!("`{text}` is not a rate; {EXPECTED}"));
        read().and_then(Self::of).ok_or_else(|| {
            ParseError::without_unit(text, ["Hz", "kHz", "MHz"]).unwrap_or_else(refused)
        })
    }
}

impl fmt::Display for Rate {
    /// Prints hertz if they have a finite number of digits, or else the period if it has whole
    /// nanoseconds, or else a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, hertz) = match self.hertz() {
            1e6.. => ("MHz", 1_000_000),
            1e3.. => ("kHz", 1_000),
            _ => ("Hz", 1),
        };
        if let Some(number) = decimal(self.steps, u128::from(self.seconds) * hertz) {
            return write!(f, "{number}{unit}");
        }
        match self.period_ns() {
            (nanos, 1) => Nanos(nanos).fmt(f),
            _ => write!(f, "{}/{}Hz", self.steps, self.seconds),
        }
    }
}

/// Returns a quotient in decimal digits, if it has at most 15 after the point.
fn decimal(numerator: u64, denominator: u128) -> Option<String> {
    let scaled = |places: u32| u128::from(numerator).checked_mul(10_u128.pow(places));
    let is_whole = |places: &u32| scaled(*places).is_some_and(|n| n.is_multiple_of(denominator));
    let places = (0..=15).find(is_whole)?;
    let power = 10_u128.pow(places);
    let number = scaled(places)? / denominator;
    Some(match places {
        0 => number.to_string(),
        _ => format!("{}.{:0width$}", number / power, number % power, width = places as usize),
    })
}

serde_as_text!(Rate);

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Rate {
        text.parse().unwrap()
    }

    #[test]
    fn a_rate_is_an_exact_fraction() {
        for (text, period_s, nearest) in [
            ("100Hz", (1, 100), 10_000_000),
            ("1kHz", (1, 1000), 1_000_000),
            ("60Hz", (1, 60), 16_666_667),
            ("44.1kHz", (1, 44_100), 22_676),
            ("0.5Hz", (2, 1), 2_000_000_000),
            ("1/3kHz", (3, 1000), 3_000_000),
            ("3ms", (3, 1000), 3_000_000),
            ("900s", (900, 1), 900_000_000_000),
            ("15min", (900, 1), 900_000_000_000),
            ("1/60s", (1, 60), 16_666_667),
            ("59.94Hz", (50, 2997), 16_683_350),
            ("1e3Hz", (1, 1000), 1_000_000),
        ] {
            let rate = rate(text);
            assert_eq!((rate.period_s(), rate.period()), (period_s, Nanos(nearest)), "{text}");
        }
    }

    #[test]
    fn rates_print_as_typed() {
        for text in
            ["100Hz", "1kHz", "60Hz", "0.5Hz", "3.25kHz", "100MHz", "44.1kHz", "3ms", "7/3Hz"]
        {
            assert_eq!(rate(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_printed_gives_the_same_rate() {
        for text in
            ["0.33333Hz", "1234.567Hz", "7Hz", "999.99kHz", "3MHz", "123.4MHz", "1/7kHz", "0.7us"]
        {
            assert_eq!(rate(&rate(text).to_string()), rate(text), "{text}");
        }
    }

    #[test]
    fn a_bare_number_is_not_a_rate() {
        let refused = "60".parse::<Rate>().unwrap_err().to_string();
        assert_eq!(refused, "`60` has no unit; write 60Hz, 60kHz or 60MHz");
    }

    #[test]
    fn rates_of_earlier_versions_have_the_period_that_they_had() {
        for (text, period) in [
            ("333.3333Hz", 3_000_000),
            ("142.85714285714286Hz", 7_000_000),
            ("1.0239995kHz", 976_563),
            ("44.0994884kHz", 22_676),
            ("0.0002777777777777778Hz", 3_600_000_000_000),
        ] {
            assert_eq!(rate(text).period(), Nanos(period), "{text}");
        }
    }

    #[test]
    fn a_time_has_as_many_periods_as_were_asked_for() {
        assert_eq!(rate("60Hz").periods_in(Nanos(2 * NS_PER_SECOND)), 120);
        for text in ["60Hz", "44.1kHz", "1/7kHz", "3ms", "1GHz".replace('G', "000M").as_str()] {
            for periods in [1, 2, 59, 1_000_003] {
                assert_eq!(rate(text).periods_in(rate(text).time_of(periods)), periods, "{text}");
            }
        }
    }

    #[test]
    fn a_step_in_seconds_is_read_as_the_fraction_that_was_meant() {
        for (step, expected) in [
            (1.0 / 60.0, "60Hz"),
            (0.001, "1kHz"),
            (1.0 / 44_100.0, "44.1kHz"),
            (0.003, "3ms"),
            (900.0, "900s"),
            (2.0 / 3.0, "1.5Hz"),
        ] {
            assert_eq!(Rate::of_step(step), Some(rate(expected)), "{step}");
        }
        for step in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-12, 1e9] {
            assert_eq!(Rate::of_step(step), None, "{step}");
        }
        assert_eq!(rate("3ms").in_periods_of(rate("1kHz")), (3, true));
        assert_eq!(rate("300Hz").in_periods_of(rate("1kHz")), (3, false));
        assert_eq!(rate("1kHz").every(3), Some(rate("3ms")));
    }

    #[test]
    fn a_rate_is_above_zero_and_finite() {
        for text in [
            "0", "0Hz", "-1Hz", "nan", "inf", "1parsec", "1e-9Hz", "9e9kHz", "", "1/0Hz", "0/1Hz",
            "1/2/3Hz", "+-1Hz", "2h", "0.5ns", "1e400Hz", "1.2.3Hz", ".Hz", "Hz", "1e-40Hz",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
