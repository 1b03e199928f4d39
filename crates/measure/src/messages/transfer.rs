//! Transfer of a message from one task to another.

use std::io;

use base::Nanos;
use bench::burst::{Bursts, spin_until};
use bench::measurement::{CpuUse, Description, Measurement, Needs, UNAVAILABLE, unavailable};
use bench::measuring_thread::{high_and_low, reason};
use bench::place::{NEEDS_TWO_CPUS, Place};
use bench::stamps::Pair;
use bench::{Abort, Bench, TrackShape};
use record::{Family, Recording, Row, RunSpec, Track, fact};
use rt::channel::{Channel, Message};
use rt::clock;
use rt::lock::Semaphore;

pub(crate) struct Transfer {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    pub create: fn() -> io::Result<Box<dyn Channel>>,
    pub places: &'static [Place],
}

/// Messages per burst.
pub(super) const MESSAGES: u64 = 50;
/// Pause before each message if the tasks run on two CPUs, so that the reader sleeps by then.
const PAUSE_NS: u64 = 20_000;
/// Memory of a message in bytes: the stamps before and after it.
pub(super) const BYTES_A_MESSAGE: u64 = 16;

impl Measurement for Transfer {
    fn description(&self) -> Description {
        Description {
            name: self.name,
            summary: self.summary,
            source: self.source,
            family: Some(Family::Messages),
            facts: &[fact::MESSAGES, fact::BURSTS],
            usual_time: Nanos(4_000_000_000),
            cpus: CpuUse::Two,
            needs: Needs::TwoPriorities,
            bytes_a_burst: MESSAGES * BYTES_A_MESSAGE,
            ..Description::PINNED
        }
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        self.places.iter().map(|place| self.run_at(bench, *place)).collect()
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        let of = |place: &Place| shape(place.name()).or_why_not(UNAVAILABLE);
        self.places.iter().map(of).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let row = |track: &Track| unavailable(track).unwrap_or_else(|| measured(track));
        recording.tracks.iter().map(row).collect()
    }
}

impl Transfer {
    /// Measures the transfer in one placement; the placements share the run's time.
    fn run_at(&self, bench: &Bench, place: Place) -> Result<Track, Abort> {
        let absent = |needs: &str| Ok(Track::new(place.name()).with("unavailable", needs));
        let Some(cpus) = place.cpus(bench) else {
            return absent(NEEDS_TWO_CPUS);
        };
        let time = Nanos(bench.spec.asked.duration.0 / self.places.len() as u64);
        let bursts = Bursts::within(time, 2)?;
        match (self.create)() {
            Ok(channel) => pass(bench, place.name(), cpus, &bursts, &*channel, || {}),
            Err(error) => absent(&reason(&error)),
        }
    }
}

/// The stamps before a message is written and after it is read.
pub(super) const PASSED: Pair = Pair("sent_ns", "received_ns");

pub(super) fn shape(name: &str) -> TrackShape {
    PASSED.shape(TrackShape::named(name), u64::MAX)
}

pub(super) fn measured(track: &Track) -> Row {
    PASSED.row(track).with(&fact::BYTES, size_of::<Message>())
}

/// Passes messages from a writer to a reader with the next higher priority. On one CPU the reader
/// thus takes the CPU within the writer's call: between the two stamps there are only the write,
/// the wake-up, the switch and the read.
///
/// The writer calls `before_each` while the reader waits; that time is not measured here.
pub(super) fn pass(
    bench: &Bench,
    name: &str,
    [reader_cpu, writer_cpu]: [usize; 2],
    bursts: &Bursts,
    channel: &dyn Channel,
    mut before_each: impl FnMut() + Send,
) -> Result<Track, Abort> {
    let reader_is_ready = Semaphore::new(0)?;
    let mut sent = bursts.room_for(MESSAGES);
    let mut received = bursts.room_for(MESSAGES);
    let mut wrong = 0_u64;
    let reader = || {
        let mut numbers = 0..;
        bursts.run(|_| {
            for number in numbers.by_ref().take(MESSAGES as usize) {
                reader_is_ready.post();
                let message = channel.receive();
                received.push(clock::now());
                wrong += u64::from(message != message_of(number));
            }
        });
    };
    let writer = || {
        let mut numbers = 0..;
        bursts.run(|_| {
            for number in numbers.by_ref().take(MESSAGES as usize) {
                reader_is_ready.wait();
                if reader_cpu != writer_cpu {
                    spin_until(clock::now() + PAUSE_NS);
                }
                before_each();
                let message = message_of(number);
                sent.push(clock::now());
                channel.send(&message);
            }
        });
    };
    bench.run(high_and_low(
        bench.spec.asked.policy,
        ("reader", reader_cpu, reader),
        ("writer", writer_cpu, writer),
    ))?;
    if wrong > 0 {
        return Err(Abort::Failed(format!("{wrong} messages were changed in transit")));
    }
    Ok(PASSED.onto(Track::new(name), bursts, [&sent, &received]))
}

