//! Resolves the addresses of other machines that users type.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

/// Resolves the `HOST:PORT` given to the option `--flag`.
///
/// # Errors
/// Names the option if the host is unknown.
pub fn resolved(flag: &str, address: &str) -> Result<SocketAddr, String> {
    address.to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or_else(|| {
        format!("--{flag}: cannot resolve `{address}`; use a known host name or an IP address")
    })
}

/// Opens a socket that sends to an address and never waits.
///
/// # Errors
/// If the kernel refuses the socket, or has no route to the address.
pub fn connected(to: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = match to {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any)?;
    // On a connected socket, the kernel reports a missing listener.
    socket.connect(to)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved_or_named() {
        assert_eq!(resolved("peer", "127.0.0.1:9").unwrap().port(), 9);
        let error = resolved("peer", "no such host:9").unwrap_err();
        assert!(error.starts_with("--peer: cannot resolve `no such host:9`"), "{error}");
    }
}
