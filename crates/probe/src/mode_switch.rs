//! Excursion of a real-time thread into Linux and back, on a system of two kernels.

use std::path::Path;

use plan::{Parameters, Recording, Row, RunSpec, Track};
use units::Nanos;

use crate::measurement::{Length, Measurement, unavailable};
use crate::{Abort, Bench};

/// Never a figure here: the definition asks for two kernels, and Linux alone says so.
pub(crate) struct ModeSwitch;

/// Where Xenomai's core tells of itself.
const COBALT: &str = "/proc/xenomai";

const ONE_KERNEL: &str = "not applicable: Linux alone has one kernel; needs a dual-kernel system \
                          such as Xenomai";
const NOT_OF_COBALT: &str = "needs a program of Xenomai's own kernel (libcobalt): this one is \
                             Linux's alone";

impl Measurement for ModeSwitch {
    fn name(&self) -> &'static str {
        "mode_switch"
    }

    fn summary(&self) -> &'static str {
        "excursion of a real-time thread into Linux and back; on Linux alone not applicable"
    }

    fn source(&self) -> &'static str {
        "FRA 4.4"
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Fixed(Nanos(0))
    }

    /// Needs no rights to say that there is nothing to measure.
    fn is_real_time(&self, _: &Parameters) -> bool {
        false
    }

    fn check(&self, _: &RunSpec) -> Result<(), String> {
        Ok(())
    }

    fn sample_bytes(&self, _: &RunSpec) -> u64 {
        0
    }

    fn run(&self, _: &Bench) -> Result<Vec<Track>, Abort> {
        Ok(vec![track(Path::new(COBALT))])
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().filter_map(unavailable).collect()
    }
}

/// Why there is no figure on a machine where the core would tell of itself there.
fn track(cobalt: &Path) -> Track {
    let needs = match cobalt.exists() {
        true => NOT_OF_COBALT,
        false => ONE_KERNEL,
    };
    Track::new("into Linux and back").with("unavailable", needs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn one_kernel_and_a_foreign_one_are_told_apart() {
        for (core, reason) in [
            ("/proc/no-such-core", "not applicable: "),
            ("/proc", "needs "),
        ] {
            let tracks = vec![track(Path::new(core))];
            let rows = ModeSwitch.rows(&recording(spec("mode_switch"), tracks));
            let why = rows[0].unavailable.as_deref().unwrap();
            assert!(why.starts_with(reason), "{core}: {why}");
            assert_eq!((rows[0].due, &rows[0].latency), (0, &None));
        }
    }
}
