//! Knobs that are processes or open files, held as long as a run lasts.

use plan::Asked;
use rt::stamped::StampedSocket;

use super::disturbance::Disturbance;

/// Something that ends with the run, however the run ends. Dropping it ends it.
pub(super) enum Held {
    Socket(StampedSocket),
    Hogs(Disturbance),
}

impl Held {
    pub(super) fn socket() -> Result<Self, String> {
        StampedSocket::new().map(Self::Socket).map_err(|error| probe::reason(&error))
    }

    pub(super) fn hogs(value: &str, asked: &Asked) -> Result<Self, String> {
        Disturbance::start(value, asked).map(Self::Hogs)
    }

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
