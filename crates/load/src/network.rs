//! Network load: a flood over loopback (FRA 4.1, flood ping).

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use rustix::net::{AddressFamily, SocketType, ipproto, socket};

use crate::{Argument, Load};

/// Bytes per datagram: with its headers it fills an Ethernet frame.
const PAYLOAD: usize = 1472;
/// Datagrams in flight at the same time; every receive buffer has room for them.
const AT_ONCE: usize = 32;
/// Batches sent per unit of work.
const ROUNDS: usize = 8;

pub(crate) const LOAD: Load = Load {
    name: "network",
    summary: "sends datagrams of 1472 bytes to itself over loopback, 32 at a time",
    unit: |argument| match argument {
        ICMP => "ICMP echo replies received",
        _ => "UDP datagrams received",
    },
    argument: Some(Argument {
        name: "udp|icmp",
        default: Some(UDP),
        help: "UDP datagrams, or a flood ping: ICMP echo requests that the kernel answers",
    }),
    needs: Some("a loopback device that is up; icmp: permission for a ping socket or a raw socket"),
    check: |argument| match argument {
        UDP | ICMP => Ok(()),
        other => Err(format!("`{other}` is not one of {UDP}, {ICMP}")),
    },
    prepare: |argument, _| {
        let flood = match argument {
            ICMP => Flood::icmp(),
            _ => Flood::udp(),
        }?;
        Ok(Box::new(move || flood.unit()))
    },
    ..Load::PLAIN
};

const UDP: &str = "udp";
const ICMP: &str = "icmp";

/// RFC 792. The header has a code (0), a checksum, an identifier and a sequence number.
const ECHO_REQUEST: u8 = 8;
const ECHO_REPLY: u8 = 0;
const ICMP_HEADER: usize = 8;

/// A socket that sends to itself, or to the kernel, which answers.
struct Flood {
    socket: UdpSocket,
    datagram: [u8; PAYLOAD],
    /// Returns true if a received message is one that this process waits for.
    counts: fn(&[u8]) -> bool,
}

impl Flood {
    fn udp() -> Result<Self, String> {
        let socket = UdpSocket::bind((own_address(), 0)).map_err(|e| no_loopback(&e))?;
        let itself = socket.local_addr().map_err(|e| no_loopback(&e))?;
        socket.connect(itself).map_err(|e| no_loopback(&e))?;
        Self::over(socket, [0; PAYLOAD], |_| true)
    }

    fn icmp() -> Result<Self, String> {
        let open = |kind| socket(AddressFamily::INET, kind, Some(ipproto::ICMP));
        let (socket, counts): (_, fn(&[u8]) -> bool) = match open(SocketType::DGRAM) {
            Ok(ping) => (ping, is_reply),
            // Messages from a raw socket begin with the IP header.
            Err(_) => {
                (open(SocketType::RAW).map_err(|error| format!("{NO_ICMP}: {error}"))?, |packet| {
                    is_reply(packet.get(ip_header(packet)..).unwrap_or_default())
                })
            }
        };
        let address = SocketAddr::from((own_address(), 0));
        rustix::net::bind(&socket, &address).map_err(|e| no_loopback(&e.into()))?;
        rustix::net::connect(&socket, &address).map_err(|e| no_loopback(&e.into()))?;
        Self::over(UdpSocket::from(socket), echo_request(), counts)
    }

    fn over(
        socket: UdpSocket,
        datagram: [u8; PAYLOAD],
        counts: fn(&[u8]) -> bool,
    ) -> Result<Self, String> {
        let unready = |error: std::io::Error| error.to_string();
        socket.set_nonblocking(true).map_err(unready)?;
        Ok(Self { socket, datagram, counts })
    }

    /// Sends as much as fits, and counts what has arrived.
    fn unit(&self) -> Result<u64, String> {
        let mut received = 0;
        for _ in 0..ROUNDS {
            for _ in 0..AT_ONCE {
                match self.socket.send(&self.datagram) {
                    Ok(_) => {}
                    Err(error) if is_full(&error) => break,
                    Err(error) => return Err(no_loopback(&error)),
                }
            }
            received += self.receive()?;
        }
        Ok(received)
    }

    fn receive(&self) -> Result<u64, String> {
        const LONGEST_IP_HEADER: usize = 60;
        let mut buffer = [0; PAYLOAD + LONGEST_IP_HEADER];
        let mut received = 0;
        loop {
            match self.socket.recv(&mut buffer) {
                Ok(length) => received += u64::from((self.counts)(&buffer[..length])),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(received),
                Err(error) => return Err(no_loopback(&error)),
            }
        }
    }
}

const NO_ICMP: &str = "not available: needs a ping socket (`sudo sysctl \
     net.ipv4.ping_group_range='0 2147483647'`) or a raw socket (`sudo`, or the capability \
     cap_net_raw)";

/// A loopback address that nothing else uses: every raw socket receives what is sent to its address.
fn own_address() -> Ipv4Addr {
    const LOOPBACK: u32 = 0x7F00_0000;
    // The kernel's process numbers go up to 2^22.
    Ipv4Addr::from_bits(LOOPBACK + std::process::id())
}

/// Returns an echo request with its checksum (RFC 1071) over a payload of zeros.
fn echo_request() -> [u8; PAYLOAD] {
    let mut request = [0; PAYLOAD];
    request[0] = ECHO_REQUEST;
    let checksum = !(u16::from(ECHO_REQUEST) << 8);
    request[2..4].copy_from_slice(&checksum.to_be_bytes());
    request
}

fn is_reply(message: &[u8]) -> bool {
    message.len() >= ICMP_HEADER && message[0] == ECHO_REPLY
}

/// Returns the length of an IPv4 header: its second half byte, in words of 4 bytes.
fn ip_header(packet: &[u8]) -> usize {
    usize::from(packet.first().unwrap_or(&0) & 0xF) * 4
}

fn is_full(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::WouldBlock
        || error.raw_os_error() == Some(rustix::io::Errno::NOBUFS.raw_os_error())
}

fn no_loopback(error: &std::io::Error) -> String {
    format!("loopback: {error}; is the device up (`ip link set lo up`)?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_request_sums_up_to_ones() {
        let words = echo_request();
        let sum: u32 =
            words.chunks(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]]))).sum();
        assert_eq!(sum, 0xFFFF);
    }

    #[test]
    fn requests_and_fragments_are_not_replies() {
        assert!(!is_reply(&echo_request()));
        assert!(is_reply(&[0; ICMP_HEADER]));
        assert!(!is_reply(&[]));
        assert_eq!(ip_header(&[0x45]), 20);
    }
}
