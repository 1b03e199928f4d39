//! The part of HTTP that the page needs: requests of browsers, and answers.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Longest head of a request, in bytes.
const LONGEST: usize = 8 * 1024;

/// Reads what a browser sends until a deadline, however often it sends a little.
#[derive(Debug)]
pub struct Within<'a> {
    browser: &'a TcpStream,
    end: Instant,
}

impl<'a> Within<'a> {
    /// Reads what it sends from now on for `longest`.
    pub fn new(browser: &'a TcpStream, longest: Duration) -> Self {
        Self { browser, end: Instant::now() + longest }
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

/// A GET request of a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The path, without a query.
    pub path: String,
    /// The name or address by which the browser knows this server; empty without one.
    host: String,
    /// The types of answers that it accepts, as it sent them.
    accept: String,
}

impl Request {
    /// Whether it names this type among those that it accepts.
    pub fn accepts(&self, kind: &str) -> bool {
        self.accept.split(',').any(|accepted| accepted.trim().starts_with(kind))
    }

    /// Whether the browser knows this server by the address to which it is connected, or as
    /// localhost. A page from elsewhere whose name resolves to this server knows it by that name
    /// (DNS rebinding).
    pub fn is_for(&self, address: SocketAddr) -> bool {
        let port = format!(":{}", address.port());
        let name = self.host.strip_suffix(&port).unwrap_or(&self.host);
        let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        // A socket for both protocols shows an IPv4 address as one of IPv6.
        let is_it = |ip: IpAddr| ip.to_canonical() == address.ip().to_canonical();
        name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(is_it)
    }
}

/// Reads a GET request; `None` if the head is anything else, or too long.
///
/// # Errors
/// If the browser has gone, or takes too long.
pub fn request(from: &mut impl Read) -> io::Result<Option<Request>> {
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

fn asked_for(head: &[u8]) -> Option<Request> {
    let line = head.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let is_http = words.next()?.starts_with("HTTP/1.");
    let path = target.split('?').next()?;
    let text = std::str::from_utf8(head).ok()?;
    let values = |wanted: &'static str| {
        text.lines().skip(1).filter_map(move |line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
        })
    };
    let mut hosts = values("host");
    // Of several, each would have to be right: RFC 9112, section 3.2.
    let host = hosts.next().filter(|_| hosts.next().is_none());
    let accept = values("accept").collect::<Vec<_>>().join(",");
    let request = || Request { path: path.to_owned(), host: host.unwrap_or_default(), accept };
    (method == "GET" && is_http).then(request)
}

/// The page loads nothing from elsewhere, and other pages cannot embed it.
const ONLY_FROM_HERE: &str = "Content-Security-Policy: default-src 'self'; img-src data:; frame-ancestors 'none'\r\n\
     X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n";

/// Answers with a complete text.
///
/// # Errors
/// If the browser has gone.
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
/// If the browser has gone.
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
    fn a_path_is_read_and_everything_else_is_refused() {
        let read = |text: &str| request(&mut text.as_bytes()).unwrap().map(|request| request.path);
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
        assert_eq!(request(&mut &b"GET /\xff HTTP/1.1\r\n\r\n"[..]).unwrap(), None);
    }

    #[test]
    fn a_request_with_two_hosts_has_none() {
        let head = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n";
        assert_eq!(asked_for(head).unwrap().host, "");
    }

    #[test]
    fn only_the_address_itself_and_localhost_are_served() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let is_at = |head: &str, address| {
            let head = format!("GET / HTTP/1.1\r\n{head}\r\n");
            request(&mut head.as_bytes()).unwrap().unwrap().is_for(address)
        };
        let is_for = |host: &str| is_at(&format!("Host: {host}\r\n"), address);
        for host in ["127.0.0.1:8080", "127.0.0.1", "localhost:8080", "LOCALHOST"] {
            assert!(is_for(host), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8080", "127.0.0.1:81", "127.0.0.2", "", "localhost.evil"]
        {
            assert!(!is_for(host), "{host}");
        }
        assert!(!is_at("", address));
        assert!(is_at("Host: 127.0.0.1:8080\r\n", "[::ffff:127.0.0.1]:8080".parse().unwrap()));
        assert!(is_at("host: [::1]:80\r\n", "[::1]:80".parse().unwrap()));
    }

    #[test]
    fn a_browser_that_sends_a_little_at_a_time_is_disconnected() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut dribbling = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (browser, _) = listener.accept().unwrap();
        let dribbles = thread::spawn(move || {
            // Each byte comes well before the end of a wait that would restart with it.
            while dribbling.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(10));
            }
        });
        let error = request(&mut Within::new(&browser, Duration::from_millis(200))).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock), "{error}");
        drop(browser);
        dribbles.join().unwrap();
    }
}
