//! The limits that this machine's arithmetic units and memory set for the tire's solvers.

use base::{CpuSet, Nanos};
use bench::burst::{Bursts, bursts_in, bursts_shape, with_bursts};
use bench::columns::{Columns, Kinds};
use bench::measuring_thread::MeasuringThread;
use bench::shape::{Holds, MOST_COUNTED, TrackShape};
use bench::{Abort, Bench, CpuUse, Description, Measurement, PEAK_OF_SAMPLES};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact, parameters};
use rt::memory::available_bytes;
use rt::{clock, topology};
use simulate::instructions::{self, INSTRUCTIONS};
use stats::{Distribution, Sample, median};
use tire::{InstructionSet, Precision, ceiling};

pub(crate) struct Ceiling;

parameters! {
    PARAMETERS;
    "threads" Threads(1024), "cores", "threads that work concurrently";
    "precision" Choice(Precision::NAMES), "f64", "floating-point type of the tire";
    "instructions" Choice(INSTRUCTIONS), "best",
        "vector instructions: the best set of the processor, or a named one";
}

const ARITHMETIC: &str = "arithmetic";
const MEMORY: &str = "memory";

/// Steps of a cell in each lane between two readings of the clock.
const TURNS: u64 = 2_000;
/// Approximate length of a block: most of a burst's period, with time left to rest.
const BLOCK_NS: u64 = 3_000_000;

const BLOCKS: Kinds<3> =
    [("start_ns", Holds::Stamps), ("block_ns", Holds::Times), ("done", Holds::UpTo(MOST_COUNTED))];
/// Bytes per block: three numbers of a block of each kind.
const BYTES_A_BLOCK: u64 = 2 * 3 * 8;

/// Size of the memory that is traversed, as a multiple of the last-level caches: so large that the
/// caches keep almost nothing from one pass to the next. Caches that protect themselves against
/// streaming keep a share of a buffer of four times their size.
const TIMES_CACHES: u64 = 16;
/// The smallest such multiple, used if memory is scarce; with less, caches would be measured.
const LEAST_TIMES_CACHES: u64 = 8;
/// Assumed cache size if the kernel does not report one.
const USUAL_CACHES: u64 = 64 << 20;

impl Measurement for Ceiling {
    fn description(&self) -> Description {
        Description {
            name: "ceiling",
            summary: "limits of the tire's solvers: mass-updates per second that arithmetic units and memory allow",
            source: "docs/tire.md",
            family: Some(Family::Ceilings),
            parameters: PARAMETERS,
            facts: &[
                fact::CEILING,
                &[fact::THREADS, fact::PRECISION, fact::MASS_UPDATES_PER_S],
                fact::CEILING_MEMORY,
                fact::BURSTS,
            ],
            usual_time: Nanos::SECOND,
            cpus: CpuUse::Threads,
            ..Description::PINNED
        }
    }

    /// A block of memory work may take several times its planned length.
    fn least_time(&self, _: &Parameters) -> Nanos {
        Nanos(500_000_000)
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        self.description().needs.check(spec)?;
        instructions::check(&spec.parameters).map(drop)
    }

    /// Measures throughput, as a tire that runs as fast as possible does.
    fn is_real_time(&self, _: &Parameters) -> bool {
        false
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let (buffers, _) = buffers_and_caches(&spec.asked.cpus);
        let blocks = bursts_in(time_of_a_kind(spec));
        let stamps = blocks.saturating_mul(spec.parameters.threads());
        stamps.saturating_mul(BYTES_A_BLOCK) + buffers / PEAK_OF_SAMPLES
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let spec = &bench.spec;
        let threads = spec.parameters.threads() as usize;
        let (buffers, caches) = buffers_and_caches(&spec.asked.cpus);
        let work = Work {
            instructions: instructions::check(&spec.parameters).map_err(Abort::Failed)?,
            precision: precision(&spec.parameters),
            arithmetic: Bursts::within(time_of_a_kind(spec), threads)?,
            memory: Bursts::within(time_of_a_kind(spec), threads)?,
            buffer: buffers as usize / threads,
        };
        let thread = |thread| {
            let cpu = CpuSet::one(bench.cpu(thread));
            let name = format!("thread {thread}");
            MeasuringThread::prepared(cpu, spec.asked.policy, name, || work.prepared())
        };
        let machine = Track::new("machine")
            .with(&fact::INSTRUCTIONS, work.instructions.to_string())
            .with(&fact::BUFFER_BYTES, buffers)
            .with(&fact::CACHE_BYTES, caches);
        let mut tracks = vec![machine];
        for [arithmetic, memory] in bench.run((0..threads).map(thread).collect())? {
            tracks.push(work.arithmetic.noted_on(track(ARITHMETIC, &arithmetic)));
            tracks.push(work.memory.noted_on(track(MEMORY, &memory)));
        }
        Ok(tracks)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let threads = spec.parameters.threads() as usize;
        let of = |kind| {
            let shape = TrackShape::named(kind).times(threads..=threads);
            bursts_shape(shape.rows(u64::MAX, &BLOCKS))
        };
        let machine = TrackShape::named("machine")
            .fact(&fact::BUFFER_BYTES, Holds::UpTo(MOST_COUNTED))
            .fact(&fact::CACHE_BYTES, Holds::UpTo(MOST_COUNTED));
        vec![machine, of(ARITHMETIC), of(MEMORY)]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let [machine, threads @ ..] = &recording.tracks[..] else {
            return Vec::new();
        };
        let precision = precision(&recording.header.spec.parameters);
        let arithmetic = row(ARITHMETIC, recording, threads)
            .with(&fact::INSTRUCTIONS, recorded_instructions(machine))
            .with(&fact::MULTIPLICATIONS_A_MASS, ceiling::multiplications_a_mass(precision))
            .with(&fact::MASS_UPDATES_PER_S, a_second(ARITHMETIC, threads));
        vec![arithmetic, memory_row(recording, machine, threads)]
    }
}

