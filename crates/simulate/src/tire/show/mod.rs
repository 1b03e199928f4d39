//! The live show of a paced run: a housekeeping thread sends over UDP what solver threads show
//! after their steps.
//!
//! Solver threads write into their own memory and never wait. The housekeeping thread has the
//! default policy and the CPUs of the run's controlling thread, which are not the measured ones if
//! there are others.

mod sender;
mod stage;
mod window;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use bench::address::resolved;
use bench::{Abort, TrackShape};
use record::{Parameters, Row, Track, fact};
use rt::thread::start_in;

use sender::{Sender, Sent};
pub(super) use stage::Show;
use stage::{FLAG, viewer};
pub(super) use window::Witness;

const TRACK: &str = "show";

/// Returns the shape of the track of a show, of which there is at most one.
pub(super) fn shape() -> TrackShape {
    TrackShape::named(TRACK).times(0..=1)
}

pub(super) fn check(parameters: &Parameters, is_real_time: bool) -> Result<(), String> {
    match viewer(parameters) {
        None => Ok(()),
        Some(_) if !is_real_time => {
            Err("--watch: only a real-time run can be watched; add --mode real-time".to_owned())
        }
        Some(address) => resolved(FLAG, address).map(|_| ()),
    }
}

pub(super) fn check_unwatched(parameters: &Parameters) -> Result<(), String> {
    match viewer(parameters) {
        None => Ok(()),
        Some(_) => Err("--watch: not possible in intervals; leave it out".to_owned()),
    }
}

impl Show<'_> {
    /// Shows a run while `run` executes it. The track contains what was sent.
    pub(super) fn during<R>(
        &self,
        run: impl FnOnce() -> Result<R, Abort>,
    ) -> Result<(R, Track), Abort> {
        let sender = Sender::new(self).map_err(|error| {
            let why = bench::reason(&error);
            Abort::Failed(format!("--watch: cannot send to {}: {why}", self.to))
        })?;
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let sending = start_in(scope, "show", || sender.send_until(&over))?;
            let result = {
                // Set also if `run` panics; otherwise the scope would wait for ever.
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

/// Splits the tracks into those of the run and that of its show, if it was watched.
pub(super) fn split(tracks: &[Track]) -> (&[Track], Option<&Track>) {
    match tracks {
        [run @ .., last] if last.name == TRACK => (run, Some(last)),
        _ => (tracks, None),
    }
}

/// Adds the facts of a watched run to its row: of the frames that were due, how many were sent, how
/// many the kernel refused (the viewer does not listen), and how many were dropped because time was
/// short or the previous one was not fetched yet.
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
