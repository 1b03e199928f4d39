//! The cost of a context switch, derived from two measured times.

use base::Nanos;
use bench::burst::Bursts;
use bench::measurement::{Description, Measurement, Needs, UNAVAILABLE, unavailable};
use bench::{Abort, Bench, TrackShape, reason};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::channel::Ends;
use rt::clock;
use stats::Distribution;

use super::alone::{CALL, WORD, roundtrip};
use super::transfer::{BYTES_A_MESSAGE, MESSAGES, measured, pass, shape};

/// Transfer minus round trip: both write and read a FIFO, but only the transfer switches tasks.
pub(crate) struct ContextSwitch;

/// The label of the derived row, which has no messages.
const DERIVED: &str = "derived";

impl Measurement for ContextSwitch {
    fn description(&self) -> Description {
        Description {
            name: "context_switch",
            summary: "mean fifo_transfer minus mean fifo_roundtrip: derived, measured alternately on one CPU",
            source: "TEL 2.2.4",
            family: Some(Family::Messages),
            facts: &[fact::SWITCH_COST, fact::MESSAGES, fact::BURSTS],
            usual_time: Nanos(4_000_000_000),
            needs: Needs::TwoPriorities,
            bytes_a_burst: MESSAGES * 2 * BYTES_A_MESSAGE,
            ..Description::PINNED
        }
    }

    /// Before each message the writer makes one round trip through a separate FIFO.
    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let (own, between_tasks) = match (Ends::pipe(), Ends::pipe()) {
            (Ok(own), Ok(between)) => (own, between),
            (Err(error), _) | (_, Err(error)) => {
                let track = Track::new(DERIVED).with("unavailable", reason(&error));
                return Ok(vec![track]);
            }
        };
        let bursts = Bursts::within(bench.spec.asked.duration, 2)?;
        let (mut before, mut after) = (bursts.room_for(MESSAGES), bursts.room_for(MESSAGES));
        let round_trip = || {
            before.push(clock::now());
            roundtrip(&own);
            after.push(clock::now());
        };
        let cpus = [bench.cpu(0); 2];
        let name = "fifo_transfer";
        let transfer = pass(bench, name, cpus, &bursts, &between_tasks, round_trip)?;
        let roundtrip = Track::new("fifo_roundtrip");
        let roundtrip = CALL.onto(roundtrip, &bursts, [&before, &after]);
        Ok(vec![transfer, roundtrip])
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let roundtrip = TrackShape::named("fifo_roundtrip");
        let neither = TrackShape::named(DERIVED).times(0..=1);
        vec![
            shape("fifo_transfer"),
            CALL.shape(roundtrip, u64::MAX),
            neither.or_why_not(UNAVAILABLE),
        ]
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let [transfer, roundtrip] = &recording.tracks[..] else {
            return recording.tracks.iter().filter_map(unavailable).collect();
        };
        let transfer = measured(transfer);
        let roundtrip = CALL.row(roundtrip).with(&fact::BYTES, WORD.len());
        vec![difference(&transfer, &roundtrip), transfer, roundtrip]
    }
}

/// Returns the difference of the means, without a distribution: it belongs to no single message.
fn difference(transfer: &Row, roundtrip: &Row) -> Row {
    let mean = |row: &Row| row.latency.as_ref().map(Distribution::mean_ns);
    let means = mean(transfer).zip(mean(roundtrip));
    let difference = means.map(|(transfer, roundtrip)| transfer - roundtrip);
    let share = means.map(|(transfer, roundtrip)| 1.0 - roundtrip / transfer);
    let &Row { due, executed, skipped, .. } = transfer;
    let row = Row { label: DERIVED.to_owned(), due, executed, skipped, ..Row::default() };
    row.with(&fact::CONTEXT_SWITCH_NS, difference)
        .with(&fact::SHARE_OF_TRANSFER_PERCENT, share.map(|share| 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, rows, spec};

    #[test]
    fn the_switch_is_the_transfer_minus_the_round_trip() {
        let transfer = Track::new("fifo_transfer")
            .column("sent_ns", vec![0, 1000])
            .column("received_ns", vec![300, 1500]);
        let roundtrip = Track::new("fifo_roundtrip")
            .column("before_ns", vec![500, 2000])
            .column("after_ns", vec![600, 2200]);
        let rows = rows("context_switch", vec![transfer, roundtrip]);
        assert_eq!(rows[0].facts["context_switch_ns"], 250.0);
        assert_eq!(rows[0].facts["share_of_transfer_percent"], 62.5);
        assert_eq!((rows[0].executed, &rows[0].latency), (2, &None));
    }

    #[test]
    fn each_transfer_has_its_round_trip() {
        let rows = measured(spec("context_switch"));
        let messages = MESSAGES * rows[1].facts["bursts_made"].as_u64().unwrap();
        assert!(rows.iter().all(|row| row.executed == messages));
        let mean = |row: &Row| row.latency.as_ref().unwrap().mean_ns();
        let difference = mean(&rows[1]) - mean(&rows[2]);
        assert_eq!(rows[0].facts["context_switch_ns"], difference);
    }
}