struct Work {
    instructions: InstructionSet,
    precision: Precision,
    arithmetic: Bursts,
    memory: Bursts,
    buffer: usize,
}

impl Work {
    /// Returns the measured loop of one thread; its memory is touched before the loop starts.
    fn prepared(&self) -> impl FnOnce(u64) -> [Blocks; 2] + use<'_> {
        let set = self.instructions;
        let mut pass = ceiling::memory(set, self.buffer).expect("the set was checked");
        let room = |bursts: &Bursts| Blocks::with_room(&BLOCKS, bursts.planned());
        let mut kinds = [&self.arithmetic, &self.memory].map(room);
        move |_| {
            let [arithmetic, memory] = &mut kinds;
            self.arithmetic.run(|_| {
                let turns = || ceiling::arithmetic(set, self.precision, TURNS).unwrap_or(0);
                arithmetic.push(block(turns));
            });
            self.memory.run(|_| memory.push(block(&mut pass)));
            kinds
        }
    }
}

type Blocks = Columns<3>;

/// Works for the length of a block; `work` returns how much it did.
fn block(mut work: impl FnMut() -> u64) -> [u64; 3] {
    let start = clock::now();
    let (mut done, mut time) = (0, 0);
    while time < BLOCK_NS {
        done += work();
        time = clock::now() - start;
    }
    [start, time, done]
}

fn track(kind: &str, blocks: &Blocks) -> Track {
    blocks.onto(Track::new(kind).with("lost", blocks.lost()))
}

fn precision(parameters: &Parameters) -> Precision {
    Precision::named(parameters.precision()).unwrap_or_default()
}

fn time_of_a_kind(spec: &RunSpec) -> Nanos {
    Nanos(spec.asked.duration.0 / 2)
}

/// Returns the memory of all threads and the size of the caches that it must exceed, in bytes.
fn buffers_and_caches(cpus: &CpuSet) -> (u64, u64) {
    let known = Some(topology::last_caches(cpus)).filter(|bytes| *bytes > 0);
    let caches = known.unwrap_or(USUAL_CACHES);
    ((caches * TIMES_CACHES).min(available_bytes() / 2), caches)
}

fn memory_row(recording: &Recording, machine: &Track, threads: &[Track]) -> Row {
    let [buffers, caches] =
        [fact::BUFFER_BYTES, fact::CACHE_BYTES].map(|fact| machine.number(&fact));
    let least = caches * LEAST_TIMES_CACHES as i64;
    if buffers < least {
        let needs = format!("needs {} MiB of free memory", (2 * least) >> 20);
        return Row::unavailable(label(MEMORY, recording), needs);
    }
    let bytes = a_second(MEMORY, threads);
    let a_mass = ceiling::bytes_a_mass(precision(&recording.header.spec.parameters));
    row(MEMORY, recording, threads)
        .with(&fact::INSTRUCTIONS, recorded_instructions(machine))
        .with(&fact::BUFFER_BYTES, buffers)
        .with(&fact::CACHE_BYTES, caches)
        .with(&fact::BYTES_A_MASS, a_mass)
        .with(&fact::BYTES_PER_S, bytes)
        .with(&fact::MASS_UPDATES_PER_S, bytes / a_mass as f64)
}

