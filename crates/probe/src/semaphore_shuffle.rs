//! Taking a binary semaphore that guards a shared variable, free or held by
//! another thread.

use std::sync::atomic::{AtomicU64, Ordering};

use plan::{Parameters, Recording, Row, RunSpec, Track};
use rt::lock::{Lock, Semaphore, Taken};
use rt::{clock, sched};
use stats::{Distribution, Sample};
use units::{CpuSet, Nanos};

use crate::burst::{Bursts, bursts_in, spin_until, with_bursts};
use crate::measurement::{CpuUse, Length, Measurement, pinned};
use crate::place::{NEEDS_TWO_CPUS, Place};
use crate::seat::Seat;
use crate::{Abort, Bench};

pub(crate) struct SemaphoreShuffle;

/// Rounds of each thread in one burst.
const ROUNDS: u64 = 100;
/// On two CPUs, time inside the guarded section, so that the threads meet, and
/// outside it, so that a waiter that was woken comes before the next wish.
const INSIDE_NS: u64 = 5_000;
const OUTSIDE_NS: u64 = 20_000;

impl Measurement for SemaphoreShuffle {
    fn name(&self) -> &'static str {
        "semaphore_shuffle"
    }

    fn summary(&self) -> &'static str {
        "time to take a binary semaphore, free and contended, on one CPU and on two"
    }

    fn source(&self) -> &'static str {
        "SAE table 3, MPE 3, Rhealstone"
    }

    fn cpu_use(&self, _: &Parameters) -> CpuUse {
        CpuUse::Two
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Seconds(Nanos(4_000_000_000))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        bursts_in(spec.asked.duration).saturating_mul(ROUNDS * 2 * 24)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let mut tracks = Vec::new();
        for place in Place::ALL {
            if let Some(cpus) = place.cpus(bench) {
                tracks.extend(shuffle(bench, *place, cpus)?);
            }
        }
        Ok(tracks)
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let rows = |place: &Place| rows_of(recording, place.name());
        Place::ALL.iter().flat_map(rows).collect()
    }
}

fn rows_of(recording: &Recording, place: &str) -> [Row; 2] {
    let tracks: Vec<&Track> = recording
        .tracks
        .iter()
        .filter(|t| t.name == place)
        .collect();
    [("contended", 1), ("uncontended", 0)].map(|(kind, waited)| {
        let label = format!("{kind}, {place}");
        let Some(first) = tracks.first() else {
            return Row::unavailable(label, NEEDS_TWO_CPUS);
        };
        let times = Distribution::of(acquisitions(&tracks, waited));
        with_bursts(Row::of(label, times), first)
    })
}

/// Times to take the semaphore, of those that waited (1) or not (0).
fn acquisitions(tracks: &[&Track], waited: i64) -> Vec<Sample> {
    let start = tracks
        .iter()
        .filter_map(|track| track.values("wish_ns").first())
        .min()
        .copied()
        .unwrap_or(0);
    let of_track = |track: &&Track| {
        let wishes = track.values("wish_ns").to_vec();
        let taken = track.values("taken_ns").to_vec();
        let kinds = track.values("waited").to_vec();
        (0..wishes.len())
            .filter(move |index| kinds[*index] == waited)
            .map(move |index| Sample {
                value_ns: taken[index] - wishes[index],
                index: index as u64,
                at_ns: (wishes[index] - start) as u64,
            })
    };
    tracks.iter().flat_map(of_track).collect()
}

/// Two threads share a variable under one semaphore. On one CPU every second
/// round offers the CPU away inside the section, so that the other thread finds
/// the semaphore held.
fn shuffle(bench: &Bench, place: Place, cpus: [usize; 2]) -> Result<Vec<Track>, Abort> {
    let asked = &bench.spec.asked;
    let bursts = &Bursts::within(Nanos(asked.duration.0 / 2), 2)?;
    let semaphore = Semaphore::new(1)?;
    let shared = AtomicU64::new(0);
    let one_cpu = place == Place::OneCpu;
    let shuffler = || {
        let room = || bursts.room_for(ROUNDS);
        let (mut wish, mut taken, mut waited) = (room(), room(), room());
        let (semaphore, shared) = (&semaphore, &shared);
        move || {
            bursts.run(|time_is_up| {
                for round in 0..ROUNDS {
                    wish.push(clock::now());
                    let how = semaphore.lock(u64::MAX);
                    let taken_at = clock::now();
                    taken.push(taken_at);
                    waited.push(u64::from(how == Taken::AfterWaiting));
                    let seen = shared.load(Ordering::Relaxed);
                    if !one_cpu {
                        spin_until(clock::now() + INSIDE_NS);
                    } else if round % 2 == 0 {
                        sched::yield_now();
                    }
                    shared.store(seen + 1, Ordering::Relaxed);
                    semaphore.unlock();
                    if one_cpu {
                        sched::yield_now();
                    } else {
                        spin_until(clock::now() + OUTSIDE_NS);
                    }
                    // Beside a load a yield may take as long as its time slice.
                    if taken_at >= time_is_up {
                        break;
                    }
                }
            });
            (wish, taken, waited)
        }
    };
    let seats = cpus
        .iter()
        .zip(["first", "second"])
        .map(|(cpu, name)| Seat::on(CpuSet::one(*cpu), asked.policy, name, shuffler()))
        .collect();
    let stamps = bench.run(seats)?;
    let rounds: usize = stamps.iter().map(|(wish, ..)| wish.values().len()).sum();
    if shared.into_inner() != rounds as u64 {
        return Err(Abort::Failed(
            "the semaphore let two threads in at once".to_owned(),
        ));
    }
    Ok(stamps
        .iter()
        .map(|(wish, taken, waited)| {
            bursts
                .noted_on(Track::new(place.name()))
                .column("wish_ns", wish.to_column())
                .column("taken_ns", taken.to_column())
                .column("waited", waited.to_column())
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn every_round_is_in_one_row() {
        let bench = Bench::new(spec("semaphore_shuffle"));
        let tracks = SemaphoreShuffle.run(&bench).unwrap();
        let rows = SemaphoreShuffle.rows(&recording(bench.spec, tracks));
        let made = rows[0].facts["bursts_made"].as_u64().unwrap();
        let rounds = rows[0].executed + rows[1].executed;
        // The last burst may have ended early in both threads.
        let whole = 2 * ROUNDS * (made - 1)..=2 * ROUNDS * made;
        assert!(whole.contains(&rounds), "{rounds} in {made} bursts");
        assert!(
            rows[0].executed > 0,
            "holding while yielding makes contention"
        );
        assert!(rows[2].unavailable.is_some(), "only one CPU was asked for");
    }
}
