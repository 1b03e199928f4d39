//! Serves texts that are written when they are requested, such as metrics.

use std::net::{SocketAddr, TcpListener};

use base::CpuSet;
use rt::{sched, thread};

use crate::NotOpen;
use crate::browser::serve_each;
use crate::request::{Request, answer};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its type, such as `text/html`.
    pub kind: &'static str,
    pub text: String,
}

/// A running server; its threads run until the process ends.
#[derive(Debug, Clone, Copy)]
pub struct Server {
    /// The address on which it listens (HTTP).
    pub address: SocketAddr,
}

impl Server {
    /// Opens a server at the address that the user gave with `flag`; port 0 means any free port. Its
    /// threads run on these CPUs, if there are any. `site` returns the answer to a request, or
    /// `None` if there is nothing at its path.
    ///
    /// # Errors
    /// If the address does not belong to this machine, another program uses its port, or there is
    /// no room for the thread.
    pub fn open(
        flag: &'static str,
        address: SocketAddr,
        cpus: CpuSet,
        site: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static,
    ) -> Result<Self, NotOpen> {
        let taken = |why| NotOpen::Taken { flag, address, why };
        let listener = TcpListener::bind(address).map_err(taken)?;
        let server = Self { address: listener.local_addr().map_err(taken)? };
        thread::start("serve", move || {
            // If this is refused, the server is a load on all CPUs, as any program is.
            let _ = sched::set_affinity(&cpus);
            serve_each(&listener, move |mut browser, request| match site(&request) {
                Some(Answer { kind, text }) => answer(&mut browser, "200 OK", kind, &text),
                None => answer(&mut browser, "404 Not Found", "text/plain", "see /\n"),
            });
        })?;
        Ok(server)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpStream};

    #[test]
    fn a_site_is_asked_for_each_request() {
        let site = |request: &Request| {
            let text = format!("open: {}\n", request.accepts("application/openmetrics-text"));
            (request.path == "/metrics").then_some(Answer { kind: "text/plain", text })
        };
        let any_port = (Ipv4Addr::LOCALHOST, 0).into();
        let server = Server::open("metrics", any_port, CpuSet::default(), site).unwrap();
        let get = |path: &str, accept: &str| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let address = server.address;
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: {accept}\r\n\r\n")
                .unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let open = "text/plain;q=0.1, application/openmetrics-text; version=1.0.0";
        assert!(get("/metrics", open).ends_with("open: true\n"));
        assert!(get("/metrics", "*/*").ends_with("open: false\n"));
        assert!(get("/other", "*/*").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn connections_that_send_nothing_keep_nobody_out() {
        let site = |_: &Request| Some(Answer { kind: "text/plain", text: "here\n".to_owned() });
        let any_port = (Ipv4Addr::LOCALHOST, 0).into();
        let server = Server::open("metrics", any_port, CpuSet::default(), site).unwrap();
        let _silent = [(); 100].map(|()| TcpStream::connect(server.address).unwrap());
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("here\n"), "{text}");
    }
}
