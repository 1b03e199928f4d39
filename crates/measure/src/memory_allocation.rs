//! The time to get memory from the kernel, and to give it back.

use std::io;

use bench::burst::Bursts;
use bench::stamps::Pair;
use bench::{Abort, Bench, Description, Measurement, TrackShape};
use record::{Family, Recording, Row, RunSpec, Track, fact, parameters};
use rt::clock;
use rt::mapping::Mapping;

pub(crate) struct MemoryAllocation;

const STAMPS: Pair = Pair("before_ns", "after_ns");
/// Mappings per burst.
const MAPPINGS: u64 = 20;
const PAGE_BYTES: usize = 4096;
/// What happens to each mapping, in this order.
const STEPS: [&str; 2] = ["allocate", "release"];

parameters! {
    PARAMETERS;
    "pages" Count(1, 1024), "16", "pages of 4 KiB that are allocated and touched at a time";
}

impl Measurement for MemoryAllocation {
    fn description(&self) -> Description {
        Description {
            name: "memory_allocation",
            summary: "time to allocate and touch memory, and to release it",
            source: "FRA 5 (future work)",
            family: Some(Family::Services),
            parameters: PARAMETERS,
            facts: &[fact::BURSTS],
            bytes_a_burst: 8 * 2 * STEPS.len() as u64 * MAPPINGS,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let bursts = Bursts::within(bench.spec.asked.duration, 1)?;
        let bytes = bench.spec.parameters.pages() as usize * PAGE_BYTES;
        let mut stamps = STEPS.map(|_| [bursts.room_for(MAPPINGS), bursts.room_for(MAPPINGS)]);
        let mut refused: Option<io::Error> = None;
        let work = || {
            bursts.run(|_| {
                for _ in 0..MAPPINGS {
                    let before = clock::now();
                    let mut memory = match Mapping::new(bytes) {
                        Ok(memory) => memory,
                        Err(error) => return refused = Some(error),
                    };
                    memory.touch(0..bytes);
                    let allocated = clock::now();
                    drop(memory);
                    let released = clock::now();
                    let ends = [[before, allocated], [allocated, released]];
                    for (samples, stamps) in
                        stamps.as_flattened_mut().iter_mut().zip(ends.as_flattened())
                    {
                        samples.push(*stamps);
                    }
                }
            });
        };
        bench.run_alone("allocator", work)?;
        bench.permit_page_faults();
        if let Some(error) = refused {
            return Err(error.into());
        }
        let track = |(name, [from, to]): (&str, &[_; 2])| {
            STAMPS.onto(Track::new(name), &bursts, [from, to])
        };
        Ok(STEPS.into_iter().zip(&stamps).map(track).collect())
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        STEPS.map(|name| STAMPS.shape(TrackShape::named(name), u64::MAX)).into()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().map(|track| STAMPS.row(track)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::spec;
    use bench::made_run::recording;
    use record::Warning;

    #[test]
    fn every_mapping_is_allocated_and_released() {
        let spec = spec("memory_allocation");
        let bench = Bench::new(spec.clone());
        let tracks = MemoryAllocation.run(&bench).unwrap();
        let (threads, warnings) = bench.into_findings();
        assert!(threads[0].counters.minor_faults > 0, "the faults are what is measured");
        assert!(!warnings.iter().any(|one| matches!(one, Warning::PageFaults { .. })));
        let outcome = crate::outcome(&recording(spec, tracks));
        let names: Vec<&str> = outcome.rows.iter().map(|row| &*row.label).collect();
        assert_eq!(names, STEPS);
        for row in &outcome.rows {
            let bursts = row.fact(&fact::BURSTS_MADE).unwrap().as_u64().unwrap();
            assert!(bursts > 0);
            assert_eq!(row.executed, bursts * MAPPINGS);
        }
    }

    #[test]
    fn an_allocation_ends_where_its_release_begins() {
        let tracks = MemoryAllocation.run(&Bench::new(spec("memory_allocation"))).unwrap();
        let [allocated, released] = &tracks[..] else { panic!("two tracks") };
        assert_eq!(allocated.values("after_ns"), released.values("before_ns"));
        assert!(allocated.values("after_ns").is_sorted());
    }
}
