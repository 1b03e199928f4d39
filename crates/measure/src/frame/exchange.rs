//! The input and output of a frame: a datagram that a peer returns; the next frame reads it.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use bench::address::connected;
use record::{Track, fact};

/// Start of a datagram. An answer is not a request: two peers cannot keep each other busy.
const REQUEST: [u8; 8] = *b"STEADreq";
const ANSWER: [u8; 8] = *b"STEADans";

type Datagram = [u8; 16];

fn datagram(kind: [u8; 8], number: u64) -> Datagram {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&kind);
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn number(bytes: &[u8], kind: [u8; 8]) -> Option<u64> {
    let number = bytes.strip_prefix(&kind)?;
    Some(u64::from_le_bytes(number.try_into().ok()?))
}

pub(super) struct Exchange {
    socket: UdpSocket,
    /// Frames so far, which is also the number of the next datagram.
    frames: u64,
    /// Whether datagrams may still be answered; frame n has place n modulo the length.
    unanswered: Vec<bool>,
    unsent: u64,
    in_time: u64,
    late: u64,
    /// Answers to datagrams that were already answered, or never sent.
    repeated: u64,
    /// Datagrams that do not answer a frame, and errors of the network.
    strange: u64,
}

/// Datagrams read per frame, so that a flood cannot keep it busy. One is due, others are late.
const MOST_A_FRAME: usize = 8;

/// How long to wait for a peer before it counts as absent: a busy host can take a second from it.
const PATIENCE: Duration = Duration::from_secs(5);
/// Number of the datagrams that are sent before the first frame.
const TRIAL: u64 = u64::MAX;

impl Exchange {
    /// Opens an exchange with the peer at that address; answers are awaited for `frames` frames.
    pub(super) fn with(peer: SocketAddr, frames: u64) -> io::Result<Self> {
        Ok(Self {
            socket: connected(peer)?,
            frames: 0,
            // Two more, for the waits at the end.
            unanswered: vec![false; frames as usize + 2],
            unsent: 0,
            in_time: 0,
            late: 0,
            repeated: 0,
            strange: 0,
        })
    }

    pub(super) fn is_answered(&self) -> bool {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            // A refusal is returned as an error of a later call; the peer may still start.
            let _ = self.socket.send(&datagram(REQUEST, TRIAL));
            thread::sleep(Duration::from_millis(20));
            if self.receive() == Some(Some(TRIAL)) {
                return true;
            }
        }
        false
    }

    /// Does what one datagram there and back costs this process, without the wait for the answer.
    pub(super) fn try_out(&self) {
        for _ in 0..MOST_A_FRAME {
            if self.receive().is_none() {
                break;
            }
        }
        let _ = self.socket.send(&datagram(REQUEST, TRIAL));
    }

    /// Reads the answers that arrived since the frame before, and sends this frame's datagram.
    #[inline]
    pub(super) fn turn(&mut self) {
        self.read();
        let is_sent = self.socket.send(&datagram(REQUEST, self.frames)).is_ok();
        self.unsent += u64::from(!is_sent);
        if let Some(unanswered) = self.place(self.frames) {
            *unanswered = is_sent;
        }
        self.frames += 1;
    }

    /// Returns the mark of a frame, if the latest frames include it.
    fn place(&mut self, number: u64) -> Option<&mut bool> {
        let length = self.unanswered.len() as u64;
        let is_kept = number + length >= self.frames;
        is_kept.then(|| &mut self.unanswered[(number % length) as usize])
    }

    fn read(&mut self) {
        for _ in 0..MOST_A_FRAME {
            match self.receive() {
                Some(number) => self.keep(number),
                None => break,
            }
        }
    }

    /// Counts a datagram. The answer to the frame before is in time. Each frame counts one answer.
    fn keep(&mut self, number: Option<u64>) {
        let sent = number.filter(|number| *number < self.frames);
        let unanswered = sent.and_then(|number| self.place(number));
        let count = match unanswered.map(std::mem::take) {
            None if number == Some(TRIAL) => return,
            None => &mut self.strange,
            Some(false) => &mut self.repeated,
            Some(true) if sent == self.frames.checked_sub(1) => &mut self.in_time,
            Some(true) => &mut self.late,
        };
        *count += 1;
    }

    /// Returns the number of the next answer that has arrived, `Some(None)` for a datagram that is
    /// not an answer or an error that the network reports, and `None` if nothing more has arrived.
    fn receive(&self) -> Option<Option<u64>> {
        // Larger than a datagram, so that a longer one is not mistaken for a valid one.
        let mut bytes = [0; 64];
        match self.socket.recv(&mut bytes) {
            Ok(length) => Some(number(&bytes[..length], ANSWER)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => None,
            Err(_) => Some(None),
        }
    }

    /// Waits one period for the last answer and 100 ms for late ones, and adds the counts.
    pub(super) fn finished(mut self, period: Duration, track: Track) -> Track {
        let sent = self.frames - self.unsent;
        for wait in [period.min(PATIENCE), Duration::from_millis(100)] {
            thread::sleep(wait);
            self.read();
            self.frames += 1;
        }
        track
            .with(&fact::DATAGRAMS_SENT, sent)
            .with(&fact::DATAGRAMS_UNSENT, self.unsent)
            .with(&fact::REPLIES_IN_TIME, self.in_time)
            .with(&fact::REPLIES_LATE, self.late)
            .with(&fact::REPLIES_LOST, sent - self.in_time - self.late)
            .with(&fact::REPLIES_REPEATED, self.repeated)
            .with(&fact::DATAGRAMS_STRANGE, self.strange)
    }
}