/// Returns a message that encodes its number, so that it cannot be confused with another.
fn message_of(number: u64) -> Message {
    (u128::from(number) << 64 | u128::from(!number)).to_ne_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{FIFO_TRANSFER, RING_TRANSFER};
    use crate::test_runs::{measured, spec};
    use base::{CpuSet, Policy};
    use rt::sched;
    use serde_json::Value;
    use testing::{REAL_TIME, needs};

    fn rows_on(transfer: &Transfer, cpus: CpuSet) -> Vec<Row> {
        let mut spec = spec(transfer.name);
        spec.asked.cpus = cpus;
        measured(spec)
    }

    #[test]
    fn every_message_is_a_sample_and_takes_time() {
        let cpus = sched::affinity().unwrap();
        let apart = cpus.len() > 1;
        for transfer in [&FIFO_TRANSFER, &RING_TRANSFER] {
            for row in rows_on(transfer, cpus.clone()) {
                let here = apart || row.label == Place::OneCpu.name();
                let bursts = row.facts.get("bursts_made").and_then(Value::as_u64);
                assert_eq!(bursts.is_some(), here);
                assert_eq!(row.executed, MESSAGES * bursts.unwrap_or(0));
                assert!(row.latency.is_none_or(|latency| latency.min.value_ns > 0));
            }
        }
    }

    #[test]
    fn on_one_cpu_each_transfer_contains_one_switch() {
        let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
        let mut spec = spec("fifo_transfer");
        spec.asked.policy = Policy::Fifo(50);
        let bench = Bench::new(spec);
        let tracks = FIFO_TRANSFER.run(&bench).unwrap();
        let (threads, _) = bench.into_findings();
        let [reader, writer] = &threads[..] else {
            panic!("two threads ran: {threads:?}");
        };
        let messages = tracks[0].values("sent_ns").len() as u64;
        assert!(reader.counters.voluntary_switches >= messages, "{reader:?}");
        assert!(writer.counters.involuntary_switches >= messages, "{writer:?}");
    }

    #[test]
    fn a_placement_that_was_not_requested_is_not_available() {
        let one = CpuSet::one(sched::affinity().unwrap().iter().next().unwrap());
        let fifo = rows_on(&FIFO_TRANSFER, one.clone());
        assert!(fifo[0].executed > 0 && fifo[1].unavailable.is_some());
        assert!(rows_on(&RING_TRANSFER, one)[0].unavailable.is_some());
    }

    #[test]
    fn a_message_that_changed_in_transit_fails_the_run() {
        struct Forger(Semaphore);
        impl Channel for Forger {
            fn send(&self, _: &Message) {
                self.0.post();
            }
            fn receive(&self) -> Message {
                self.0.wait();
                [0; 16]
            }
        }
        let bench = Bench::new(spec("fifo_transfer"));
        let cpus = Place::OneCpu.cpus(&bench).unwrap();
        let forger = Forger(Semaphore::new(0).unwrap());
        let one = Bursts::within(Nanos(0), 2).unwrap();
        let result = pass(&bench, "forged", cpus, &one, &forger, || {});
        assert!(matches!(result, Err(Abort::Failed(why)) if why.contains("50 messages")));
    }
}
