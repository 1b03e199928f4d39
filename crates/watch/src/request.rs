//! As much of HTTP as a page needs: what a browser asks for, and answers.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest head of a request, in bytes.
const LONGEST: usize = 8 * 1024;

/// What a browser sends until a moment, however often it sends a little.
#[derive(Debug)]
pub struct Within<'a> {
    browser: &'a TcpStream,
    end: Instant,
}

impl<'a> Within<'a> {
    /// What it sends from now on for so long.
    pub fn new(browser: &'a TcpStream, longest: Duration) -> Self {
        let end = Instant::now() + longest;
        Self { browser, end }
    }
}

impl Read for Within<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.browser.set_read_timeout(Some(left))?;
        self.browser.read(bytes)
    }
}

/// The path that is asked for with GET; `None` where the head is anything else, or too
/// long.
///
/// # Errors
/// When the browser has gone, or takes too long.
pub fn path(from: &mut impl Read) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    let mut bytes = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let length = from.read(&mut bytes)?;
        if length == 0 || head.len() + length > LONGEST {
            return Ok(None);
        }
        head.extend_from_slice(&bytes[..length]);
    }
    Ok(asked_for(&head))
}

fn asked_for(head: &[u8]) -> Option<String> {
    let line = head.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let is_http = words.next()?.starts_with("HTTP/1.");
    let path = target.split('?').next()?;
    (method == "GET" && is_http).then(|| path.to_owned())
}

/// The page fetches nothing from anywhere else, and is shown in no other page.
const ONLY_FROM_HERE: &str = "Content-Security-Policy: default-src 'self'; img-src data:; frame-ancestors 'none'\r\n\
     X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n";

/// Answers with a whole text.
///
/// # Errors
/// When the browser has gone.
pub fn answer(to: &mut impl Write, status: &str, kind: &str, text: &str) -> io::Result<()> {
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\n\
         Content-Length: {length}\r\n{ONLY_FROM_HERE}\r\n"
    );
    to.write_all(head.as_bytes())?;
    to.write_all(text.as_bytes())
}

/// Answers with the head of a stream of events.
///
/// # Errors
/// When the browser has gone.
pub fn answer_events(to: &mut impl Write) -> io::Result<()> {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{ONLY_FROM_HERE}\r\n");
    to.write_all(head.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    #[test]
    fn a_path_is_read_and_everything_else_is_none() {
        let read = |text: &str| path(&mut text.as_bytes()).unwrap();
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(LONGEST));
        for (text, expected) in [
            ("GET /live?x=1 HTTP/1.1\r\nHost: here\r\n\r\n", Some("/live")),
            ("POST / HTTP/1.1\r\n\r\n", None),
            ("GET /\r\n\r\n", None),
            ("GET / HTTP/1.1\r\nHost", None),
            ("\r\n\r\n", None),
            ("", None),
            (&long, None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text:.40}");
        }
        assert_eq!(path(&mut &b"GET /\xff HTTP/1.1\r\n\r\n"[..]).unwrap(), None);
    }

    #[test]
    fn one_that_asks_a_little_at_a_time_is_let_go() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut dribbling = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (browser, _) = listener.accept().unwrap();
        let dribbles = thread::spawn(move || {
            // Each byte comes well before the end of a wait that starts anew with it.
            while dribbling.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(10));
            }
        });
        let error = path(&mut Within::new(&browser, Duration::from_millis(200))).unwrap_err();
        let is_late = [ErrorKind::TimedOut, ErrorKind::WouldBlock].contains(&error.kind());
        assert!(is_late, "{error}");
        drop(browser);
        dribbles.join().unwrap();
    }
}
