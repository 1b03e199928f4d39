//! Taking a binary semaphore that guards a shared variable: in the loop that the papers' text
//! describes, and separately for a free semaphore and for one that another thread holds.

use std::sync::atomic::{AtomicU64, Ordering};

use base::{CpuSet, Nanos};
use bench::burst::{Bursts, bursts_in, bursts_shape, spin_until, with_bursts};
use bench::columns::{self, Kinds};
use bench::measuring_thread::MeasuringThread;
use bench::place::{NEEDS_TWO_CPUS, Place};
use bench::shape::{Holds, TrackShape};
use bench::{Abort, Bench, CpuUse, Description, Measurement};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::lock::{Lock, Semaphore, Taken};
use rt::memory::Samples;
use rt::{clock, sched};
use stats::{Distribution, Sample};

pub(crate) struct SemaphoreShuffle;

/// Number of equal shares of the time: the papers' loop, one CPU, two CPUs.
const PARTS: u64 = 3;
const ROUND: Kinds<3> =
    [("wish_ns", Holds::Stamps), ("taken_ns", Holds::Stamps), ("waited", Holds::UpTo(1))];
/// Bytes per round: two stamps, and whether it waited.
const BYTES: u64 = 24;
const THREADS: u64 = 2;
/// On two CPUs, time inside the guarded section, so that the threads meet, and outside it, so that
/// a waiter that was woken takes the semaphore before the next request.
const INSIDE_NS: u64 = 5_000;
const OUTSIDE_NS: u64 = 20_000;

impl Measurement for SemaphoreShuffle {
    fn description(&self) -> Description {
        Description {
            name: "semaphore_shuffle",
            summary: "time to take a binary semaphore: free, contended, and in the papers' \
                      loop",
            source: "SAE table 3, MPE 3, Rhealstone",
            family: Some(Family::Services),
            facts: &[fact::SEMAPHORES, fact::BURSTS],
            usual_time: Nanos(4_000_000_000),
            cpus: CpuUse::Two,
            ..Description::PINNED
        }
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let rounds: u64 = Turns::ALL.iter().map(|turns| turns.rounds()).sum();
        bursts_in(part_of(spec.asked.duration)).saturating_mul(rounds * THREADS * BYTES)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let mut tracks = Vec::new();
        for turns in Turns::ALL {
            if let Some(cpus) = turns.place().cpus(bench) {
                tracks.extend(shuffle(bench, *turns, cpus)?);
            }
        }
        Ok(tracks)
    }

    /// Returns two tracks per placement; without a second CPU there is no second placement.
    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let places = &Place::ALL[..Place::ALL.len().min(spec.asked.cpus.len())];
        let made = Turns::ALL.iter().filter(|turns| places.contains(&turns.place()));
        let shape = |turns: &Turns| {
            let shape = TrackShape::named(turns.name()).times(2..=2);
            bursts_shape(shape.rows(u64::MAX, &ROUND))
        };
        made.map(shape).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let apart = |turns: &Turns| apart(recording, turns.name());
        let made = [Turns::Yielding, Turns::Spinning];
        let literal = literal(recording, Turns::Literal.name());
        made.iter().flat_map(apart).chain([literal]).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turns {
    /// On one CPU, every second round yields inside the section: the other thread finds it held.
    Yielding,
    /// On two CPUs, time passes inside the section, so that the threads meet, and outside it.
    Spinning,
    /// As the papers' text describes it: on one CPU, each thread only locks and unlocks.
    Literal,
}

impl Turns {
    const ALL: &[Self] = &[Self::Yielding, Self::Spinning, Self::Literal];

    fn place(self) -> Place {
        if self == Self::Spinning { Place::TwoCpus } else { Place::OneCpu }
    }

    fn name(self) -> &'static str {
        if self == Self::Literal { "literal, one CPU" } else { self.place().name() }
    }

    /// Rounds of each thread per burst: enough that waking up is a small part.
    fn rounds(self) -> u64 {
        if self == Self::Literal { 1000 } else { 100 }
    }

    fn inside(self, round: u64) {
        match self {
            Self::Yielding if round.is_multiple_of(2) => sched::yield_now(),
            Self::Spinning => spin_until(clock::now() + INSIDE_NS),
            Self::Yielding | Self::Literal => {}
        }
    }

    fn outside(self) {
        match self {
            Self::Yielding => sched::yield_now(),
            Self::Spinning => spin_until(clock::now() + OUTSIDE_NS),
            Self::Literal => {}
        }
    }
}

fn part_of(time: Nanos) -> Nanos {
    Nanos(time.0 / PARTS)
}

fn named<'r>(recording: &'r Recording, name: &str) -> Vec<&'r Track> {
    recording.tracks.iter().filter(|track| track.name == name).collect()
}

fn apart(recording: &Recording, place: &str) -> [Row; 2] {
    let tracks = named(recording, place);
    [("contended", 1), ("uncontended", 0)].map(|(kind, waited)| {
        let label = format!("{kind}, {place}");
        let Some(first) = tracks.first() else {
            return Row::unavailable(label, NEEDS_TWO_CPUS);
        };
        let times = Distribution::of(acquisitions(&tracks, |kind| kind == waited));
        with_bursts(Row::of(label, times), first)
    })
}

