//! How far a process that runs other people's code has come: visible from outside, also after that
//! code has ended the process.

use std::env;
use std::io;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::shared::SharedCounter;

/// The variable in a process's environment that contains the descriptor of its stage.
const STAGE: &str = "STEADFAST_STAGE";
const STEP_BITS: u32 = 56;
/// Marks the words of threads if a stack has overflowed.
const OVERFLOWED: u64 = 1 << 63;

base::named! {
    /// The phases of foreign code, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Phase {
        /// The file is loaded and its instances are created.
        Instantiation = "instantiation",
        /// The instances are initialised.
        Initialisation = "initialisation",
        /// The first step, which is not measured.
        FirstStep = "first step",
        /// A measured step.
        Step = "step",
        /// The instances are terminated.
        Termination = "termination",
        /// The process ends, and runs the destructors of the libraries that it loaded.
        Unloading = "unloading",
    }
}

/// Where threads record their progress, in memory that their process shares with the process that
/// started it.
#[derive(Debug)]
pub struct Stage(SharedCounter);

/// The stage of this process.
static HERE: OnceLock<Stage> = OnceLock::new();

impl Stage {
    /// Creates a stage that no other process watches yet.
    ///
    /// # Errors
    /// Fails without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        SharedCounter::new().map(Self)
    }

    /// Returns the stage that this process was given, or a new one.
    ///
    /// # Errors
    /// Fails without memory or descriptors.
    pub fn here() -> io::Result<&'static Self> {
        if let Some(stage) = HERE.get() {
            return Ok(stage);
        }
        let given = env::var(STAGE).ok().and_then(|number| number.parse().ok());
        let stage = match given {
            Some(number) => Self(SharedCounter::inherited(number)?),
            None => Self::new()?,
        };
        Ok(HERE.get_or_init(|| stage))
    }

    /// Whether another process watches this one's stage.
    #[must_use]
    pub fn is_watched() -> bool {
        env::var_os(STAGE).is_some()
    }

    /// Makes a process that is started from here record its progress on this stage.
    pub fn give(&self, command: &mut Command) {
        command.env(STAGE, self.0.descriptor().to_string());
    }

    /// Records that a thread, by its number, begins a phase, or a step of it.
    #[inline]
    pub fn enter(&self, thread: usize, phase: Phase, step: u64) {
        let word = (phase as u64 + 1) << STEP_BITS | step;
        self.0.word(thread).store(word, Ordering::Relaxed);
    }

    /// Records that a thread no longer runs foreign code.
    pub fn leave(&self, thread: usize) {
        self.0.word(thread).store(0, Ordering::Relaxed);
    }

    /// Returns the phase and the step number of the thread that is furthest behind; `None` if no
    /// thread runs foreign code.
    #[must_use]
    pub fn seen(&self) -> Option<(Phase, u64)> {
        let least = self.words().map(|word| word & !OVERFLOWED).min()?;
        let number = usize::try_from(least >> STEP_BITS).ok()?;
        let phase = Phase::ALL.get(number.checked_sub(1)?)?;
        Some((*phase, least & ((1 << STEP_BITS) - 1)))
    }

    /// Records that a stack has overflowed in foreign code; a signal may have interrupted anything.
    pub(crate) fn mark_overflow() {
        let Some(stage) = HERE.get() else { return };
        for at in 0..SharedCounter::WORDS {
            let word = stage.0.word(at);
            if word.load(Ordering::Relaxed) > 0 {
                word.fetch_or(OVERFLOWED, Ordering::Relaxed);
            }
        }
    }

    /// Whether a stack has overflowed in foreign code.
    #[must_use]
    pub fn has_overflowed(&self) -> bool {
        self.words().any(|word| word & OVERFLOWED != 0)
    }

    /// Returns the words of the threads that run foreign code.
    fn words(&self) -> impl Iterator<Item = u64> {
        let words = (0..SharedCounter::WORDS).map(|at| self.0.word(at).load(Ordering::Relaxed));
        words.filter(|word| *word > 0)
    }
}

/// The longest time of loading and the like, which may read files of any size.
const LONGEST_BEGINNING: Duration = Duration::from_secs(120);

/// Decides how long a process may stay at one point of its stage, for a caller that checks it from
/// time to time.
#[derive(Debug)]
pub struct Patience {
    longest_step: Duration,
    seen: Option<(Phase, u64)>,
    since: Instant,
}

impl Patience {
    /// Allows each step to take `longest_step`; the other phases may
    /// take two minutes.
    #[must_use]
    pub fn with(longest_step: Duration) -> Self {
        Self { longest_step, seen: None, since: Instant::now() }
    }

    /// Returns the time limit of the process's current point, once it has been exceeded.
    pub fn lost_with(&mut self, stage: &Stage) -> Option<Duration> {
        let now = stage.seen();
        if now != self.seen {
            (self.seen, self.since) = (now, Instant::now());
        }
        let longest = match now?.0 {
            Phase::FirstStep | Phase::Step => self.longest_step,
            _ => LONGEST_BEGINNING,
        };
        (self.since.elapsed() > longest).then_some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_in_a_long_step_and_starts_again_with_the_next() {
        let stage = Stage::new().unwrap();
        let none = Duration::ZERO;
        let mut patience = Patience::with(none);
        assert_eq!(patience.lost_with(&stage), None, "no foreign code runs");
        stage.enter(0, Phase::Instantiation, 0);
        assert_eq!(patience.lost_with(&stage), None);
        stage.enter(0, Phase::Step, 1);
        let _ = patience.lost_with(&stage);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(patience.lost_with(&stage), Some(none));
        let mut patience = Patience::with(Duration::from_secs(3600));
        assert_eq!(patience.lost_with(&stage), None);
    }

    #[test]
    fn the_thread_that_is_furthest_behind_is_seen() {
        let stage = Stage::new().unwrap();
        assert_eq!(stage.seen(), None);
        for phase in Phase::ALL {
            stage.enter(0, phase, 0);
            assert_eq!(stage.seen(), Some((phase, 0)));
        }
        stage.enter(0, Phase::Step, 1001);
        stage.enter(1, Phase::Step, 1000);
        assert_eq!(stage.seen(), Some((Phase::Step, 1000)));
        stage.leave(1);
        assert_eq!(stage.seen(), Some((Phase::Step, 1001)));
        stage.leave(0);
        assert_eq!(stage.seen(), None);
    }
}