fn recorded_instructions(machine: &Track) -> Option<serde_json::Value> {
    machine.attributes.get(&*fact::INSTRUCTIONS).cloned()
}

fn row(kind: &str, recording: &Recording, threads: &[Track]) -> Row {
    let all = |name| of_kind(kind, threads).flat_map(move |track| track.values(name));
    let first = all("start_ns").min().copied().unwrap_or(0);
    let samples = all("start_ns").zip(all("block_ns")).enumerate().map(|(index, (start, time))| {
        Sample { value_ns: *time, index: index as u64, at_ns: (start - first) as u64 }
    });
    let parameters = &recording.header.spec.parameters;
    let row = Row::of(label(kind, recording), Distribution::of(samples));
    of_kind(kind, threads)
        .take(1)
        .fold(row, with_bursts)
        .with(&fact::KIND, kind)
        .with(&fact::THREADS, parameters.threads())
        .with(&fact::PRECISION, parameters.precision())
}

fn label(kind: &str, recording: &Recording) -> String {
    let threads = recording.header.spec.parameters.threads();
    let plural = if threads == 1 { "" } else { "s" };
    format!("{kind}, {threads} thread{plural}")
}

fn of_kind<'a>(kind: &'a str, threads: &'a [Track]) -> impl Iterator<Item = &'a Track> {
    threads.iter().filter(move |track| track.name == kind)
}

/// Returns what all threads did per second: the sum of each thread's median over its blocks.
fn a_second(kind: &str, threads: &[Track]) -> f64 {
    let of_thread = |track: &Track| {
        let blocks = track.values("done").iter().zip(track.values("block_ns"));
        let rate = |(done, time): (&i64, &i64)| *done as f64 * 1e9 / (*time).max(1) as f64;
        let rates: Vec<i64> = blocks.map(|block| rate(block) as i64).collect();
        median(&rates).unwrap_or(0) as f64
    };
    of_kind(kind, threads).map(of_thread).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, spec_with};
    use bench::made_run::recording;

    /// A thread that did the amounts `done` in blocks of one millisecond.
    fn thread(kind: &str, done: &[i64]) -> Track {
        Track::new(kind)
            .column("start_ns", (0..).step_by(5_000_000).take(done.len()).collect())
            .column("block_ns", vec![1_000_000; done.len()])
            .column("done", done.to_vec())
    }

    fn machine(buffer_bytes: u64) -> Track {
        Track::new("machine")
            .with("instructions", "avx2")
            .with("buffer_bytes", buffer_bytes)
            .with("cache_bytes", 1 << 20)
    }

    fn rows(buffer_bytes: u64) -> Vec<Row> {
        let tracks = vec![
            machine(buffer_bytes),
            thread(ARITHMETIC, &[2_000, 1_000, 9_000]),
            thread(MEMORY, &[640, 6_400, 640]),
            thread(ARITHMETIC, &[3_000, 3_000, 3_000]),
            thread(MEMORY, &[64_000, 1_280, 0]),
        ];
        Ceiling.rows(&recording(spec_with("ceiling", &[("threads", "2")]), tracks))
    }

    #[test]
    fn threads_add_up_and_one_slow_or_fast_block_does_not_count() {
        let [arithmetic, memory] = &rows(16 << 20)[..] else { panic!("two rows") };
        assert_eq!(arithmetic.facts["mass_updates_per_s"], 5_000_000.0);
        assert_eq!(memory.facts["bytes_per_s"], 1_920_000.0);
        assert_eq!(memory.facts["mass_updates_per_s"], 30_000.0);
        assert_eq!((memory.due, memory.executed, memory.skipped), (6, 6, 0));
        assert_eq!(memory.label, "memory, 2 threads");
    }

    #[test]
    fn caches_are_not_taken_for_memory() {
        let memory = &rows(7 << 20)[1];
        assert_eq!(memory.unavailable.as_deref(), Some("needs 16 MiB of free memory"));
    }

    #[test]
    fn both_kinds_are_measured_in_every_thread() {
        let mut spec = spec_with("ceiling", &[("threads", "2")]);
        spec.asked.duration = Nanos(40_000_000);
        for row in measured(spec) {
            let blocks = 2 * row.facts["bursts_made"].as_u64().unwrap();
            assert_eq!((row.due, row.executed), (blocks, blocks), "{}", row.label);
            assert_eq!(row.facts["bursts_planned"], 4);
            assert!(row.facts["mass_updates_per_s"].as_f64().unwrap() > 0.0);
        }
    }
}
