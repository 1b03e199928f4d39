//! Excursion of a real-time thread into Linux and back, on a dual-kernel system.

use bench::burst::{Bursts, bursts_in};
use bench::measurement::{Description, Measurement, UNAVAILABLE, pinned, unavailable};
use bench::stamps::Pair;
use bench::{Abort, Bench, TrackShape};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact};
use rt::{clock, posix};

/// The time of an excursion, if a second kernel runs the measured code. The definition requires two
/// kernels; on Linux alone the row says that it is not applicable.
pub(crate) struct ModeSwitch;

/// Stamps before and after an excursion.
const EXCURSION: Pair = Pair("left_ns", "back_ns");
/// Excursions per burst; each takes microseconds.
const EXCURSIONS: u64 = 50;

/// Name of the track and its row.
const NAME: &str = "into Linux and back";

const ONE_KERNEL: &str = "not applicable: Linux alone has one kernel; needs a dual-kernel system \
                          such as Xenomai or RTAI";

impl Measurement for ModeSwitch {
    fn description(&self) -> Description {
        Description {
            name: "mode_switch",
            summary: "excursion of a real-time thread into Linux and back; not applicable on \
                      Linux alone",
            source: "FRA 4.4",
            family: Some(Family::ModeSwitches),
            facts: &[fact::BURSTS],
            ..Description::PINNED
        }
    }

    /// Returns true only in a build for two kernels: reporting that there is nothing to measure
    /// needs no privileges. The description is the same in every build, because a build for Linux
    /// may plan for a machine with two kernels.
    fn is_real_time(&self, _: &Parameters) -> bool {
        posix::TWO_KERNELS
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        if posix::TWO_KERNELS { check_core_thread(spec) } else { Ok(()) }
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let bursts = if posix::TWO_KERNELS { bursts_in(spec.asked.duration) } else { 0 };
        bursts.saturating_mul(EXCURSIONS * 16)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let track = if posix::TWO_KERNELS {
            excursions(bench)?
        } else {
            unavailable_track(posix::core_here())
        };
        Ok(vec![track])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let shape = EXCURSION.shape(TrackShape::named(NAME), u64::MAX);
        vec![shape.or_why_not(UNAVAILABLE)]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| unavailable(track).unwrap_or_else(|| EXCURSION.row(track));
        recording.tracks.iter().map(row).collect()
    }
}

/// Refuses a policy whose thread runs in Linux, where it has nothing to leave.
fn check_core_thread(spec: &RunSpec) -> Result<(), String> {
    pinned(spec)?;
    if spec.asked.policy.is_real_time() {
        return Ok(());
    }
    Err("--policy: mode_switch needs a thread of the real-time core; use fifo:N or rr:N".to_owned())
}

fn excursions(bench: &Bench) -> Result<Track, Abort> {
    let bursts = Bursts::within(bench.spec.asked.duration, 1)?;
    let (mut left, mut back) = (bursts.room_for(EXCURSIONS), bursts.room_for(EXCURSIONS));
    let work = || {
        bursts.run(|_| {
            for _ in 0..EXCURSIONS {
                left.push(clock::now());
                posix::excursion();
                back.push(clock::now());
            }
        });
    };
    bench.run_alone("traveller", work)?;
    Ok(EXCURSION.onto(Track::new(NAME), &bursts, [&left, &back]))
}

/// Returns the track of a program that has no excursions, which says why; `core` is the name of the
/// machine's second kernel.
fn unavailable_track(core: Option<&str>) -> Track {
    let needs = match core {
        Some(core) => {
            format!("needs a program built for {core}: this one is built for Linux alone")
        }
        None => ONE_KERNEL.to_owned(),
    };
    Track::new(NAME).with("unavailable", needs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{rows, spec};

    #[test]
    fn the_reason_names_the_core_that_the_machine_has() {
        for (core, reason) in
            [(None, "not applicable: "), (Some("RTAI"), "needs a program built for RTAI")]
        {
            let rows = rows("mode_switch", vec![unavailable_track(core)]);
            let why = rows[0].unavailable.as_deref().unwrap();
            assert!(why.starts_with(reason), "{core:?}: {why}");
            assert_eq!((rows[0].due, &rows[0].latency), (0, &None));
        }
    }

    #[test]
    fn every_excursion_is_a_sample() {
        let track = Track::new(NAME)
            .column("left_ns", vec![100, 300, 900])
            .column("back_ns", vec![150, 380, 930]);
        let rows = rows("mode_switch", vec![track]);
        let latency = rows[0].latency.as_ref().unwrap();
        assert_eq!((rows[0].due, rows[0].executed), (3, 3));
        assert_eq!((latency.min.value_ns, latency.max.value_ns), (30, 80));
    }

    #[test]
    fn a_policy_that_is_not_real_time_is_refused() {
        let refused = check_core_thread(&spec("mode_switch")).unwrap_err();
        assert!(refused.starts_with("--policy"), "{refused}");
    }
}
