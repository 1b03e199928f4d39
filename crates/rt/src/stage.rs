//! How far a process has come that runs code of others: seen from outside, also when that code
//! has ended it.

use std::env;
use std::io;
use std::os::fd::RawFd;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::shared::SharedCounter;

/// Names, in the environment of a process, the descriptor of the stage that it plays on.
const STAGE: &str = "STEADFAST_STAGE";
const STEP_BITS: u32 = 56;

/// What code of others is asked to do, in the order in which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Its file is loaded and its instances are made.
    Instantiation = 1,
    /// They are initialised.
    Initialisation,
    /// The first step, which is not measured.
    FirstStep,
    /// A measured step.
    Step,
    /// It ends.
    Termination,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Instantiation, Self::Initialisation, Self::FirstStep, Self::Step, Self::Termination];

    /// The phase in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Instantiation => "instantiation",
            Self::Initialisation => "initialisation",
            Self::FirstStep => "first step",
            Self::Step => "step",
            Self::Termination => "termination",
        }
    }
}

/// Where threads say how far they have come, in memory that their process shares with the one
/// that started it.
#[derive(Debug)]
pub struct Stage(SharedCounter);

impl Stage {
    /// A stage of its own.
    ///
    /// # Errors
    /// Without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        SharedCounter::new().map(Self)
    }

    /// The stage that this process was given, or one of its own.
    ///
    /// # Errors
    /// Without memory or descriptors.
    pub fn here() -> io::Result<&'static Self> {
        static HERE: OnceLock<Stage> = OnceLock::new();
        if let Some(stage) = HERE.get() {
            return Ok(stage);
        }
        let given = env::var(STAGE).ok().and_then(|number| number.parse().ok());
        let stage = match given {
            Some(number) => Self::inherited(number)?,
            None => Self::new()?,
        };
        Ok(HERE.get_or_init(|| stage))
    }

    fn inherited(descriptor: RawFd) -> io::Result<Self> {
        SharedCounter::inherited(descriptor).map(Self)
    }

    /// Whether another process watches this one's stage.
    #[must_use]
    pub fn is_watched() -> bool {
        env::var_os(STAGE).is_some()
    }

    /// Has a process play on this stage that is started from here.
    pub fn give(&self, command: &mut Command) {
        command.env(STAGE, self.0.descriptor().to_string());
    }

    /// A thread, by its number, begins a phase, or a step of one.
    #[inline]
    pub fn enter(&self, thread: usize, phase: Phase, step: u64) {
        let word = (phase as u64) << STEP_BITS | step;
        self.0.word(thread).store(word, Ordering::Relaxed);
    }

    /// A thread no longer runs code of others.
    pub fn leave(&self, thread: usize) {
        self.0.word(thread).store(0, Ordering::Relaxed);
    }

    /// The phase, and the number of the step, of the thread that has come least far; `None`
    /// where no thread runs code of others.
    #[must_use]
    pub fn seen(&self) -> Option<(Phase, u64)> {
        let words = (0..SharedCounter::WORDS).map(|at| self.0.word(at).load(Ordering::Relaxed));
        let least = words.filter(|word| *word > 0).min()?;
        let number = usize::try_from(least >> STEP_BITS).ok()?;
        let phase = Phase::ALL.get(number.checked_sub(1)?)?;
        Some((*phase, least & ((1 << STEP_BITS) - 1)))
    }
}

/// Loading and initialising may read files of any size.
const LONGEST_BEGINNING: Duration = Duration::from_secs(120);

/// How long a process may stay at one place of its stage, for whoever looks at it now and then.
#[derive(Debug)]
pub struct Patience {
    longest_step: Duration,
    seen: Option<(Phase, u64)>,
    since: Instant,
}

impl Patience {
    /// With steps that take no longer than that; what stands before them, and their end, may
    /// take two minutes.
    #[must_use]
    pub fn with(longest_step: Duration) -> Self {
        Self { longest_step, seen: None, since: Instant::now() }
    }

    /// How long the process may stay where it is, once it has stayed there for longer.
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
    fn patience_ends_with_a_process_that_stays_in_a_step_and_begins_again_with_the_next() {
        let stage = Stage::new().unwrap();
        let none = Duration::ZERO;
        let mut patience = Patience::with(none);
        assert_eq!(patience.lost_with(&stage), None, "no code of others runs");
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
    fn the_thread_that_came_least_far_is_seen() {
        let stage = Stage::new().unwrap();
        assert_eq!(stage.seen(), None);
        for (place, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!(phase as usize, place + 1);
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
