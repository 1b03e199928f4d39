//! Kinds of objects that measured code asks for, and that not every core has.

use std::io;

/// What a mutex does about the priority of the thread that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Nothing.
    Plain,
    /// It is raised to that of a thread that waits.
    Inherit,
    /// It is raised to this one.
    Ceiling(u8),
}

/// What not every core has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Object {
    Fifo,
    UnixSocket,
    Eventfd,
    Futex,
    IntervalTimer,
    OneShotTimer,
}

impl Object {
    /// Its name in a sentence.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fifo => "a FIFO",
            Self::UnixSocket => "a Unix socket",
            Self::Eventfd => "an eventfd",
            Self::Futex => "a futex",
            Self::IntervalTimer => "an interval timer",
            Self::OneShotTimer => "a timer that one thread arms and another waits for",
        }
    }
}

/// What a core does not have.
pub(super) fn not_applicable(why: &str) -> io::Error {
    let why = format!("not applicable: {why}");
    io::Error::new(io::ErrorKind::Unsupported, why)
}
