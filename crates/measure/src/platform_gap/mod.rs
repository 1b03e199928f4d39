//! Intervals in which nothing of this kernel ran, seen by a loop that reads the clock.

mod cause;
mod rows;

use base::{CpuSet, Nanos};
use bench::burst::{Bursts, bursts_in, bursts_shape};
use bench::columns::Columns;
use bench::late::steal;
use bench::measurement::{Description, Measurement, pinned};
use bench::measuring_thread::{MeasuringThread, reason};
use bench::shape::{Holds, TrackShape};
use bench::{Abort, Bench};
use record::{Family, Recording, Row, RunSpec, Track, fact, parameters};
use rt::activity::{Watch, step_ns};
use rt::clock;
use rt::counters::ThreadCounts;

use cause::COLUMNS;

pub(crate) struct PlatformGap;

parameters! {
    PARAMETERS;
    "shortest-gap" Time, "10us", "shortest recorded gap between two readings of the clock";
}

/// Reading the clock itself may take this long.
const LEAST_GAP: Nanos = Nanos(1_000);
const MOST_GAP: Nanos = Nanos::SECOND;

/// Maximum spin between two readings of the counts, so that these most likely belong to the gap.
const STRETCH_NS: u64 = 900_000;
/// Stretches per burst: with the readings between them, they take most of its period.
const STRETCHES: u64 = 4;

impl Measurement for PlatformGap {
    fn description(&self) -> Description {
        Description {
            name: "platform_gap",
            summary: "time taken by a hypervisor or firmware: intervals in which nothing of this kernel ran, seen by a spinning loop",
            source: "Documentation/trace/hwlat_detector.rst",
            family: Some(Family::Platform),
            parameters: PARAMETERS,
            facts: &[fact::PLATFORM, &[fact::MAX_ON, fact::STRIP]],
            usual_time: Nanos(10_000_000_000),
            ..Description::PINNED
        }
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)?;
        let shortest = spec.parameters.shortest_gap();
        if (LEAST_GAP..=MOST_GAP).contains(&shortest) {
            return Ok(());
        }
        Err(format!("--shortest-gap: {shortest} is not between {LEAST_GAP} and {MOST_GAP}"))
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let stretches = bursts_in(spec.asked.duration).saturating_mul(STRETCHES);
        let cpus = spec.asked.cpus.len() as u64;
        stretches.saturating_mul(cpus * COLUMNS.len() as u64 * 8)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let asked = &bench.spec.asked;
        let shortest_gap = bench.spec.parameters.shortest_gap().0;
        let bursts = Bursts::within(asked.duration, asked.cpus.len())?;
        let mut measuring = Vec::new();
        for cpu in asked.cpus.iter() {
            let watch = Watch::of(cpu).map_err(|error| Abort::Failed(reason(&error)))?;
            let (place, name) = (CpuSet::one(cpu), format!("CPU {cpu}"));
            let prepare = || scan(&bursts, shortest_gap, watch);
            measuring.push(MeasuringThread::prepared(place, asked.policy, name, prepare));
        }
        let columns = bench.run(measuring)?;
        let tracks = asked.cpus.iter().zip(columns);
        Ok(tracks.map(|(cpu, columns)| bursts.noted_on(track(cpu, &columns))).collect())
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let of = |cpu: usize| {
            let shape = TrackShape::named(format!("CPU {cpu}")).fact("step_ns", Holds::Times);
            bursts_shape(shape.rows(u64::MAX, &COLUMNS))
        };
        spec.asked.cpus.iter().map(of).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        rows::rows(&recording.tracks, steal(recording))
    }
}

/// Returns the measured loop. The kernel's files are read only between stretches.
fn scan(
    bursts: &Bursts,
    shortest_gap: u64,
    mut watch: Watch,
) -> impl FnOnce(u64) -> Columns<8> + use<'_> {
    let mut columns = Columns::with_room(&COLUMNS, bursts.planned() * STRETCHES);
    move |_| {
        bursts.run(|_| {
            let mut before = watch.read().unwrap_or_default();
            for _ in 0..STRETCHES {
                let [start, end, gap, away, switches] = spin(shortest_gap);
                let after = watch.read().unwrap_or(before);
                let ticks = after.ticks.saturating_sub(before.ticks);
                let others = after.others.saturating_sub(before.others);
                let steal = after.steal_ns.saturating_sub(before.steal_ns);
                columns.push([start, end, gap, away, switches, ticks, others, steal]);
                before = after;
            }
        });
        columns
    }
}

/// Reads the clock continuously until a gap, or until the stretch is over. Returns the first five
/// columns, which the thread knows itself.
fn spin(shortest_gap: u64) -> [u64; 5] {
    let before = ThreadCounts::usage();
    let start = clock::now();
    let over = start + STRETCH_NS;
    let mut last = start;
    let (gap, end) = loop {
        let now = clock::now();
        let gap = now - last;
        if gap >= shortest_gap {
            break (gap, now);
        }
        if now >= over {
            break (0, now);
        }
        last = now;
    };
    // The same two readings as before, in the same order, so that their costs cancel out.
    let counts = ThreadCounts::usage() - before;
    let time = clock::now() - start;
    let away = time.saturating_sub(counts.cpu_time_ns);
    [start, end, gap, away, counts.involuntary_switches]
}

fn track(cpu: usize, columns: &Columns<8>) -> Track {
    let track = Track::new(format!("CPU {cpu}")).with("lost", columns.lost());
    columns.onto(track.with("step_ns", step_ns()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::spec;
    use bench::made_run::recording;

    #[test]
    fn stretches_are_observed_and_gaps_are_in_them() {
        let mut spec = spec("platform_gap");
        spec.asked.cpus = rt::sched::affinity().unwrap();
        let cpus = spec.asked.cpus.len();
        let tracks = PlatformGap.run(&Bench::new(spec.clone())).unwrap();
        assert_eq!(tracks.len(), cpus);
        for track in &tracks {
            let stretches = cause::stretches(track);
            let made = track.number("bursts_made") as u64;
            assert_eq!(stretches.len() as u64, made * STRETCHES);
            assert_eq!(track.number("lost"), 0);
            for s in stretches {
                assert!(s.start + s.gap <= s.end, "{s:?}");
                assert!(s.gap == 0 || s.gap >= 10_000, "{s:?}");
                assert!(s.gap > 0 || s.end - s.start >= STRETCH_NS as i64, "{s:?}");
            }
        }
        let rows = PlatformGap.rows(&recording(spec, tracks));
        let observed = rows[0].facts["observed_ns"].as_u64().unwrap();
        assert!(observed > 0);
    }
}
