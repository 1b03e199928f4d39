//! The viewer of a running tire: hears its datagrams ([`plan::live`]), and serves a page
//! that shows it live.
//!
//! One thread hears, one accepts browsers, and one a browser sends it what is new as
//! server-sent events. Whatever comes over the network can neither panic nor fill memory:
//! lists have bounds, waits have ends, and a slow browser misses frames.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may end where no thread can be started")
)]

mod browser;
mod message;
#[cfg(test)]
mod odd;
mod receiver;
mod request;
mod scene;

use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;

use rt::thread;

use scene::Stage;

/// A viewer at work; its threads work until the process ends.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    /// Where it listens for a tire (UDP).
    pub listen: SocketAddr,
    /// Where its page is (HTTP).
    pub page: SocketAddr,
}

/// Why there is no viewer.
#[derive(Debug, thiserror::Error)]
pub enum NotOpen {
    /// An address is not of this machine, or somebody else has its port.
    #[error("--{flag}: {address} cannot be had ({}); name an IP address of this machine and a port that is free", why.kind())]
    Taken {
        /// What names the address.
        flag: &'static str,
        /// The address.
        address: SocketAddr,
        /// What the system says.
        why: io::Error,
    },
    /// There is no room for its threads.
    #[error(transparent)]
    NoThread(#[from] io::Error),
}

impl Viewer {
    /// Opens a viewer; port 0 is any free one.
    ///
    /// # Errors
    /// Where an address is not of this machine, or somebody else has its port; without room for
    /// its threads.
    pub fn open(listen: SocketAddr, page: SocketAddr) -> Result<Self, NotOpen> {
        let not_open = |flag, address| move |why| NotOpen::Taken { flag, address, why };
        let socket = UdpSocket::bind(listen).map_err(not_open("listen", listen))?;
        let listener = TcpListener::bind(page).map_err(not_open("page", page))?;
        let viewer = Self {
            listen: socket.local_addr().map_err(not_open("listen", listen))?,
            page: listener.local_addr().map_err(not_open("page", page))?,
        };
        let stage = Arc::new(Stage::default());
        let heard = Arc::clone(&stage);
        thread::start("hear", move || receiver::hear(&socket, &heard))?;
        thread::start("serve", move || browser::serve(&listener, &stage))?;
        Ok(viewer)
    }
}
