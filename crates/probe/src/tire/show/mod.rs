//! The live show of a paced run: what solver threads show after their steps is sent over
//! UDP by a housekeeping thread.
//!
//! Solver threads write into memory of their own and never wait; the housekeeping thread
//! has the default policy and the CPUs of the run's controlling thread, which are not the
//! measured ones where there are others.

mod sender;
mod window;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use plan::live::About;
use plan::{NOWHERE, Parameters, Row, RunSpec, Track, fact};
use rt::thread::start_in;
use tire::{Sample, Worker};

use super::parameters::{setup, with_flag};
use crate::Abort;
use crate::address::resolved;
use crate::model::schedule::Schedule;
use crate::shape::TrackShape;

use sender::{Sender, Sent};
pub(super) use window::Witness;
use window::{Masses, Window};

/// Time from one frame to the next, in nanoseconds; a step is shown once at most.
const FRAME: u64 = 20_000_000;
/// Places of the ring that are shown; with all that their springs go to, three times as
/// many masses are copied at most.
const PLACES: usize = 200;
const TRACK: &str = "show";
const FLAG: &str = "watch";

/// The shape of the track of a show, where there is one.
pub(super) fn shape() -> TrackShape {
    TrackShape::named(TRACK).times(0..=1)
}

/// What is needed to show a run.
pub(super) struct Show<'a> {
    schedule: &'a Schedule,
    about: About,
    sample: Sample,
    windows: Vec<Window>,
    masses: Masses,
    /// Steps from one frame to the next.
    every: u64,
    to: SocketAddr,
}

/// Refuses what cannot be watched.
///
/// # Errors
/// Names the flag.
pub(super) fn check(parameters: &Parameters, is_real_time: bool) -> Result<(), String> {
    match viewer(parameters) {
        None => Ok(()),
        Some(_) if !is_real_time => {
            Err("--watch: only a real-time run can be watched; add --mode real-time".to_owned())
        }
        Some(address) => resolved(FLAG, address).map(|_| ()),
    }
}

/// Where the run is watched, if anywhere.
fn viewer(parameters: &Parameters) -> Option<&str> {
    let address = parameters.word(FLAG);
    (!address.is_empty() && address != NOWHERE).then_some(address)
}

impl<'a> Show<'a> {
    /// The show that is asked for, if any.
    pub(super) fn of(spec: &RunSpec, schedule: &'a Schedule) -> Result<Option<Self>, Abort> {
        let Some(address) = viewer(&spec.parameters) else {
            return Ok(None);
        };
        let setup = setup(spec).map_err(Abort::Failed)?;
        let sample = Sample::new(&setup, PLACES).map_err(|e| Abort::Failed(with_flag(&e)))?;
        let word = |name| spec.parameters.word(name).to_owned();
        let step_ns = setup.parameters.step * 1e9;
        Ok(Some(Self {
            about: About {
                period_ns: schedule.period(),
                periods: schedule.periods(),
                step_ns: step_ns.round() as u64,
                masses: setup.masses as u64,
                threads: setup.threads as u32,
                model: word("model"),
                solver: word("solver"),
                precision: word("precision"),
                policy: spec.asked.policy.to_string(),
            },
            windows: (0..setup.threads).map(|_| Window::new()).collect(),
            masses: Masses::new(sample.seen().len()),
            sample,
            every: FRAME.div_ceil(schedule.period()),
            to: resolved(FLAG, address).map_err(Abort::Failed)?,
            schedule,
        }))
    }

    /// The hand of a solver thread in the show, once its worker is settled.
    pub(super) fn witness(&self, thread: usize, worker: &Worker) -> Witness<'_> {
        let pace = (self.every, self.schedule.period());
        let seen = self.sample.seen();
        Witness::new(&self.windows[thread], &self.masses, seen, pace, worker)
    }

    /// Shows a run while `run` makes it. What was sent is told on the track.
    pub(super) fn during<R>(
        &self,
        run: impl FnOnce() -> Result<R, Abort>,
    ) -> Result<(R, Track), Abort> {
        let sender = Sender::new(self).map_err(|error| {
            let why = crate::reason(&error);
            Abort::Failed(format!(
                "--watch: nothing can be sent to {}: {why}",
                self.to
            ))
        })?;
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let sending = start_in(scope, "show", || sender.send_until(&over))?;
            let result = {
                // Also when `run` panics, or the scope would wait for ever.
                let _ends = SetAtEnd(&over);
                run()
            };
            let sent = sending.join().unwrap_or_default();
            result.map(|result| (result, self.track(&sent)))
        })
    }

    fn track(&self, sent: &Sent) -> Track {
        Track::new(TRACK)
            .with("steps_a_frame", self.every)
            .with(&fact::FRAMES_SENT, sent.frames)
            .with(&fact::FRAMES_REFUSED, sent.refused)
    }
}

struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The tracks of a run, and that of its show where it was watched.
pub(super) fn split(tracks: &[Track]) -> (&[Track], Option<&Track>) {
    match tracks {
        [run @ .., last] if last.name == TRACK => (run, Some(last)),
        _ => (tracks, None),
    }
}

/// What the row of a watched run tells: of the frames that were due, those sent, those
/// that the kernel refused (nobody listens), and those dropped because there was no time
/// or the last one was not fetched yet.
pub(super) fn with_frames(row: Row, show: &Track, parameters: &Parameters) -> Row {
    let number = |name: &str| u64::try_from(show.number(name)).unwrap_or(0);
    let due = row.executed.div_ceil(number("steps_a_frame").max(1));
    let (sent, refused) = (number(&fact::FRAMES_SENT), number(&fact::FRAMES_REFUSED));
    row.with(&fact::WATCHED_AT, parameters.word(FLAG))
        .with(&fact::FRAMES_DUE, due)
        .with(&fact::FRAMES_SENT, sent)
        .with(&fact::FRAMES_REFUSED, refused)
        .with(&fact::FRAMES_DROPPED, due.saturating_sub(sent + refused))
}

#[cfg(test)]
mod tests;
