//! A source that interrupts by itself once per period, driven by its own counter.

use std::io::ErrorKind;

use bench::pace::Pace;
use bench::shape::{Holds, MOST_COUNTED, TrackShape};
use bench::{Abort, Bench, reason};
use record::{Row, Track, fact};
use rt::hpet::Schedule;
use rt::memory::Samples;

use super::rounds::{Rounds, measuring};
use super::source::Periodic;
use super::track::{Round, WHY_NOT};

struct Heard {
    schedule: Option<Schedule>,
    counters: Samples,
    interrupts: u64,
    failure: Option<String>,
}

/// Waits for the planned number of periods of the device; a second thread limits the wait.
pub(super) fn run(
    bench: &Bench,
    device: Box<dyn Periodic>,
    pace: Pace,
    track: Track,
) -> Result<Track, Abort> {
    let rounds = &Rounds::default();
    let wait = || {
        rounds.enter();
        let counters = Samples::with_capacity(pace.periods as usize);
        let heard = Heard { schedule: None, counters, interrupts: 0, failure: None };
        move |_| Some(heard.listen(device, pace, rounds))
    };
    let end = || {
        move |t0| {
            rounds.end_after(t0, pace);
            None
        }
    };
    let heard = bench.run(measuring(bench, wait, end))?.swap_remove(0);
    Ok(heard.ok_or(Abort::Conditions)?.recorded_on(track, pace))
}

