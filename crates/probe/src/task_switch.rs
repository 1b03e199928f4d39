//! Switching between two threads of equal priority that do nothing but yield.

use std::sync::Barrier;

use plan::{Parameters, Recording, Row, RunSpec, Track};
use rt::memory::Samples;
use rt::{clock, sched};
use stats::{Distribution, Sample};
use units::{CpuSet, Nanos};

use crate::bench::Seat;
use crate::burst::{bursts_in, in_bursts};
use crate::measurement::{Length, Measurement, pinned};
use crate::{Abort, Bench};

pub(crate) struct TaskSwitch;

/// Yields of each thread in one burst.
const YIELDS: u64 = 500;

impl Measurement for TaskSwitch {
    fn name(&self) -> &'static str {
        "task_switch"
    }

    fn summary(&self) -> &'static str {
        "switch between two threads of equal priority on one CPU, by yielding"
    }

    fn source(&self) -> &'static str {
        "SAE table 1, MPE 3, Rhealstone"
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Seconds(Nanos(3_000_000_000))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let asked = &bench.spec.asked;
        let bursts = bursts_in(asked.duration);
        let together = Barrier::new(2);
        let yielder = || {
            let mut before = Samples::with_capacity((bursts * YIELDS) as usize);
            let mut after = Samples::with_capacity((bursts * YIELDS) as usize);
            let together = &together;
            move || {
                in_bursts(bursts, together, || {
                    for _ in 0..YIELDS {
                        before.push(clock::now());
                        sched::yield_now();
                        after.push(clock::now());
                    }
                });
                (before, after)
            }
        };
        let cpu = CpuSet::one(bench.cpu(0));
        let names = ["first", "second"];
        let seats = names
            .map(|name| Seat::on(cpu.clone(), asked.policy, name, yielder()))
            .into();
        let stamps = bench.run(seats)?;
        Ok(names
            .iter()
            .zip(stamps)
            .map(|(name, (before, after))| {
                Track::new(*name)
                    .column("before_ns", before.to_column())
                    .column("after_ns", after.to_column())
            })
            .collect())
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let [first, second] = &recording.tracks[..] else {
            return Vec::new();
        };
        let yields = first.values("before_ns").len() + second.values("before_ns").len();
        let switches = switches(first, second);
        let without_switch = yields - switches.len();
        let row = Row::of("yield to the other thread", Distribution::of(switches));
        vec![
            Row {
                due: yields as u64,
                skipped: without_switch as u64,
                ..row
            }
            .with("yields", yields)
            .with("yields_without_switch", without_switch),
        ]
    }
}

/// From the stamp before one thread's yield to the stamp after the other's, for
/// each yield after which the other thread was the next to go on.
fn switches(first: &Track, second: &Track) -> Vec<Sample> {
    let before = merged(first, second, "before_ns");
    let after = merged(first, second, "after_ns");
    let start = before.first().map_or(0, |(at, _)| *at);
    let mut next_after = 0;
    let mut switches = Vec::with_capacity(before.len());
    for (index, (yielded, yielder)) in before.iter().enumerate() {
        while after.get(next_after).is_some_and(|(at, _)| at < yielded) {
            next_after += 1;
        }
        match after.get(next_after) {
            Some((went_on, thread)) if thread != yielder => switches.push(Sample {
                value_ns: went_on - yielded,
                index: index as u64,
                at_ns: (yielded - start) as u64,
            }),
            _ => {}
        }
    }
    switches
}

/// A column of both threads in the order of time, with the thread's number.
fn merged(first: &Track, second: &Track, column: &str) -> Vec<(i64, u8)> {
    let mut stamps: Vec<(i64, u8)> = [first, second]
        .iter()
        .zip(0..)
        .flat_map(|(track, thread)| track.values(column).iter().map(move |at| (*at, thread)))
        .collect();
    stamps.sort_unstable();
    stamps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    fn thread(name: &str, before: &[i64], after: &[i64]) -> Track {
        Track::new(name)
            .column("before_ns", before.to_vec())
            .column("after_ns", after.to_vec())
    }

    #[test]
    fn yields_are_paired_with_the_thread_that_went_on() {
        // first yields at 10, second goes on at 13, yields at 14, first goes on
        // at 19, yields at 20 and goes on itself at 22.
        let first = thread("first", &[10, 20], &[19, 22]);
        let second = thread("second", &[5, 14], &[13, 30]);
        let rows = TaskSwitch.rows(&recording(spec("task_switch"), vec![first, second]));
        let latency = rows[0].latency.as_ref().unwrap();
        assert_eq!((rows[0].due, rows[0].executed, rows[0].skipped), (4, 2, 2));
        assert_eq!((latency.min.value_ns, latency.max.value_ns), (3, 5));
        assert_eq!(latency.max.at_ns, 9);
    }

    #[test]
    fn every_yield_is_counted() {
        let bench = Bench::new(spec("task_switch"));
        let tracks = TaskSwitch.run(&bench).unwrap();
        let rows = TaskSwitch.rows(&recording(bench.spec, tracks));
        assert_eq!(rows[0].due, 2 * YIELDS * bursts_in(Nanos(50_000_000)));
        assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
    }
}
