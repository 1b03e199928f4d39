//! Resolves the addresses of other machines that users type.

use std::net::{SocketAddr, ToSocketAddrs};

/// Resolves the `HOST:PORT` given to the option `--flag`.
///
/// # Errors
/// If the host cannot be resolved; the message names the option.
pub(crate) fn resolved(flag: &str, address: &str) -> Result<SocketAddr, String> {
    let found = address.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        format!("--{flag}: cannot resolve `{address}`; use a known host name or an IP address")
    })
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
