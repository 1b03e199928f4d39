//! The exact length of a period, and the times at which periods begin.

use base::{Nanos, Rate};
use record::Track;

/// Length of a period in nanoseconds, a fraction of at least 1.
///
/// Period number n begins n times that length after the first one, rounded down to a nanosecond, so
/// that rounding never adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    whole: u64,
    /// The rest, as a share of a nanosecond: `parts` of `of`.
    parts: u64,
    of: u64,
}

/// The attributes of a track with a fraction; without them, its period has whole nanoseconds.
const FRACTION: [&str; 2] = ["period_numerator_ns", "period_denominator"];

impl From<Rate> for Period {
    fn from(rate: Rate) -> Self {
        let (numerator, denominator) = rate.period_ns();
        Self::of(numerator, denominator)
    }
}

impl From<Nanos> for Period {
    fn from(Nanos(period): Nanos) -> Self {
        Self::of(period, 1)
    }
}

impl Period {
    fn of(numerator: u64, denominator: u64) -> Self {
        let of = denominator.max(1);
        let numerator = numerator.max(of);
        Self { whole: numerator / of, parts: numerator % of, of }
    }

    /// Returns the nearest whole number of nanoseconds.
    #[inline]
    pub fn nearest_ns(self) -> u64 {
        self.whole + u64::from(self.parts * 2 >= self.of)
    }

    #[inline]
    fn numerator(self) -> u128 {
        u128::from(self.whole) * u128::from(self.of) + u128::from(self.parts)
    }

    /// Returns the time from the begin of the first period to that of the given one.
    #[inline]
    pub fn begin(self, index: u64) -> u64 {
        let whole = index * self.whole;
        match self.parts {
            0 => whole,
            parts => whole + (u128::from(index) * u128::from(parts) / u128::from(self.of)) as u64,
        }
    }

    /// Returns when the next period begins, after the one at `begin`, whose number is only needed
    /// for fractions.
    #[inline]
    pub fn next(self, begin: u64, index: impl FnOnce() -> u64) -> u64 {
        begin + if self.parts == 0 { self.whole } else { self.length(index()) }
    }

    /// Returns the time from the begin of a period to that of the next one.
    #[inline]
    pub fn length(self, index: u64) -> u64 {
        self.begin(index + 1) - self.begin(index)
    }

    /// Returns the number of the first period that begins at `time` or later.
    #[inline]
    pub fn first_from(self, time: u64) -> u64 {
        match self.parts {
            0 => time.div_ceil(self.whole),
            _ => (u128::from(time) * u128::from(self.of)).div_ceil(self.numerator()) as u64,
        }
    }

    /// Returns the number of the period whose begin is nearest to `time`.
    #[inline]
    pub fn nearest(self, time: u64) -> u64 {
        match self.parts {
            0 => (time + self.whole / 2) / self.whole,
            _ => {
                let numerator = self.numerator();
                ((u128::from(time) * u128::from(self.of) + numerator / 2) / numerator) as u64
            }
        }
    }

    /// Returns the numbers of a period that has no whole nanoseconds, with the names of their
    /// attributes.
    pub(super) fn fraction(self) -> impl Iterator<Item = (&'static str, u64)> {
        let numbers = [self.whole * self.of + self.parts, self.of];
        FRACTION.into_iter().zip(numbers).filter(move |_| self.parts > 0)
    }

    /// Reads what [`super::Pace::onto`] added to a track.
    pub(super) fn recorded(track: &Track) -> Self {
        let number = |name| u64::try_from(track.number(name)).unwrap_or(0);
        match FRACTION.map(number) {
            [_, 0] => Self::of(number("period_ns"), 1),
            [numerator, denominator] => Self::of(numerator, denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deterministic generator of numbers (xorshift).
    struct Drawn(u64);

    impl Drawn {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % limit
        }

        /// A fraction, a decimal number or a period, as a user types it.
        fn rate(&mut self) -> String {
            let (a, b) = (1 + self.below(99_999), 1 + self.below(997));
            match self.below(3) {
                0 => format!("{a}/{b}Hz"),
                1 => format!("{a}.{b:03}Hz"),
                _ => format!("{a}us"),
            }
        }
    }

    const HOUR: Nanos = Nanos(3_600_000_000_000);

    #[test]
    fn a_thousand_rates_never_drift() {
        let mut drawn = Drawn(0x9E37_79B9_7F4A_7C15);
        for _ in 0..1000 {
            let text = drawn.rate();
            let rate: Rate = text.parse().unwrap();
            let (period, (numerator, denominator)) = (Period::from(rate), rate.period_ns());
            let [numerator, denominator] = [numerator, denominator].map(u128::from);
            // Exactly as many as begin within the hour.
            let count = rate.periods_in(HOUR);
            assert_eq!(u128::from(count), u128::from(HOUR.0) * denominator / numerator, "{text}");
            assert!(period.begin(count) <= HOUR.0 && period.begin(count + 1) >= HOUR.0, "{text}");
            for _ in 0..200 {
                let index = drawn.below(count + 1);
                let begin = period.begin(index);
                let exact = u128::from(index) * numerator;
                let rounded_down = exact - u128::from(begin) * denominator;
                assert!(rounded_down < denominator, "{text}: period {index} at {begin}");
                assert_eq!(period.first_from(begin), index, "{text}");
                assert_eq!(period.first_from(begin + 1), index + 1, "{text}");
                // As in an interval of a soak, which begins within a nanosecond.
                for near in begin.saturating_sub(1)..=begin + 1 {
                    assert_eq!(period.nearest(near), index, "{text}");
                }
                assert_eq!(period.next(begin, || index), period.begin(index + 1), "{text}");
            }
        }
    }

    #[test]
    fn a_track_keeps_the_fraction_and_an_earlier_one_has_whole_nanoseconds() {
        let sixty = Period::from("60Hz".parse::<Rate>().unwrap());
        let track = |all: Vec<(&'static str, u64)>| {
            let track = Track::new("schedule").with("period_ns", sixty.nearest_ns());
            all.into_iter().fold(track, |track, (name, number)| track.with(name, number))
        };
        assert_eq!(Period::recorded(&track(sixty.fraction().collect())), sixty);
        assert_eq!(Period::recorded(&track(Vec::new())), Period::of(16_666_667, 1));
        // A damaged one divides nothing by 0.
        assert_eq!(Period::recorded(&track(vec![(FRACTION[1], 7)])).begin(1), 1);
        assert_eq!(Period::recorded(&Track::new("")).first_from(5), 5);
    }
}
