//! Preemption of a busy low-priority thread by a high-priority one, by a timer or a semaphore.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use base::Nanos;
use bench::burst::Bursts;
use bench::measuring_thread::{MeasuringThread, high_and_low};
use bench::stamps::Pair;
use bench::{Abort, Bench, Description, Measurement, Needs, TrackShape};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::clock;
use rt::lock::Semaphore;

pub(crate) struct Preemption;

/// The stamps of a requested wake-up and of the thread that woke.
const WAKE_UP: Pair = Pair("asked_ns", "woke_ns");
/// Wake-ups in one burst of the timer form, `SLOT_NS` apart.
const WAKES: u64 = 8;
const SLOT_NS: u64 = 400_000;
/// Posts in one burst of the semaphore form.
const POSTS: u64 = 100;
/// Iterations of the dummy workload between two posts; they take some microseconds.
const DUMMY_TURNS: u32 = 2_000;

impl Measurement for Preemption {
    fn description(&self) -> Description {
        Description {
            name: "preemption",
            summary: "a waking thread takes the CPU from one of lower priority",
            source: "SAE table 2, MPE 3, Rhealstone",
            family: Some(Family::Services),
            facts: &[fact::BURSTS],
            usual_time: Nanos(4_000_000_000),
            needs: Needs::TwoPriorities,
            bytes_a_burst: (WAKES + POSTS) * 16,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        Ok(vec![by_timer(bench)?, by_semaphore(bench)?])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let of = |name| WAKE_UP.shape(TrackShape::named(name), u64::MAX);
        ["by timer", "by semaphore"].map(of).into()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().map(|t| WAKE_UP.row(t)).collect()
    }
}

fn measuring<'a, R>(
    bench: &Bench,
    high: impl FnOnce() -> R + Send + 'a,
    low: impl FnOnce() -> R + Send + 'a,
) -> Vec<MeasuringThread<'a, R>> {
    let cpu = bench.cpu(0);
    high_and_low(bench.spec.asked.policy, ("high", cpu, high), ("low", cpu, low))
}

/// Returns half of the run's bursts: the two forms share its time.
fn bursts(bench: &Bench) -> Result<Bursts, Abort> {
    let half = Nanos(bench.spec.asked.duration.0 / 2);
    Ok(Bursts::within(half, 2)?)
}

fn dummy_workload() {
    for turn in 0..DUMMY_TURNS {
        black_box(turn);
    }
}

fn by_timer(bench: &Bench) -> Result<Track, Abort> {
    let bursts = bursts(bench)?;
    let done = AtomicU64::new(0);
    let mut asked = bursts.room_for(WAKES);
    let mut woke = bursts.room_for(WAKES);
    let high = || {
        bursts.run(|_| {
            let first = clock::now() + SLOT_NS;
            for wake in 0..WAKES {
                let due = first + wake * SLOT_NS;
                clock::sleep_until(due);
                woke.push(clock::now());
                asked.push(due);
            }
            done.fetch_add(1, Ordering::Relaxed);
        });
    };
    let low = || {
        let mut burst = 0;
        bursts.run(|_| {
            burst += 1;
            let give_up = clock::now() + 2 * (WAKES + 1) * SLOT_NS;
            while done.load(Ordering::Relaxed) < burst && clock::now() < give_up {
                dummy_workload();
            }
        });
    };
    bench.run(measuring(bench, high, low))?;
    Ok(WAKE_UP.onto(Track::new("by timer"), &bursts, [&asked, &woke]))
}

fn by_semaphore(bench: &Bench) -> Result<Track, Abort> {
    let bursts = bursts(bench)?;
    let semaphore = Semaphore::new(0)?;
    let mut asked = bursts.room_for(POSTS);
    let mut woke = bursts.room_for(POSTS);
    let high = || {
        bursts.run(|_| {
            for _ in 0..POSTS {
                semaphore.wait();
                woke.push(clock::now());
            }
        });
    };
    let low = || {
        bursts.run(|_| {
            for _ in 0..POSTS {
                dummy_workload();
                asked.push(clock::now());
                semaphore.post();
            }
        });
    };
    bench.run(measuring(bench, high, low))?;
    Ok(WAKE_UP.onto(Track::new("by semaphore"), &bursts, [&asked, &woke]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, spec};

    #[test]
    fn both_forms_give_every_sample() {
        let rows = measured(spec("preemption"));
        let forms = [("by timer", WAKES), ("by semaphore", POSTS)];
        for (row, (form, samples)) in rows.iter().zip(forms) {
            let made = row.facts["bursts_made"].as_u64().unwrap();
            assert_eq!((&*row.label, row.executed), (form, made * samples));
        }
        let by_timer = rows[0].latency.as_ref().unwrap();
        assert_eq!(by_timer.early, 0, "no sleep ends early");
    }
}
