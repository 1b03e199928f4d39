//! One process that runs frames: sets its conditions up, measures itself, and sends its recording
//! back.
//!
//! ```text
//! standard input   one line: the run's specification as JSON; when every process is ready,
//!                  one line: the stamp of the start; end of input: no process starts
//! standard output  one line: READY or REFUSED; then a recording
//! ```

use std::io::{BufRead, Write};
use std::net::SocketAddr;
use std::time::Duration;

use plan::{Found, Header, Machine, Recording, RunSpec, Track, Warning, fact, write_recording};
use rt::process::parent;
use rt::{clock, memory, posix, role, sched};

use super::exchange::Exchange;
use super::parameters::{frames, name, place};
use super::start::{Background, Start};
use super::work::{Work, median_ns};
use crate::measuring_thread::{MeasuringThread, reason};
use crate::pace::{Pace, STAMPS, Stamps};
use crate::tally::Tally;

pub(super) const READY: &str = "ready";
pub(super) const REFUSED: &str = "refused";

/// The frame role: runs the frames of process number `number`, which counts from 1, and ends with
/// the process that started it. `peer` is the address of the peer, empty for none.
///
/// # Errors
/// Says in one line why there is no recording.
pub fn serve_frames(
    number: usize,
    peer: &str,
    from: &mut impl BufRead,
    to: &mut impl Write,
) -> Result<(), String> {
    role::die_with_starter().map_err(|error| error.to_string())?;
    posix::start()?;
    serve(number, peer, from, to)
}

fn serve(
    number: usize,
    peer: &str,
    from: &mut impl BufRead,
    to: &mut impl Write,
) -> Result<(), String> {
    let mut line = String::new();
    from.read_line(&mut line).map_err(|error| error.to_string())?;
    let spec: RunSpec = serde_json::from_str(&line)
        .map_err(|error| format!("the run specification is damaged: {error}"))?;
    let recording = record(spec, number, peer, |ready| {
        let word = if ready { READY } else { REFUSED };
        writeln!(to, "{word}").and_then(|()| to.flush()).ok()?;
        let mut start = String::new();
        from.read_line(&mut start).ok()?;
        start.trim().parse().ok()
    })?;
    write_recording(&recording, to).map_err(|error| format!("cannot write the recording: {error}"))
}

/// Runs the frames of one process. `arrive` gets whether the process is ready, waits for the
/// others, and returns the stamp at which all start.
fn record(
    spec: RunSpec,
    number: usize,
    peer: &str,
    arrive: impl FnOnce(bool) -> Option<u64>,
) -> Result<Recording, String> {
    let mut warnings = Vec::new();
    if spec.asked.memory_lock {
        warnings.extend(lock_memory());
    }
    let exchange = exchange(peer, frames(&spec))?;
    if let Some(exchange) = &exchange
        && !exchange.is_answered()
    {
        warnings.push(Warning::PeerSilent { peer: peer.to_owned() });
    }
    let start = Start::by(spec.parameters.word("start"), spec.parameters.time("rate").0);
    let start = start.map_err(|error| format!("cannot create an interval timer: {error}"))?;
    let cpus = place(&spec, number);
    let background = start.sleeps().then(|| Background::on(cpus.clone()));
    let background = background.transpose().map_err(|error| error.to_string())?;
    let thread = MeasuringThread::prepared(cpus, spec.asked.policy, name(&spec, number), || {
        prepared(&spec, start, exchange, background)
    });
    let fine = warnings.is_empty();
    let lived = thread.live(|ready| arrive(ready && fine), sched::has_right_to_real_time());
    let (mut threads, mut tracks) = (Vec::new(), Vec::new());
    match lived {
        Ok((thread, framed)) => {
            threads.push(thread);
            tracks.extend(framed.map(|framed| framed.track(name(&spec, number))));
        }
        Err(warning) => warnings.push(warning),
    }
    Ok(Recording {
        header: Header {
            run_id: name(&spec, number),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            spec,
            machine: Machine::default().into(),
            started_unix_ns: clock::unix_time(),
        },
        found: Found { threads, ..Found::default() },
        warnings,
        tracks,
        evidence: Vec::new(),
    })
}

/// Locks this process's memory and checks that it is locked.
fn lock_memory() -> Option<Warning> {
    let refused = |reason| Some(Warning::MemoryLockRefused { reason });
    match memory::lock_all() {
        Err(error) => refused(reason(&error)),
        Ok(()) if memory::locked_bytes() == 0 => {
            refused("no locked memory was found when it was read back".to_owned())
        }
        Ok(()) => None,
    }
}

fn exchange(peer: &str, frames: u64) -> Result<Option<Exchange>, String> {
    if peer.is_empty() {
        return Ok(None);
    }
    let address: SocketAddr =
        peer.parse().map_err(|_| format!("`{peer}` is not the address of a peer"))?;
    let exchange = Exchange::with(address, frames).map_err(|error| {
        format!("--peer: cannot reach {peer}: {}{}", reason(&error), remedy(address))
    })?;
    Ok(Some(exchange))
}

/// A machine or a container may lack the route to itself.
fn remedy(peer: SocketAddr) -> &'static str {
    match peer.ip().is_loopback() {
        true => "; bring the loopback interface up (`ip link set lo up`), or use --peer none",
        false => "",
    }
}

/// The results of a process.
struct Framed {
    pace: Pace,
    t0: u64,
    work: Work,
    background_turns: Option<u64>,
    stamps: Stamps,
    exchange: Option<Exchange>,
    tally: Tally,
    /// Dropped after the measured loop, because its end takes calls of Linux.
    _background: Option<Background>,
}

