//! Plotly's script without the addresses of its map services.

use std::io::Read;

use lzma_rust2::XzReader;

const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/plotly.js.xz"));
/// Addresses that name a vocabulary of XML and are never fetched.
const XML_NAMESPACES: &str = "www.w3.org/";
/// What stands in the place of an address.
const NOWHERE: &str = "about:blank";

/// Plotly's script, ready to stand in the page, without any outside address.
pub(super) fn plotly() -> String {
    let mut script = String::new();
    let unpacked = XzReader::new(PACKED, false).read_to_string(&mut script);
    unpacked.expect("the script was packed when this was built");
    without_addresses(&script)
}

/// The script with each outside address replaced up to the end of its string.
fn without_addresses(script: &str) -> String {
    let mut clean = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((start, length)) = next_address(rest) {
        clean.push_str(&rest[..start]);
        rest = &rest[start..];
        let (_, after) = rest.split_at(length);
        if after.starts_with(XML_NAMESPACES) {
            clean.push_str(&rest[..length]);
            rest = after;
        } else {
            clean.push_str(NOWHERE);
            let end = after.find(ends_address).unwrap_or(after.len());
            rest = &after[end..];
        }
    }
    clean.push_str(rest);
    clean
}

/// Where the next address starts, and how long its scheme is.
fn next_address(text: &str) -> Option<(usize, usize)> {
    text.match_indices("http").find_map(|(start, _)| {
        let schemes = ["http://", "https://"];
        let scheme = schemes.iter().find(|s| text[start..].starts_with(**s))?;
        Some((start, scheme.len()))
    })
}

/// What cannot be part of an address in a script: quotes, blanks, brackets.
fn ends_address(letter: char) -> bool {
    letter.is_whitespace() || "\"'`<>()\\,;".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_and_namespaces_stay() {
        let script = r#"a="https://tiles.example/{z}.png?key=1";b='<a href="http://x.example">x</a>';
            c="http://www.w3.org/2000/svg"; // see https://y.example/z#w"#;
        let clean = r#"a="about:blank";b='<a href="about:blank">x</a>';
            c="http://www.w3.org/2000/svg"; // see about:blank"#;
        assert_eq!(without_addresses(script), clean);
    }

    #[test]
    fn plotly_is_whole_and_without_mathjax() {
        let script = plotly();
        assert!(script.contains("newPlot") && script.contains("toImage"));
        assert!(!script.contains("mjx-container") && !script.contains("</script"));
        for (place, _) in script.match_indices("://") {
            let before = &script[..place];
            let address = before.ends_with("http") || before.ends_with("https");
            assert!(!address || script[place + 3..].starts_with(XML_NAMESPACES));
        }
    }
}