impl Heard {
    fn listen(mut self, mut device: Box<dyn Periodic>, pace: Pace, rounds: &Rounds) -> Self {
        match device.start() {
            Ok(schedule) => self.schedule = Some(schedule),
            Err(error) => self.failure = Some(reason(&error)),
        }
        while self.failure.is_none() && self.interrupts < pace.periods && !rounds.is_over() {
            match device.wait() {
                Ok(expired) => {
                    self.counters.push(expired.counter.into());
                    self.interrupts += expired.interrupts;
                    rounds.end_round();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.failure = Some(reason(&error)),
            }
        }
        rounds.leave();
        self
    }

    fn recorded_on(&self, track: Track, pace: Pace) -> Track {
        let schedule = self.schedule.unwrap_or(Schedule { tick_fs: 0, period: 0, first: 0 });
        track
            .with("tick_fs", schedule.tick_fs)
            .with("period_ticks", schedule.period)
            .with("first_expiry", schedule.first)
            .with("period_ns", pace.period_ns())
            .with("periods", pace.periods)
            .with(&fact::INTERRUPTS_COUNTED, self.interrupts)
            .with("failure", self.failure.clone())
            .with("lost", self.counters.lost())
            .column(COUNTERS, self.counters.to_column())
    }
}

/// The column with the counter at each wake-up.
const COUNTERS: &str = "counter";

pub(super) fn shape(name: &str, pace: Pace) -> TrackShape {
    /// Maximum length of a tick: every device ticks at least once per microsecond.
    const LONGEST_TICK_FS: u64 = 1_000_000_000;
    let ticks = Holds::UpTo(u64::from(u32::MAX));
    TrackShape::named(name)
        .fact("tick_fs", Holds::UpTo(LONGEST_TICK_FS))
        .fact("period_ticks", ticks)
        .fact("first_expiry", ticks)
        .fact("period_ns", Holds::Exactly(pace.period_ns()))
        .fact("periods", Holds::Exactly(pace.periods))
        .fact(&fact::INTERRUPTS_COUNTED, Holds::UpTo(MOST_COUNTED))
        .rows_or_none(pace.periods, &[(COUNTERS, ticks)])
        .or_why_not(WHY_NOT)
}

pub(super) fn is(track: &Track) -> bool {
    track.columns.iter().any(|column| column.name == COUNTERS)
}

/// Returns a round for each wake-up that answers an expiry within the run.
pub(super) fn rounds(track: &Track) -> Vec<Round> {
    let tick_fs = i128::from(track.number("tick_fs"));
    let to_ns = |ticks: i64| (i128::from(ticks) * tick_fs / 1_000_000) as i64;
    let period = track.number("period_ticks");
    let round = |Waking { answers, late }| {
        let index = answers.filter(|index| *index < track.number("periods"))?;
        // Time 0 is one period before the first expiry, when the device was started.
        let raised = to_ns((index + 1) * period);
        Some(Round { period: index, at: raised, raised, kernel: 0, woke: raised + to_ns(late) })
    };
    wakings(track).filter_map(round).collect()
}

/// Adds the counts of a periodic source: wake-ups without an expiry, and the interrupts that the
/// kernel's handler counted, which are fewer than the periods if the hardware lost some.
pub(super) fn with_facts(row: Row, track: &Track) -> Row {
    let spurious = wakings(track).filter(|waking| waking.answers.is_none());
    row.with(&fact::SPURIOUS, spurious.count())
        .with(&fact::INTERRUPTS_COUNTED, track.number(&fact::INTERRUPTS_COUNTED))
}

struct Waking {
    /// The first expiry that no earlier wake-up answered. Further expiries before the thread read
    /// the counter have no wake-up. `None` if nothing expired.
    answers: Option<i64>,
    /// Ticks from that expiry to the wake-up of the thread.
    late: i64,
}

fn wakings(track: &Track) -> impl Iterator<Item = Waking> {
    let period = track.number("period_ticks").max(1);
    let mut next = 0;
    since(track.number("first_expiry"), track.values(COUNTERS)).map(move |ticks| {
        let last = ticks.div_euclid(period);
        let waking = Waking {
            answers: Some(next).filter(|next| *next <= last),
            late: ticks - next * period,
        };
        next = next.max(last + 1);
        waking
    })
}

/// Ticks from the first expiry to each value of a 32-bit counter, less than half its range apart.
fn since(first: i64, counters: &[i64]) -> impl Iterator<Item = i64> {
    let (mut before, mut sum) = (first, 0);
    counters.iter().map(move |counter| {
        sum += i64::from((counter - before) as i32);
        before = *counter;
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::rows;
    use crate::interrupt::source::Expired;
    use crate::interrupt::tests::conserves;
    use crate::test_runs::spec;
    use bench::pace::Overrun;
    use rt::clock;
    use std::io::{self, Read};
    use std::os::unix::net::UnixStream;

    /// A device simulated with the clock: its ticks are nanoseconds.
    struct Fake {
        first: u64,
        waits: u64,
        behaviour: fn(u64) -> Act,
        silence: [UnixStream; 2],
    }

    /// The action of a wait, chosen by its number.
    enum Act {
        Expire,
        /// The wait returns two periods too late.
        StandStill,
        Silence,
        Fail,
    }

    const PERIOD: u64 = 10_000_000;

    impl Fake {
        fn after(&self, expiries: u64, interrupts: u64) -> Expired {
            clock::sleep_until(self.first + expiries * PERIOD);
            Expired { interrupts, counter: clock::now() as u32 }
        }
    }

    impl Periodic for Fake {
        fn start(&mut self) -> io::Result<Schedule> {
            self.first = clock::now() + PERIOD;
            Ok(Schedule { tick_fs: 1_000_000, period: PERIOD as u32, first: self.first as u32 })
        }

        fn wait(&mut self) -> io::Result<Expired> {
            let wait = self.waits;
            self.waits += 1;
            match (self.behaviour)(wait) {
                Act::Expire => Ok(self.after(wait, 1)),
                Act::StandStill => {
                    self.waits += 2;
                    Ok(self.after(wait + 2, 3))
                }
                Act::Silence => Err(self.silence[0].read(&mut [0]).unwrap_err()),
                Act::Fail => Err(io::Error::from_raw_os_error(5)),
            }
        }
    }

    fn row_of(behaviour: fn(u64) -> Act, periods: u64) -> Row {
        let device =
            Fake { first: 0, waits: 0, behaviour, silence: UnixStream::pair().unwrap().into() };
        let pace = Pace { period: base::Nanos(PERIOD).into(), periods, overrun: Overrun::Skip };
        let track = Track::new("fake").with("needs", "luck");
        let bench = Bench::new(spec("interrupt"));
        let track = run(&bench, Box::new(device), pace, track).unwrap();
        rows::of(&track).remove(0)
    }

    #[test]
    fn every_period_is_executed_or_skipped() {
        let row = row_of(|_| Act::Expire, 20);
        conserves(&row);
        assert_eq!((row.due, &row.facts["interrupts"]), (20, &20.into()));
        assert!(row.executed > 0);
        assert_eq!(row.latency.unwrap().early, 0);
    }

    #[test]
    fn expiries_while_the_thread_stands_still_are_skipped() {
        let row = row_of(|wait| if wait == 5 { Act::StandStill } else { Act::Expire }, 20);
        conserves(&row);
        assert!(row.skipped >= 2, "{row:?}");
        assert!(row.latency.unwrap().max.value_ns >= 2 * PERIOD as i64);
    }

    #[test]
    fn a_device_that_never_interrupts_is_not_available() {
        let row = row_of(|_| Act::Silence, 1_000_000);
        assert!(row.unavailable.unwrap().contains("no interrupt arrived"));
    }

    #[test]
    fn a_device_that_fails_says_why_and_the_rest_is_skipped() {
        let row = row_of(|wait| if wait == 3 { Act::Fail } else { Act::Expire }, 100);
        conserves(&row);
        assert!((1..=3).contains(&row.executed), "{row:?}");
        assert_eq!(row.facts["failure"], "Input/output error");
    }

    #[test]
    fn a_counter_that_starts_again_at_0_goes_on_and_a_waking_without_an_expiry_is_spurious() {
        let first = i64::from(u32::MAX) - 50;
        // Expiries are at 0, 100, 200 and 300 after the first; the second reading is past the end
        // of 32 bits, the third wake-up answers two expiries.
        let counters = vec![first + 7, 100 - 51 + 8, 300 - 51 + 1, 300 - 51 + 2];
        let track = Track::new("hpet")
            .with("tick_fs", 10_000_000)
            .with("period_ticks", 100)
            .with("first_expiry", first)
            .with("periods", 4)
            .with("interrupts", 4)
            .column(COUNTERS, counters);
        let row = rows::of(&track).remove(0);
        conserves(&row);
        assert_eq!((row.due, row.executed, row.skipped), (4, 3, 1));
        assert_eq!(row.facts["strays"], 1);
        let latency = row.latency.unwrap();
        assert_eq!((latency.min.value_ns, latency.max.value_ns), (70, 1_010));
        assert_eq!((latency.max.index, latency.max.at_ns), (2, 3_000));
    }
}