/// The peer: sends every datagram of a frame back to its sender.
#[derive(Debug)]
pub struct Echo {
    socket: UdpSocket,
}

/// How often a peer checks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl Echo {
    /// Opens a peer that listens at the address; port 0 chooses any free port.
    ///
    /// # Errors
    /// If the address does not belong to this machine, or its port is in use.
    pub fn listen(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(LOOK_EVERY))?;
        Ok(Self { socket })
    }

    /// # Errors
    /// If the kernel does not report the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends datagrams back while `wanted` returns true, and returns how many were sent.
    ///
    /// # Errors
    /// If nothing can be received any more.
    pub fn serve(&self, wanted: impl Fn() -> bool) -> io::Result<u64> {
        let mut echoed = 0;
        // Larger than a datagram, so that a longer one is not mistaken for a valid one.
        let mut bytes = [0; 64];
        while wanted() {
            match self.socket.recv_from(&mut bytes) {
                Ok((length, from)) => {
                    if let Some(number) = number(&bytes[..length], REQUEST) {
                        let answer = datagram(ANSWER, number);
                        echoed += u64::from(self.socket.send_to(&answer, from).is_ok());
                    }
                }
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(echoed)
    }
}

/// Returns whether receiving may go on: nothing arrived, or an earlier answer found no receiver.
fn is_passing(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionRefused, Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), ConnectionRefused | Interrupted | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn anywhere() -> SocketAddr {
        (Ipv4Addr::LOCALHOST, 0).into()
    }

    #[test]
    fn every_datagram_is_accounted_for() {
        let echo = Echo::listen(anywhere()).unwrap();
        let mut exchange = Exchange::with(echo.address().unwrap(), 10).unwrap();
        let wanted = AtomicBool::new(true);
        let (echoed, track) = thread::scope(|scope| {
            let peer = scope.spawn(|| echo.serve(|| wanted.load(Ordering::Relaxed)));
            // The peer may get no CPU for as long as it waits.
            assert!((0..3).any(|_| exchange.is_answered()));
            for _ in 0..10 {
                exchange.turn();
                thread::sleep(Duration::from_millis(5));
            }
            let track = exchange.finished(Duration::from_millis(5), Track::default());
            wanted.store(false, Ordering::Relaxed);
            (peer.join().unwrap().unwrap(), track)
        });
        let count = |name| track.number(name);
        assert_eq!((count("datagrams_sent"), count("datagrams_unsent")), (10, 0));
        let replies = ["replies_in_time", "replies_late", "replies_lost"].map(count);
        assert_eq!(replies.iter().sum::<i64>(), 10, "{track:?}");
        assert!(echoed as i64 > replies[0] + replies[1], "{echoed}: {track:?}");
    }

    /// Returns a peer that answers only when told to, and an exchange with it.
    fn with_peer(frames: u64) -> (UdpSocket, Exchange) {
        let peer = UdpSocket::bind(anywhere()).unwrap();
        let exchange = Exchange::with(peer.local_addr().unwrap(), frames).unwrap();
        (peer, exchange)
    }

    /// Exchanges frames with a peer that answers each datagram with what its number gives.
    fn exchanged(frames: u64, answers: impl Fn(u64) -> Vec<Vec<u8>>) -> Track {
        let (peer, mut exchange) = with_peer(frames);
        let mut bytes = [0; 64];
        for _ in 0..frames {
            exchange.turn();
            let (length, from) = peer.recv_from(&mut bytes).unwrap();
            let number = number(&bytes[..length], REQUEST).unwrap();
            for answer in answers(number) {
                peer.send_to(&answer, from).unwrap();
            }
        }
        exchange.finished(Duration::ZERO, Track::default())
    }

    fn counts(track: &Track) -> [i64; 5] {
        ["replies_in_time", "replies_late", "replies_lost", "replies_repeated", "datagrams_strange"]
            .map(|name| track.number(name))
    }

    #[test]
    fn an_answer_counts_once_however_often_it_comes() {
        let answer = |number| datagram(ANSWER, number).to_vec();
        let five = exchanged(20, |number| vec![answer(number); 5]);
        assert_eq!(counts(&five), [20, 0, 0, 80, 0]);
        let one_late = exchanged(20, |number| vec![answer(number.saturating_sub(1))]);
        assert_eq!(counts(&one_late), [1, 18, 1, 1, 0]);
    }

    #[test]
    fn other_datagrams_hide_no_answer_and_are_counted_separately() {
        let answers = |number| {
            vec![
                b"junk".to_vec(),
                vec![0; 40],
                datagram(ANSWER, 1000).to_vec(),
                datagram(ANSWER, number).to_vec(),
            ]
        };
        assert_eq!(counts(&exchanged(20, answers)), [20, 0, 0, 0, 60]);
    }

    #[test]
    fn a_flood_is_read_in_bounded_parts() {
        let (peer, mut exchange) = with_peer(1);
        exchange.turn();
        let (_, from) = peer.recv_from(&mut [0; 64]).unwrap();
        for _ in 0..3 * MOST_A_FRAME {
            peer.send_to(b"junk", from).unwrap();
        }
        exchange.read();
        assert_eq!(exchange.strange, MOST_A_FRAME as u64);
    }

    #[test]
    fn an_error_of_the_network_hides_no_answer() {
        let (peer, mut exchange) = with_peer(2);
        let address = peer.local_addr().unwrap();
        drop(peer);
        exchange.turn();
        let own = exchange.socket.local_addr().unwrap().port();
        let peer = UdpSocket::bind(address).unwrap();
        let answer = datagram(ANSWER, 0);
        peer.send_to(&answer, (Ipv4Addr::LOCALHOST, own)).unwrap();
        exchange.read();
        assert_eq!((exchange.in_time, exchange.strange), (1, 1));
    }

    #[test]
    fn a_silent_peer_is_noticed_and_its_answers_are_lost() {
        let (_silent, mut exchange) = with_peer(1);
        assert!(!exchange.is_answered());
        exchange.turn();
        assert_eq!(exchange.finished(Duration::ZERO, Track::default()).number("replies_lost"), 1);
    }

    #[test]
    fn an_answer_is_never_answered() {
        assert_eq!(number(&datagram(REQUEST, 7), REQUEST), Some(7));
        assert_eq!(number(&datagram(ANSWER, 7), REQUEST), None);
        assert_eq!(number(b"STEADreq too long to be one", REQUEST), None);
    }
}
