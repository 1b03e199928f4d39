//! Progress messages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::wrapped;

use crate::startup::output::{WIDTH, tell};

static IS_SILENT: AtomicBool = AtomicBool::new(false);

pub(crate) fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

pub(crate) fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

pub(crate) fn say(words: &str) {
    if !is_silent() {
        wrapped(words, WIDTH).iter().for_each(|line| tell(line));
    }
}

pub(crate) fn in_words(time: Duration) -> String {
    const HOUR: u64 = 3600;
    const DAY: u64 = 24 * HOUR;
    match time.as_secs() + 1 {
        seconds @ ..=90 => format!("{seconds} s"),
        seconds if seconds <= 3 * HOUR => format!("{} min", seconds.div_ceil(60)),
        seconds if seconds <= 2 * DAY => format!("{} h", seconds.div_ceil(HOUR)),
        seconds => format!("{} days", seconds.div_ceil(DAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_printed_in_units_of_its_size() {
        for (seconds, expected) in [
            (0, "1 s"),
            (89, "90 s"),
            (90, "2 min"),
            (10_000, "167 min"),
            (11_000, "4 h"),
            (3_148_200, "37 days"),
        ] {
            assert_eq!(in_words(Duration::from_secs(seconds)), expected);
        }
    }
}
