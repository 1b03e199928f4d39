//! What a knob keeps going as long as a run lasts.

use plan::Asked;
use rt::stamped::StampedSocket;

use super::disturbance::Disturbance;

/// Something that ends with the run, however that ends; dropped, it ends.
pub(super) enum Held {
    Socket(StampedSocket),
    Hogs(Disturbance),
}

impl Held {
    /// A socket whose datagrams bear time stamps.
    pub(super) fn socket() -> Result<Self, String> {
        let socket = StampedSocket::new().map_err(|error| probe::reason(&error))?;
        Ok(Self::Socket(socket))
    }

    pub(super) fn hogs(value: &str, asked: &Asked) -> Result<Self, String> {
        Disturbance::start(value, asked).map(Self::Hogs)
    }

    /// What is in force, and what was before.
    pub(super) fn read_back(&mut self) -> String {
        match self {
            Self::Socket(socket) if socket.is_stamped() => "held".to_owned(),
            Self::Socket(_) => "not held".to_owned(),
            Self::Hogs(hogs) => hogs.read_back(),
        }
    }

    pub(super) fn before(&self) -> &'static str {
        match self {
            Self::Socket(_) => "not held",
            Self::Hogs(_) => "none",
        }
    }
}
