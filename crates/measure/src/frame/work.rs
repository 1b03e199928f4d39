//! The work of a frame: integer and floating-point arithmetic in equal parts, calibrated once.

use std::fmt;
use std::hint::black_box;
use std::str::FromStr;

use bench::burst::spin_until;
use record::{Track, fact};
use rt::clock;

/// The arithmetic of a frame, in iterations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Work {
    integer: u64,
    floating: u64,
    integer_ns: f64,
    floating_ns: f64,
}

/// Approximate time that an idle CPU takes to reach its normal frequency.
const WARM_UP_NS: u64 = 50_000_000;
/// Iterations per trial: a millisecond or less, so that few interrupts fall into a trial.
const ITERATIONS_A_TRIAL: u64 = 200_000;
const TRIALS: u32 = 25;

impl Work {
    /// Returns the amount of work that takes about `target_ns` on this CPU under this policy. The
    /// median trial decides, so interrupted trials do not count.
    pub(super) fn calibrated(target_ns: f64) -> Self {
        spin_until(clock::now() + WARM_UP_NS);
        let a_half = (target_ns / 2.0).max(0.0);
        let a_trial = |kernel: fn(u64)| median_ns(|| kernel(ITERATIONS_A_TRIAL));
        let an_iteration = |kernel| a_trial(kernel).max(1.0) / ITERATIONS_A_TRIAL as f64;
        let (integer_ns, floating_ns) = (an_iteration(integer), an_iteration(floating));
        Self {
            integer: (a_half / integer_ns) as u64,
            floating: (a_half / floating_ns) as u64,
            integer_ns,
            floating_ns,
        }
    }

    #[inline]
    pub(super) fn run(&self) {
        integer(self.integer);
        floating(self.floating);
    }

    pub(super) fn onto(&self, track: Track) -> Track {
        track
            .with(&fact::INTEGER_ITERATIONS, self.integer)
            .with(&fact::FLOATING_ITERATIONS, self.floating)
            .with(&fact::INTEGER_ITERATION_NS, self.integer_ns)
            .with(&fact::FLOATING_ITERATION_NS, self.floating_ns)
    }
}

/// As one process sends it to another.
impl fmt::Display for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { integer, floating, integer_ns, floating_ns } = self;
        write!(formatter, "{integer} {floating} {integer_ns} {floating_ns}")
    }
}

impl FromStr for Work {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let mut words = text.split(' ');
            Some(Self {
                integer: words.next()?.parse().ok()?,
                floating: words.next()?.parse().ok()?,
                integer_ns: words.next()?.parse().ok()?,
                floating_ns: words.next()?.parse().ok()?,
            })
        };
        read().ok_or_else(|| format!("`{text}` is not an amount of work"))
    }
}

pub(super) fn median_ns(mut what: impl FnMut()) -> f64 {
    let time = |_| {
        let start = clock::now();
        what();
        (clock::now() - start) as i64
    };
    let times: Vec<i64> = (0..TRIALS).map(time).collect();
    stats::median(&times).unwrap_or(0) as f64
}

/// xorshift64, each on the result before (Marsaglia: Xorshift RNGs. J. Stat. Softw. 8, 2003).
#[inline(never)]
pub(super) fn integer(iterations: u64) {
    let mut value = black_box(88_172_645_463_325_252_u64);
    for _ in 0..iterations {
        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
    }
    black_box(value);
}

/// The logistic map, which stays between 0 and 1, each step on the result before.
#[inline(never)]
fn floating(iterations: u64) {
    let mut value = black_box(0.3_f64);
    for _ in 0..iterations {
        value = 3.9 * value * (1.0 - value);
    }
    black_box(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_time_is_twice_the_work_in_equal_halves() {
        let work = Work::calibrated(2e6);
        assert!(work.integer > 0 && work.floating > 0, "{work:?}");
        let halves =
            [work.integer as f64 * work.integer_ns, work.floating as f64 * work.floating_ns];
        assert!(halves.iter().all(|half| (half - 1e6).abs() < 1e3), "{work:?}");
        assert_eq!(Work::calibrated(-5.0).integer, 0);
        assert_eq!(work.to_string().parse(), Ok(work));
        assert!("1 2".parse::<Work>().is_err());
    }
}
