//! Measurements of one task that uses a channel alone, such as a round trip of a word.

use std::hint::black_box;
use std::io;

use bench::burst::Bursts;
use bench::measurement::{Description, Measurement, UNAVAILABLE, unavailable};
use bench::shape::{Holds, TrackShape};
use bench::stamps::Pair;
use bench::{Abort, Bench, reason};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::channel::Ends;
use rt::clock;

pub(crate) struct Alone<C> {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    pub bytes: usize,
    pub create: fn() -> io::Result<C>,
    /// The calls between the stamps.
    pub timed: fn(&C),
    /// Empties the channel again, after the stamps.
    pub afterwards: fn(&C),
}

/// The stamps before and after a call.
pub(super) const CALL: Pair = Pair("before_ns", "after_ns");
/// Rounds per burst.
const ROUNDS: u64 = 500;

pub(super) const WORD: [u8; 4] = [1, 2, 3, 4];

pub(super) fn roundtrip(fifo: &Ends) {
    fifo.write(&WORD);
    black_box(fifo.read::<{ WORD.len() }>());
}

impl<C: Sync> Measurement for Alone<C> {
    fn description(&self) -> Description {
        Description {
            name: self.name,
            summary: self.summary,
            source: self.source,
            family: Some(Family::Messages),
            facts: &[fact::MESSAGES, fact::BURSTS],
            bytes_a_burst: ROUNDS * 16,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let track = Track::new("one task").with(&fact::BYTES, self.bytes);
        let channel = match (self.create)() {
            Ok(channel) => channel,
            Err(error) => return Ok(vec![track.with("unavailable", reason(&error))]),
        };
        let bursts = Bursts::within(bench.spec.asked.duration, 1)?;
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
        bench.run_alone("task", work)?;
        Ok(vec![CALL.onto(track, &bursts, [&before, &after])])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let shape =
            TrackShape::named("one task").fact(&fact::BYTES, Holds::Exactly(self.bytes as u64));
        vec![CALL.shape(shape, u64::MAX).or_why_not(UNAVAILABLE)]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| {
            let bytes = track.number(&fact::BYTES);
            let measured = || CALL.row(track).with(&fact::BYTES, bytes);
            unavailable(track).unwrap_or_else(measured)
        };
        recording.tracks.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{FIFO_ROUNDTRIP, FIFO_WRITE, MAILBOX_POST};
    use crate::test_runs::{measured, spec};
    use bench::made_run::recording;

    #[test]
    fn every_round_is_a_sample() {
        for name in [FIFO_WRITE.name, FIFO_ROUNDTRIP.name, MAILBOX_POST.name] {
            let row = measured(spec(name)).remove(0);
            if row.unavailable.is_none() {
                let rounds = ROUNDS * row.facts["bursts_made"].as_u64().unwrap();
                assert_eq!(row.executed, rounds, "{name}");
            }
        }
    }

    #[test]
    fn a_channel_that_cannot_be_created_is_not_available() {
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
