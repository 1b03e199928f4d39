//! The intensity of a load: the share of time in which it works.

use std::time::Duration;

use plan::LoadSpec;

/// Works for a share of each slice of 10 ms, and rests for the remainder.
pub(crate) struct Pace {
    percent: u32,
    worked: Duration,
}

const SLICE: Duration = Duration::from_millis(10);
const FULL: u32 = LoadSpec::FULL as u32;

impl Pace {
    /// Works for `percent` (1 to 100) of the time.
    pub(crate) fn new(percent: u8) -> Self {
        Self { percent: u32::from(percent), worked: Duration::ZERO }
    }

    /// How long to rest, if it is time to; work beyond the slice's share extends it in proportion.
    pub(crate) fn rest_after(&mut self, work: Duration) -> Option<Duration> {
        self.worked += work;
        if self.percent == FULL || self.worked < SLICE * self.percent / FULL {
            return None;
        }
        let rest = self.worked * (FULL - self.percent) / self.percent;
        self.worked = Duration::ZERO;
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of time worked, in percent, if each unit takes this long.
    fn share(percent: u8, unit: Duration) -> f64 {
        let mut pace = Pace::new(percent);
        let rests: Duration = (0..10_000).filter_map(|_| pace.rest_after(unit)).sum();
        let worked = unit * 10_000;
        100.0 * worked.as_secs_f64() / (worked + rests).as_secs_f64()
    }

    #[test]
    fn the_share_is_kept_for_short_and_long_units() {
        for percent in [1, 10, 50, 99, 100] {
            for micros in [10, 1_000, 50_000] {
                let share = share(percent, Duration::from_micros(micros));
                assert!((share - f64::from(percent)).abs() < 1.0, "{percent}: {share}");
            }
        }
    }

    #[test]
    fn a_rest_ends_a_slice() {
        let mut pace = Pace::new(50);
        let unit = Duration::from_millis(1);
        let rests: Vec<Option<Duration>> = (0..5).map(|_| pace.rest_after(unit)).collect();
        assert_eq!(rests[..4], [None; 4]);
        assert_eq!(rests[4], Some(SLICE / 2));
    }
}
