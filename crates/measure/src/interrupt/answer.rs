//! Answers interrupts that a second machine raises and times.

use std::io::ErrorKind;

use bench::measurement::UNAVAILABLE;
use bench::shape::{Holds, MOST_COUNTED, TrackShape};
use bench::{Abort, Bench, reason};
use record::{Row, Track};
use rt::clock;

use super::rounds::{Rounds, measuring};
use super::serial;
use super::track::{ANSWER, with_failure};

pub(super) fn run(bench: &Bench, device: &str) -> Result<Track, Abort> {
    let track = Track::new(ANSWER);
    let mut answer_change = match serial::answer(device) {
        Ok(answer_change) => answer_change,
        Err(error) => {
            let needs = format!("needs a serial port; {device}: {}", reason(&error));
            return Ok(track.with("unavailable", needs));
        }
    };
    let rounds = &Rounds::default();
    let duration = bench.spec.asked.duration.0;
    let answer = || {
        rounds.enter();
        move |_| {
            let (mut count, mut failure) = (0, None);
            while !rounds.is_over() && failure.is_none() {
                match answer_change() {
                    Ok(()) => count += 1,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => failure = Some(reason(&error)),
                }
            }
            rounds.leave();
            (count, failure)
        }
    };
    let end = || {
        |t0| {
            clock::sleep_until(t0 + duration);
            rounds.end();
            (0_u64, None)
        }
    };
    let (count, failure) = bench.run(measuring(bench, answer, end))?.swap_remove(0);
    Ok(track.with("answered", count).with("failure", failure))
}

pub(super) fn shape() -> TrackShape {
    let shape = TrackShape::named(ANSWER).fact("answered", Holds::UpTo(MOST_COUNTED));
    shape.or_why_not(UNAVAILABLE)
}

/// Returns how many changes were answered; the other machine reports how long that took.
pub(super) fn row(track: &Track) -> Row {
    let answered = track.number("answered") as u64;
    let label = "answers to a second machine".to_owned();
    with_failure(Row { label, due: answered, executed: answered, ..Row::default() }, track)
}
