//! Receives datagrams.

use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant};

use plan::live::{Datagram, MOST_BYTES};

use crate::scene::Stage;

/// Pause after a socket error, so that a permanent error does not keep a CPU busy.
const REST: Duration = Duration::from_millis(100);

/// Receives datagrams forever.
pub fn hear(socket: &UdpSocket, stage: &Stage) {
    // A longer datagram is cut off here, and therefore refused.
    let mut bytes = [0; MOST_BYTES + 1];
    loop {
        match socket.recv(&mut bytes) {
            Ok(length) => stage.hear(Datagram::decode(&bytes[..length]), Instant::now()),
            Err(_) => thread::sleep(REST),
        }
    }
}
