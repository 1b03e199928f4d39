//! Addresses of other machines, as they are typed.

use std::net::{SocketAddr, ToSocketAddrs};

/// The address of a `HOST:PORT` that was typed behind this flag.
///
/// # Errors
/// Names the flag, where there is no such host.
pub(crate) fn resolved(flag: &str, address: &str) -> Result<SocketAddr, String> {
    let found = address.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        format!("--{flag}: there is no host of `{address}`; name one, or its IP address")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved_or_named() {
        assert_eq!(resolved("peer", "127.0.0.1:9").unwrap().port(), 9);
        let error = resolved("peer", "no such host:9").unwrap_err();
        assert!(error.starts_with("--peer: there is no host of `no such host:9`"), "{error}");
    }
}
