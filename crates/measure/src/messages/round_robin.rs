//! Transfer of a message while a third task computes: who wakes up waits for its time slice's end.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use base::{CpuSet, Nanos, Policy};
use bench::burst::Bursts;
use bench::measuring_thread::MeasuringThread;
use bench::place::Place;
use bench::{Abort, Bench, Description, Measurement, Needs, TrackShape};
use record::{Family, Parameters, Recording, Row, RunSpec, Track, fact};
use rt::channel::{Channel, Message, Queue};
use rt::clock;
use rt::lock::Semaphore;

use super::transfer::{BYTES_A_MESSAGE, PASSED, measured, shape};

pub(crate) struct RoundRobin;

/// Messages per burst: each may take a time slice, of which a real-time CPU has ten per second.
const MESSAGES: u64 = 2;
/// If the third task computes for this long in a burst, the others did not get their turns.
const LONGEST_NS: u64 = 3_000_000_000;
const LETTER: Message = [7; 16];

impl Measurement for RoundRobin {
    fn description(&self) -> Description {
        Description {
            name: "mailbox_round_robin",
            summary: "a mailbox between two tasks, with a third of equal priority that computes",
            source: "TEL mbox 2",
            family: Some(Family::Messages),
            facts: &[fact::MESSAGES, fact::BURSTS],
            usual_time: Nanos(10_000_000_000),
            needs: Needs::Turns,
            bytes_a_burst: MESSAGES * BYTES_A_MESSAGE,
            ..Description::PINNED
        }
    }

    fn usual_policy(&self, _: &Parameters) -> Policy {
        Policy::Rr(80)
    }

    fn tracks(&self, _: &RunSpec) -> Vec<TrackShape> {
        vec![shape(Place::OneCpu.name())]
    }

    /// The writer waits until the reader wants the next message. So the third task gets the CPU after
    /// each message, and the reader gets it when the third task's slice ends.
    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let bursts = &Bursts::within(bench.spec.asked.duration, 3)?;
        let (mailbox, reader_is_ready) = (&Queue::new()?, &Semaphore::new(0)?);
        let (passed, given_up) = (&AtomicU64::new(0), &AtomicBool::new(false));
        let (mut sent, mut received) = (bursts.room_for(MESSAGES), bursts.room_for(MESSAGES));
        let reader = || {
            bursts.run(|_| {
                for _ in 0..MESSAGES {
                    reader_is_ready.post();
                    mailbox.receive();
                    received.push(clock::now());
                    passed.fetch_add(1, Ordering::Relaxed);
                }
            });
        };
        let writer = || {
            bursts.run(|_| {
                for _ in 0..MESSAGES {
                    reader_is_ready.wait();
                    sent.push(clock::now());
                    mailbox.send(&LETTER);
                }
            });
        };
        let third = || {
            let mut due = 0;
            bursts.run(|_| {
                due += MESSAGES;
                let give_up = clock::now() + LONGEST_NS;
                while passed.load(Ordering::Relaxed) < due {
                    if clock::now() > give_up {
                        given_up.store(true, Ordering::Relaxed);
                        break;
                    }
                    spin_loop();
                }
            });
        };
        let (cpu, policy) = (CpuSet::one(bench.cpu(0)), bench.spec.asked.policy);
        bench.run(vec![
            MeasuringThread::on(cpu.clone(), policy, "reader", reader),
            MeasuringThread::on(cpu.clone(), policy, "writer", writer),
            MeasuringThread::on(cpu, policy, "third", third),
        ])?;
        if given_up.load(Ordering::Relaxed) {
            return Err(Abort::Failed("reader and writer had no turn for 3 s".to_owned()));
        }
        Ok(vec![PASSED.onto(Track::new(Place::OneCpu.name()), bursts, [&sent, &received])])
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        recording.tracks.iter().map(measured).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{measured, spec};
    use testing::{REAL_TIME, measure_alone, needs};

    #[test]
    fn a_transfer_takes_longer_beside_a_third_task() {
        let Some(()) = needs(rt::sched::may_be_real_time(), REAL_TIME) else { return };
        measure_alone();
        let mut spec = spec("mailbox_round_robin");
        spec.asked.policy = Policy::Rr(50);
        let row = measured(spec).remove(0);
        assert_eq!(row.executed % MESSAGES, 0);
        assert_eq!((row.due, row.skipped), (row.executed, 0));
        // The slice may be set to any length, but is longer than a switch.
        assert!(row.latency.unwrap().max.value_ns > 500_000);
    }
}
