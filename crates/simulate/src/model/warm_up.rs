//! The warm-up of a thread in a paced run: what it does in the last part of its sleep, so that a
//! step finds its state in the caches, or its processor awake.

use base::Nanos;
use record::{NOWHERE, Parameters, Track, fact};
use rt::clock;

use super::Part;

/// The forms of the parameter, as the end of "expected".
pub(crate) const FORM: &str = "none, touch:TIME or spin:TIME";
/// The prefixes of the parameter, and whether each reads the state.
const WAYS: [(&str, bool); 2] = [("touch:", true), ("spin:", false)];

pub(crate) struct WarmUp {
    asked: Option<Asked>,
    /// Time in nanoseconds that the thread would otherwise have slept.
    spent: u64,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    /// How long before a due time the warm-up begins.
    before: Nanos,
    /// Whether it reads the state in that time; otherwise it only reads the clock.
    touches: bool,
}

impl WarmUp {
    pub(crate) fn of(parameters: &Parameters) -> Self {
        Self { asked: asked(parameters).unwrap_or(None), spent: 0 }
    }

    /// Waits until a step is due: asleep, except for the time of the warm-up.
    #[inline]
    pub(super) fn wait_until<P: Part>(&mut self, due: u64, part: &mut P) {
        let Some(asked) = self.asked else {
            return clock::sleep_until(due);
        };
        // The kernel takes some microseconds to find that the time of a sleep has already passed.
        let begin = due.saturating_sub(asked.before.0);
        if clock::now() < begin {
            clock::sleep_until(begin);
        }
        let from = clock::now();
        let mut now = from;
        while now < due {
            match asked.touches {
                true => part.touch(),
                false => std::hint::spin_loop(),
            }
            now = clock::now();
        }
        self.spent += now - from;
    }

    /// Adds the time of the warm-up to the track of the thread, if a warm-up was requested.
    pub(super) fn onto(&self, track: Track) -> Track {
        if self.asked.is_some() { track.with(&fact::WARM_UP_NS, self.spent) } else { track }
    }
}

pub(crate) fn is_asked(parameters: &Parameters) -> bool {
    asked(parameters).is_ok_and(|asked| asked.is_some())
}

fn asked(parameters: &Parameters) -> Result<Option<Asked>, String> {
    let text = parameters.warm_up();
    if text.is_empty() || text == NOWHERE {
        return Ok(None);
    }
    let way = |(way, touches)| Some((text.strip_prefix(way)?, touches));
    let Some((time, touches)) = WAYS.into_iter().find_map(way) else {
        return Err(format!("--warm-up: `{text}` is not {FORM}"));
    };
    let before = time.parse().map_err(|why| format!("--warm-up: {why}"))?;
    Ok(Some(Asked { before, touches }))
}

/// Refuses a warm-up without sleep, without time for the step, or of a state that cannot be read.
pub(crate) fn check(
    parameters: &Parameters,
    is_paced: bool,
    can_touch: bool,
) -> Result<(), String> {
    let period = parameters.rate_period();
    match asked(parameters)? {
        None => Ok(()),
        Some(_) if !is_paced => {
            Err("--warm-up: a real-fast run does not sleep; use --mode real-time".to_owned())
        }
        Some(Asked { touches: true, .. }) if !can_touch => Err(format!(
            "--warm-up touch: the {} solver cannot touch its state; use --solver simd or \
             fused, or --warm-up spin:TIME",
            parameters.solver()
        )),
        Some(Asked { before, .. }) if before.0 > period.0 / 2 => {
            Err(format!("--warm-up {before}: expected at most half of a period of {period}"))
        }
        Some(_) => Ok(()),
    }
}
