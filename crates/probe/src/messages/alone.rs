//! One task alone with a channel.

use std::io;

use plan::{Parameters, Recording, Row, RunSpec, Track, fact};
use rt::clock;
use stats::Distribution;
use units::{CpuSet, Nanos};

use crate::burst::{Bursts, bursts_in, bursts_shape, with_bursts};
use crate::measurement::{Description, Length, Measurement, UNAVAILABLE, pinned, unavailable};
use crate::measuring_thread::{MeasuringThread, reason};
use crate::shape::{Holds, TrackShape};
use crate::stamps::between;
use crate::{Abort, Bench};

/// What one task does with a channel of its own.
pub(crate) struct Alone<C> {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    /// How many bytes it passes.
    pub bytes: usize,
    pub create: fn() -> io::Result<C>,
    /// The calls between the stamps.
    pub timed: fn(&C),
    /// Leaves the channel empty again, after the stamps.
    pub afterwards: fn(&C),
}

/// Rounds of one burst.
const ROUNDS: u64 = 500;

impl<C: Sync> Measurement for Alone<C> {
    fn description(&self) -> Description {
        Description {
            name: self.name,
            summary: self.summary,
            source: self.source,
            parameters: &[],
            facts: &[fact::MESSAGES, fact::BURSTS],
        }
    }

    fn length(&self, _: &Parameters) -> Length {
        Length::Seconds(Nanos(2_000_000_000))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        bursts_in(spec.asked.duration).saturating_mul(ROUNDS * 16)
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let track = Track::new("one task").with(&fact::BYTES, self.bytes);
        let channel = match (self.create)() {
            Ok(channel) => channel,
            Err(error) => return Ok(vec![track.with("unavailable", reason(&error))]),
        };
        let asked = &bench.spec.asked;
        let bursts = Bursts::within(asked.duration, 1)?;
        let (mut before, mut after) = (bursts.room_for(ROUNDS), bursts.room_for(ROUNDS));
        let work = || {
            bursts.run(|_| {
                for _ in 0..ROUNDS {
                    before.push(clock::now());
                    (self.timed)(&channel);
                    after.push(clock::now());
                    (self.afterwards)(&channel);
                }
            });
        };
        let cpu = CpuSet::one(bench.cpu(0));
        bench.run(vec![MeasuringThread::on(cpu, asked.policy, "task", work)])?;
        Ok(vec![
            bursts
                .noted_on(track)
                .with("lost", before.lost() + after.lost())
                .column("before_ns", before.to_column())
                .column("after_ns", after.to_column()),
        ])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let columns = [("before_ns", Holds::Stamps), ("after_ns", Holds::Stamps)];
        let shape =
            TrackShape::named("one task").fact(&fact::BYTES, Holds::Exactly(self.bytes as u64));
        vec![bursts_shape(shape.rows(u64::MAX, &columns)).or_why_not(UNAVAILABLE)]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| {
            let measured = || {
                let times = between(track, "before_ns", "after_ns");
                let row = Row::of(&*track.name, Distribution::of(times));
                with_bursts(row, track).with(&fact::BYTES, track.number(&fact::BYTES))
            };
            unavailable(track).unwrap_or_else(measured)
        };
        recording.tracks.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};
    use crate::messages::{FIFO_ROUNDTRIP, FIFO_WRITE, MAILBOX_POST};

    #[test]
    fn every_round_is_a_sample() {
        let measurements: [&dyn Measurement; 3] = [&FIFO_WRITE, &FIFO_ROUNDTRIP, &MAILBOX_POST];
        for measurement in measurements {
            let bench = Bench::new(spec(measurement.name()));
            let tracks = measurement.run(&bench).unwrap();
            let rows = measurement.rows(&recording(bench.spec, tracks));
            if rows[0].unavailable.is_none() {
                let rounds = ROUNDS * rows[0].facts["bursts_made"].as_u64().unwrap();
                assert_eq!(rows[0].executed, rounds, "{}", measurement.name());
            }
        }
    }

    #[test]
    fn a_channel_that_cannot_be_had_is_not_available() {
        let without = Alone::<()> {
            name: "mailbox_post",
            summary: "",
            source: "",
            bytes: 16,
            create: || Err(io::Error::new(io::ErrorKind::Unsupported, "needs more")),
            timed: |()| {},
            afterwards: |()| {},
        };
        let bench = Bench::new(spec("mailbox_post"));
        let tracks = without.run(&bench).unwrap();
        let rows = without.rows(&recording(bench.spec, tracks));
        assert_eq!(rows[0].unavailable.as_deref(), Some("needs more"));
        assert_eq!((rows[0].due, &rows[0].latency), (0, &None));
    }
}
