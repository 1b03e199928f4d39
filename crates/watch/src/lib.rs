//! The viewer of a running tire: receives its datagrams ([`record::live`]), and serves a page that
//! shows it live.
//!
//! One thread receives, one accepts browsers, and one per browser sends it news as server-sent
//! events. Nothing that comes over the network can cause a panic or fill memory: lists are bounded,
//! waits end, and a slow browser misses frames.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may panic if no thread can be started")
)]

mod browser;
mod message;
#[cfg(test)]
mod odd;
mod request;
mod scene;
mod server;
mod silent;

use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use record::live::{Datagram, MOST_BYTES};
use rt::thread;

use scene::Stage;

pub use request::Request;
pub use server::{Answer, Server};

/// A running viewer; its threads run until the process ends.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    /// The address on which it listens for a tire (UDP).
    pub listen: SocketAddr,
    /// The address of its page (HTTP).
    pub page: SocketAddr,
}

/// Why the viewer could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpen {
    #[error("--{flag}: {address} cannot be used ({}); name an IP address of this machine and a free port", why.kind())]
    Taken { flag: &'static str, address: SocketAddr, why: io::Error },
    #[error(transparent)]
    NoThread(#[from] io::Error),
}

impl Viewer {
    /// Opens a viewer; port 0 means any free port.
    ///
    /// # Errors
    /// If an address does not belong to this machine, another program uses its port, or there is no
    /// room for the threads.
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
        thread::start("hear", move || receive(&socket, &heard))?;
        thread::start("serve", move || browser::serve(&listener, &stage))?;
        Ok(viewer)
    }
}

/// Pause after a socket error, so that a permanent error does not keep a CPU busy.
const REST: Duration = Duration::from_millis(100);

/// Receives datagrams forever.
fn receive(socket: &UdpSocket, stage: &Stage) {
    // A longer datagram is cut off here, and therefore refused.
    let mut bytes = [0; MOST_BYTES + 1];
    loop {
        match socket.recv(&mut bytes) {
            Ok(length) => stage.hear(Datagram::decode(&bytes[..length]), Instant::now()),
            Err(_) => sleep(REST),
        }
    }
}