/// Calibrates the work on the process's own CPUs and under its policy, then returns the measured
/// loop.
fn prepared(
    spec: &RunSpec,
    mut start: Start,
    mut exchange: Option<Exchange>,
    background: Option<Background>,
) -> impl FnOnce(u64) -> Framed + use<> {
    let pace = Pace::of(&spec.parameters, frames(spec));
    let mut stamps = Stamps::with_room(&STAMPS, pace.periods);
    // If the policy is refused here, it is refused again, and reported, when the measured loop sets
    // it.
    let _ = sched::set_policy(spec.asked.policy);
    let fill = spec.parameters.share("fill");
    let talk_ns = exchange.as_ref().map_or(0.0, |exchange| median_ns(|| exchange.try_out()));
    let work = Work::calibrated(pace.period as f64 * fill - talk_ns);
    let _ = sched::leave_real_time();
    if let Some(background) = &background {
        background.go();
    }
    let mut tally = Tally::of(spec, pace.periods, parent());
    move |t0| {
        start.arm(t0);
        tally.begin();
        let turns = || background.as_ref().map(Background::turns);
        let turns_before = turns();
        let (mut step, mut last) = (0, None);
        while let Some(due) = pace.due(t0, step, last) {
            start.wait(due);
            let start = clock::now();
            if let Some(exchange) = &mut exchange {
                exchange.turn();
            }
            work.run();
            let end = clock::now();
            stamps.push([due, start, end]);
            tally.after(due, end);
            step += 1;
            last = Some((due, end));
        }
        let background_turns = turns().zip(turns_before).map(|(end, start)| end - start);
        Framed {
            pace,
            t0,
            work,
            background_turns,
            stamps,
            exchange,
            tally,
            _background: background,
        }
    }
}

impl Framed {
    fn track(self, name: String) -> Track {
        let track = self.pace.onto(Track::new(name), self.t0);
        let track = self.stamps.onto(self.work.onto(track));
        let track = self.tally.onto(track);
        let track = match self.background_turns {
            Some(turns) => track.with(&fact::BACKGROUND_TURNS, turns),
            None => track,
        };
        match self.exchange {
            Some(exchange) => exchange.finished(Duration::from_nanos(self.pace.period), track),
            None => track,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::spec;
    use crate::room_for;
    use plan::{Value, read_recording};
    use std::io::{BufReader, pipe};

    /// Runs a process's frames on a thread of this process; `start` gets the word that it sends
    /// when it is ready, and returns the answer.
    fn framed(spec: &RunSpec, peer: &str, start: impl FnOnce(&str) -> String) -> Recording {
        let (from_us, mut to_it) = pipe().unwrap();
        let (from_it, mut to_us) = pipe().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut from_us = BufReader::new(from_us);
                serve(1, peer, &mut from_us, &mut to_us).unwrap();
            });
            let text = serde_json::to_string(spec).unwrap();
            writeln!(to_it, "{text}").unwrap();
            let mut from_it = BufReader::new(from_it);
            let mut word = String::new();
            from_it.read_line(&mut word).unwrap();
            write!(to_it, "{}", start(word.trim())).unwrap();
            drop(to_it);
            read_recording(&mut from_it, room_for(spec)).unwrap()
        })
    }

    fn quick(words: &[(&str, &str)]) -> RunSpec {
        let mut spec = spec("frame");
        let rate = Value::Rate("1kHz".parse().unwrap());
        spec.parameters.set("rate", rate);
        for (name, word) in words {
            spec.parameters.set(name, Value::Word((*word).to_owned()));
        }
        spec
    }

    fn soon(word: &str) -> String {
        assert_eq!(word, READY);
        format!("{}\n", clock::now() + 5_000_000)
    }

    #[test]
    fn every_way_to_start_conserves_what_is_due() {
        for start in
            [super::super::parameters::TIMER, super::super::SPIN, super::super::parameters::HYBRID]
        {
            let recording = framed(&quick(&[("start", start)]), "", soon);
            assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
            assert_eq!(recording.found.threads[0].name, "1 of 1");
            let track = &recording.tracks[0];
            let (starts, ends) = (track.values("start_ns"), track.values("end_ns"));
            let ordered = starts.iter().zip(ends).flat_map(|(start, end)| [start, end]);
            assert!(ordered.is_sorted());
            assert!(track.number("integer_iterations") > 0);
            let background = track.attributes.get("background_turns");
            assert_eq!(background.is_some(), start != super::super::SPIN);
            let rows = super::super::rows::of(&recording);
            assert_eq!(rows[0].due, 50);
            assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
        }
    }

    #[test]
    fn the_other_overrun_policies_end_too() {
        for overrun in ["catch-up", "slip"] {
            let recording = framed(&quick(&[("overrun", overrun)]), "", soon);
            assert_eq!(recording.tracks[0].values("end_ns").len(), 50, "{overrun}");
        }
        let stopped = framed(&quick(&[("overrun", "stop")]), "", soon);
        assert!((1..=50).contains(&stopped.tracks[0].values("end_ns").len()));
    }

    #[test]
    fn with_a_silent_peer_the_process_refuses_and_does_not_start() {
        let silent_peer = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let peer = silent_peer.local_addr().unwrap().to_string();
        let recording = framed(&quick(&[]), &peer, |word| {
            assert_eq!(word, REFUSED);
            String::new()
        });
        assert!(recording.tracks.is_empty());
        let silent = Warning::PeerSilent { peer };
        assert_eq!(recording.warnings, [silent]);
    }
}
