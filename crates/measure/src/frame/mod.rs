//! Frame determinism (MUR): how regularly equal work in each period starts, and how long it runs.

mod exchange;
mod helper;
mod parameters;
mod process;
mod rows;
mod start;
mod team;
mod throttling;
mod work;

use base::{Nanos, Policy, Rate};
use bench::address::resolved;
use bench::interval::{Continuous, HandOver};
use bench::late::EachThread;
use bench::measurement::{CpuUse, Description, LONGEST_SPIN, Measurement, pinned};
use bench::pace::{BYTES_A_STEP, Overrun, STAMPS};
use bench::room::room;
use bench::{Abort, Bench, periods};
use bench::{TrackShape, tally};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact};
use rt::process::THIS_PROGRAM;
use rt::system::RtGrant;
use rt::{system, topology};

use parameters::{LOCAL, LOCKED, MOVED, NO_PEER, PARAMETERS, SPIN, name, pace};

pub use exchange::Echo;
pub use process::serve_frames;

pub(crate) struct Frame;

/// Minimum period: a datagram alone would fill a shorter frame.
const SHORTEST_PERIOD: Nanos = Nanos(100_000);

impl Measurement for Frame {
    fn description(&self) -> Description {
        Description {
            name: "frame",
            summary: "processes that do equal work once per period: when each frame starts and how \
                      long it runs",
            source: "MUR",
            family: Some(Family::Frames),
            parameters: PARAMETERS,
            facts: &[fact::PACE, fact::FRAMES, &[fact::STRIP]],
            usual_time: Nanos(10_000_000_000),
            ..Description::PINNED
        }
    }

    fn cpu_use(&self, parameters: &Parameters) -> CpuUse {
        if parameters.affinity() == LOCKED { CpuUse::Threads } else { CpuUse::All }
    }

    fn least_time(&self, parameters: &Parameters) -> Nanos {
        periods::least_time(parameters.rate_period())
    }

    /// A spinning process uses all of its CPU, which a real-time process is not granted.
    fn usual_policy(&self, parameters: &Parameters) -> Policy {
        if parameters.start() == SPIN { Policy::OTHER } else { Policy::Fifo(80) }
    }

    fn moves_others(&self, parameters: &Parameters) -> bool {
        parameters.others() == MOVED
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        pace(spec)
            .periods
            .saturating_mul(spec.parameters.processes())
            .saturating_mul(BYTES_A_STEP + tally::bytes_a_period(spec))
    }

    /// A process that spins or catches up does not wait until its end.
    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let run = spec.asked.duration.0;
        Nanos(LONGEST_SPIN.0.saturating_add(run.saturating_mul(2)))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        check_time(spec)?;
        check_places(spec)?;
        let peer = spec.parameters.peer();
        if !matches!(peer, LOCAL | NO_PEER) {
            resolved("peer", peer)?;
        }
        // The stamps of the frames show a limit that is unknown here.
        match system::rt_grant(&spec.asked.cpus) {
            Some(grant) => throttling::check(spec, &grant),
            None => throttling::check(spec, &RtGrant { percent: 100, ..RtGrant::usual() }),
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let room = room(&bench.spec, self.sample_bytes(&bench.spec));
        team::run(bench, room, THIS_PROGRAM)
    }

    fn continuous(&self) -> Option<&dyn Continuous> {
        Some(self)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let pace = pace(spec);
        let of = |number| {
            let shape = pace.shape(TrackShape::named(name(spec, number)));
            tally::shape(spec, pace.periods, shape.rows(pace.periods, &STAMPS))
        };
        let processes = spec.parameters.processes() as usize;
        (1..=processes).map(of).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        rows::of(recording)
    }

    /// A frame that ends after the next one is due has missed its deadline.
    fn usual_limit(&self, parameters: &Parameters) -> Option<Nanos> {
        Some(parameters.rate_period())
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        rows::each_thread(recording, each);
    }
}

impl Continuous for Frame {
    fn check_continuous(&self, spec: &RunSpec) -> Result<(), String> {
        Overrun::of(&spec.parameters).check_continuous()
    }

    /// The rate of the kernel's interval timer, which has whole nanoseconds.
    fn rate(&self, spec: &RunSpec) -> Result<Rate, String> {
        Ok(Rate::of_period(spec.parameters.rate_period()))
    }

    fn run_intervals(&self, bench: &Bench, count: u64, hand_over: HandOver) -> Result<(), Abort> {
        let room = room(&bench.spec, self.sample_bytes(&bench.spec));
        team::run_in_intervals(bench, room, count, hand_over)
    }
}

fn check_time(spec: &RunSpec) -> Result<(), String> {
    let period = spec.parameters.rate_period();
    if period < SHORTEST_PERIOD {
        return Err(format!(
            "--rate: a frame of {period} is too short; use at least {SHORTEST_PERIOD}"
        ));
    }
    if spec.asked.duration < period {
        let time = spec.asked.duration;
        return Err(format!("--seconds: {time} is shorter than one frame of {period}"));
    }
    Ok(())
}

fn check_places(spec: &RunSpec) -> Result<(), String> {
    let (processes, cpus) = (spec.parameters.processes(), &spec.asked.cpus);
    if spec.parameters.affinity() == LOCKED {
        pinned(spec)?;
        if processes > cpus.len() as u64 {
            return Err(format!(
                "--processes: {processes} processes cannot each have a separate CPU of {cpus}; \
                 list more CPUs with --cpus, or use --affinity free"
            ));
        }
    }
    let usable = topology::usable();
    if Frame.moves_others(&spec.parameters) && topology::housekeeping(&usable, cpus).is_empty() {
        return Err(format!(
            "--others: all CPUs are measured ({cpus}), so none is left for everything else; \
             leave one out of --cpus, or use --others stay"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parameters::place;
    use super::*;
    use crate::test_runs::spec_with;
    use base::CpuSet;

    fn asked(words: &[(&str, &str)]) -> RunSpec {
        let mut spec = spec_with("frame", words);
        spec.asked.cpus = "0-1".parse().unwrap();
        spec
    }

    #[test]
    fn locked_processes_have_a_cpu_each_and_free_ones_all() {
        let locked = asked(&[("processes", "2")]);
        let places = [place(&locked, 1), place(&locked, 2)];
        assert_eq!(places, [CpuSet::one(0), CpuSet::one(1)]);
        let free = asked(&[("affinity", "free")]);
        assert_eq!(place(&free, 1), free.asked.cpus);
        assert_eq!(name(&locked, 2), "2 of 2");
    }
}
