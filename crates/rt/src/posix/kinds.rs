//! Kinds of objects that measured code uses and that not every core has.

use std::io;

/// The effect of a mutex on the priority of the thread that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// The priority does not change.
    Plain,
    /// The priority is raised to that of a waiting thread.
    Inherit,
    /// The priority is raised to this one.
    Ceiling(u8),
}

base::named! {
    /// The objects that not every core offers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Object {
        Fifo = "a FIFO",
        UnixSocket = "a Unix socket",
        Eventfd = "an eventfd",
        Futex = "a futex",
        IntervalTimer = "an interval timer",
        OneShotTimer = "a timer that one thread arms and another waits for",
    }
}

/// Creates the error for an object that a core does not have.
pub(super) fn not_applicable(why: &str) -> io::Error {
    unsupported(format!("not applicable: {why}"))
}

/// Creates the error for what this machine does not offer; the words say what it needs.
pub(super) fn unsupported(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, why.into())
}
