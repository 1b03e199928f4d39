//! The processes of a run: started side by side, let go together, and heard.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use plan::{Recording, RunSpec, Track, read_recording};
use rt::process::{THIS_PROGRAM, this};
use rt::{clock, system};

use super::exchange::Echo;
use super::process::{READY, REFUSED};
use super::{LOCAL, NO_PEER, name, throttling};
use crate::address::resolved;
use crate::gate::LEAD_NS;
use crate::{Abort, Bench};

/// Runs every process of a run, and returns their tracks in order.
pub(super) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    run_with(bench, THIS_PROGRAM).map_err(|why| why.map_or(Abort::Conditions, Abort::Failed))
}

/// The same with any program in the frame role. `Err(None)`: a condition was refused.
fn run_with(bench: &Bench, program: &str) -> Result<Vec<Track>, Option<String>> {
    let spec = &bench.spec;
    let peer = Peer::of(spec)?;
    let count = spec.parameters.count("processes") as usize;
    let mut team = (1..=count)
        .map(|number| Member::start(program, spec, number, &peer.address))
        .collect::<Result<Vec<_>, _>>()?;
    let ready = team
        .iter_mut()
        .map(Member::is_ready)
        .collect::<Result<Vec<bool>, _>>()?;
    let start = ready
        .iter()
        .all(|ready| *ready)
        .then(|| clock::now() + LEAD_NS);
    team.iter_mut().for_each(|member| member.tell(start));
    let recordings = team
        .iter_mut()
        .map(Member::recording)
        .collect::<Result<Vec<Recording>, _>>()?;
    let (mut found, mut tracks) = (Vec::new(), Vec::new());
    for recording in recordings {
        bench.warn(recording.warnings);
        found.extend(recording.found.threads);
        tracks.extend(recording.tracks);
    }
    if tracks.len() < count {
        return Err(None);
    }
    bench.warn(throttling::found(
        spec,
        &tracks,
        &found,
        system::rt_granted_percent(),
    ));
    bench.keep(found);
    Ok(tracks)
}

/// A process in the frame role. Dropped, it is ended.
struct Member {
    name: String,
    process: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Drop for Member {
    fn drop(&mut self) {
        // A process that is already gone is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Member {
    fn start(program: &str, spec: &RunSpec, number: usize, peer: &str) -> Result<Self, String> {
        let name = name(spec, number);
        let failed = |why: String| format!("process {name} could not be started: {why}");
        let mut process = Command::new(program)
            .arg0("steadfast")
            .args(["role-frame", &number.to_string(), peer])
            .arg(this().as_raw_nonzero().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (mut to, from) = pipes.ok_or_else(|| failed("it has no pipes".to_owned()))?;
        let text = serde_json::to_string(spec).map_err(|error| failed(error.to_string()))?;
        // One that ends before it reads is noticed when it should be ready.
        let _ = writeln!(to, "{text}");
        Ok(Self {
            name,
            process,
            to: Some(to),
            from: BufReader::new(from),
        })
    }

    /// Waits until the process has, or has not, got its conditions.
    fn is_ready(&mut self) -> Result<bool, String> {
        let mut word = String::new();
        // What cannot be read is no word either.
        let _ = self.from.read_line(&mut word);
        match word.trim_end() {
            READY => Ok(true),
            REFUSED => Ok(false),
            _ => Err(self.ended("before it was ready")),
        }
    }

    /// Tells the stamp of the start, or that nobody starts.
    fn tell(&mut self, start: Option<u64>) {
        if let (Some(mut to), Some(start)) = (self.to.take(), start) {
            // One that has ended is noticed when its recording is missing.
            let _ = writeln!(to, "{start}");
        }
    }

    fn recording(&mut self) -> Result<Recording, String> {
        read_recording(&mut self.from).map_err(|_| self.ended("before it had sent its recording"))
    }

    fn ended(&mut self, when: &str) -> String {
        let _ = self.process.kill();
        let how = self.process.wait();
        let how = how.map_or_else(|error| error.to_string(), |status| status.to_string());
        format!("process {} ended {when}: {how}", self.name)
    }
}

/// Who sends datagrams back; the peer on this machine lives as long as this value.
struct Peer {
    /// Empty for nobody.
    address: String,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Peer {
    /// The peer asked for; one on this machine runs here, beside the controlling
    /// thread.
    fn of(spec: &RunSpec) -> Result<Self, String> {
        let stop = Arc::<AtomicBool>::default();
        let (address, thread) = match spec.parameters.word("peer") {
            NO_PEER => (String::new(), None),
            LOCAL => {
                let failed = |error| format!("no datagram can be sent on this machine: {error}");
                let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let echo = Echo::listen(any_port).map_err(failed)?;
                let address = echo.address().map_err(failed)?;
                let stopped = stop.clone();
                let thread = thread::spawn(move || {
                    // A peer that fails is silent, which every process notices.
                    let _ = echo.serve(|| !stopped.load(Ordering::Relaxed));
                });
                (address.to_string(), Some(thread))
            }
            other => (resolved("peer", other)?.to_string(), None),
        };
        Ok(Self {
            address,
            stop,
            thread,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::spec;

    #[test]
    fn a_program_that_runs_no_frames_is_named() {
        let bench = Bench::new(spec("frame"));
        let why = |program| run_with(&bench, program).unwrap_err().unwrap();
        let ended = why("/bin/true");
        assert!(ended.starts_with("process 1 of 1 ended"), "{ended}");
        assert!(why("/no/such/program").contains("could not be started"));
    }
}