/// Returns one row with every round of the papers' loop, and how many of them waited.
fn literal(recording: &Recording, name: &str) -> Row {
    let tracks = named(recording, name);
    let waited: i64 = tracks.iter().flat_map(|track| track.values("waited")).sum();
    let row = Row::of(name, Distribution::of(acquisitions(&tracks, |_| true)))
        .with(&fact::WAITED, waited);
    tracks.into_iter().take(1).fold(row, with_bursts)
}

/// Returns the times to take the semaphore in the rounds that waited (1) or did not (0).
fn acquisitions(tracks: &[&Track], is_chosen: impl Fn(i64) -> bool) -> Vec<Sample> {
    let starts = tracks.iter().filter_map(|track| track.values("wish_ns").first());
    let start = starts.min().copied().unwrap_or(0);
    let mut chosen = Vec::new();
    for track in tracks {
        let times = track.values("wish_ns").iter().zip(track.values("taken_ns"));
        for (index, ((wish, taken), waited)) in times.zip(track.values("waited")).enumerate() {
            if is_chosen(*waited) {
                let (value_ns, at_ns) = (taken - wish, (wish - start) as u64);
                chosen.push(Sample { value_ns, index: index as u64, at_ns });
            }
        }
    }
    chosen
}

/// Lets two threads share a variable under one semaphore.
fn shuffle(bench: &Bench, turns: Turns, cpus: [usize; 2]) -> Result<Vec<Track>, Abort> {
    let asked = &bench.spec.asked;
    let bursts = &Bursts::within(part_of(asked.duration), THREADS as usize)?;
    let semaphore = Semaphore::new(1)?;
    let shared = AtomicU64::new(0);
    let rounds = turns.rounds();
    let shuffler = || {
        let room = || bursts.room_for(rounds);
        let (mut wish, mut taken, mut waited) = (room(), room(), room());
        let (semaphore, shared) = (&semaphore, &shared);
        move || {
            bursts.run(|time_is_up| {
                for round in 0..rounds {
                    wish.push(clock::now());
                    let how = semaphore.lock(u64::MAX);
                    let taken_at = clock::now();
                    taken.push(taken_at);
                    waited.push(u64::from(how == Taken::AfterWaiting));
                    let seen = shared.load(Ordering::Relaxed);
                    turns.inside(round);
                    shared.store(seen + 1, Ordering::Relaxed);
                    semaphore.unlock();
                    turns.outside();
                    // Under load, a yield may take as long as a time slice of the load.
                    if taken_at >= time_is_up {
                        break;
                    }
                }
            });
            (wish, taken, waited)
        }
    };
    let [first, second] = cpus.map(CpuSet::one);
    let stamps = bench.run(vec![
        MeasuringThread::on(first, asked.policy, "first", shuffler()),
        MeasuringThread::on(second, asked.policy, "second", shuffler()),
    ])?;
    let rounds: usize = stamps.iter().map(|(wish, ..)| wish.values().len()).sum();
    if shared.into_inner() != rounds as u64 {
        return Err(Abort::Failed("the semaphore let two threads in at once".to_owned()));
    }
    let track = |(wish, taken, waited): &(Samples, Samples, Samples)| {
        let track = bursts.noted_on(Track::new(turns.name()));
        columns::onto(track, ROUND.map(|(name, _)| name), [wish, taken, waited])
    };
    Ok(stamps.iter().map(track).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, spec};

    #[test]
    fn every_round_is_in_one_row() {
        // Holding while yielding makes contention, unless one thread gets no CPU.
        let measured = || measured(spec("semaphore_shuffle"));
        let rows = testing::within_tries(3, measured, |rows| rows[0].executed > 0);
        let made = rows[0].facts["bursts_made"].as_u64().unwrap();
        let rounds = rows[0].executed + rows[1].executed;
        // The last burst may have ended early in both threads.
        let of_both = THREADS * Turns::Yielding.rounds();
        let whole = of_both * (made - 1)..=of_both * made;
        assert!(whole.contains(&rounds), "{rounds} in {made} bursts");
        assert!(rows[2].unavailable.is_some(), "only one CPU was requested");
    }

    /// Only locking and unlocking is so much cheaper than an exchange that every machine shows it.
    #[test]
    fn the_papers_loop_has_a_separate_row_and_no_exchange() {
        let measured = || measured(spec("semaphore_shuffle"));
        // A thread that gets no CPU at first may leave no time for rounds.
        let rows = testing::within_tries(3, measured, |rows| rows[4].executed >= 100);
        let (contended, literal) = (&rows[0], &rows[4]);
        assert_eq!(contended.label, "contended, one CPU");
        assert_eq!(literal.label, "literal, one CPU");
        let waited = literal.facts["waited"].as_u64().unwrap();
        assert!(waited < literal.executed / 10, "{waited} of {}", literal.executed);
        let median = |row: &Row| row.latency.as_ref().unwrap().quantile_ns(0.5);
        assert!(2 * median(literal) < median(contended));
    }
}
