//! What a thread of a paced run does in the last part of its sleep, so that a step finds its state
//! in the caches, or its processor awake.

use plan::{Parameters, Track, fact};
use rt::clock;
use units::Nanos;

use super::Part;

/// What may be done.
pub(crate) const WAYS: &[&str] = &[TOUCH, SPIN];
const TOUCH: &str = "touch";
const SPIN: &str = "spin";

/// How a thread gets ready for its steps.
#[derive(Debug)]
pub(super) struct WarmUp {
    /// How long before a due time it begins; 0 where it sleeps until then.
    before: Nanos,
    /// Whether it reads the state all that time, or else the clock alone.
    touches: bool,
    /// Nanoseconds in which it would have slept.
    spent: u64,
}

impl WarmUp {
    /// What is asked for.
    pub(super) fn of(parameters: &Parameters) -> Self {
        Self {
            before: asked(parameters),
            touches: parameters.word("warm-up-by") == TOUCH,
            spent: 0,
        }
    }

    /// Waits until a step is due: asleep, but for the time of the warm-up.
    #[inline]
    pub(super) fn wait_until<P: Part>(&mut self, due: u64, part: &mut P) {
        if self.before.0 > 0 {
            clock::sleep_until(due.saturating_sub(self.before.0));
            let from = clock::now();
            let mut now = from;
            while now < due {
                match self.touches {
                    true => part.touch(),
                    false => std::hint::spin_loop(),
                }
                now = clock::now();
            }
            self.spent += now - from;
        }
        clock::sleep_until(due);
    }

    /// Adds what it took to the track of the thread, where it was asked for.
    pub(super) fn onto(&self, track: Track) -> Track {
        match self.before {
            Nanos(0) => track,
            _ => track.with(&fact::WARM_UP_NS, self.spent),
        }
    }
}

/// How long before a step a thread is to get ready.
pub(crate) fn asked(parameters: &Parameters) -> Nanos {
    parameters.time("warm-up")
}

/// Refuses a warm-up without sleep, or one that leaves no time for the step.
pub(crate) fn check(parameters: &Parameters, is_paced: bool) -> Result<(), String> {
    let (before, period) = (asked(parameters), parameters.time("rate"));
    if before.0 == 0 {
        return Ok(());
    }
    if !is_paced {
        return Err(
            "--warm-up: a real-fast run does not sleep; it is for --mode real-time".to_owned(),
        );
    }
    if before.0 > period.0 / 2 {
        return Err(format!(
            "--warm-up {before}: expected at most half of a period of {period}"
        ));
    }
    Ok(())
}
