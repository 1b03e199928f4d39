//! One process that runs frames: sets its conditions up, measures itself, and sends its recording
//! back.
//!
//! ```text
//! standard input   one line: the run's specification as JSON; when every process is ready,
//!                  one line: the stamp of the start; end of input: no process starts
//! standard output  one line: READY with the amount of work, or REFUSED; then a recording
//! ```

use std::convert::Infallible;
use std::io::{BufRead, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use base::CpuSet;
use bench::interval::{self, Interval, Reader, Writer};
use bench::measuring_thread::{MeasuringThread, reason};
use bench::pace::{Pace, STAMPS, Stamps};
use bench::tally::Tally;
use record::{Recording, RunSpec, Track, Warning, fact, write_recording};
use rt::process::parent;
use rt::rights::{Capability, barrier_to};
use rt::{clock, memory, posix, role, sched};

use super::exchange::Exchange;
use super::parameters::{name, pace, place};
use super::start::{Background, Start};
use super::work::{Work, median_ns};

pub(super) const READY: &str = "ready";
pub(super) const REFUSED: &str = "refused";

/// The frame role: runs the frames of process number `number`, which counts from 1, and ends with
/// the process that started it. `peer` is the address of the peer, empty for none, and `work` is the
/// amount of work of a frame, empty to calibrate it. If `intervals` is given, it runs that many
/// without a pause, and sends a recording for each.
///
/// # Errors
/// Says in one line why there is no recording.
pub fn serve_frames(
    number: usize,
    peer: &str,
    work: &str,
    intervals: Option<u64>,
    from: &mut impl BufRead,
    to: &mut (impl Write + Send),
) -> Result<(), String> {
    role::die_with_starter().map_err(|error| error.to_string())?;
    posix::start()?;
    serve(number, peer, work, intervals, from, to)
}

fn serve(
    number: usize,
    peer: &str,
    work: &str,
    intervals: Option<u64>,
    from: &mut impl BufRead,
    to: &mut (impl Write + Send),
) -> Result<(), String> {
    let mut line = String::new();
    from.read_line(&mut line).map_err(|error| error.to_string())?;
    let spec = RunSpec::of_key(&line)?;
    let mut arrive = |to: &mut dyn Write, ready: Option<Work>| {
        let word = ready.map_or(REFUSED.to_owned(), |work| format!("{READY} {work}"));
        writeln!(to, "{word}").and_then(|()| to.flush()).ok()?;
        let mut start = String::new();
        from.read_line(&mut start).ok()?;
        start.trim().parse().ok()
    };
    let process = Process::set_up(spec, number, peer, work)?;
    match intervals {
        None => {
            let recording = process.record(|ready| arrive(to, ready));
            let written = write_recording(&recording, to);
            written.map_err(|error| format!("cannot write the recording: {error}"))
        }
        Some(intervals) => process.record_intervals(intervals, arrive, to),
    }
}

/// A process whose conditions are set up, except those of its measured thread.
struct Process {
    spec: RunSpec,
    name: String,
    cpus: CpuSet,
    warnings: Vec<Warning>,
    frames: Frames,
    work: OnceLock<Work>,
}

impl Process {
    fn set_up(spec: RunSpec, number: usize, peer: &str, work: &str) -> Result<Self, String> {
        let work = match work {
            "" => OnceLock::new(),
            known => OnceLock::from(known.parse::<Work>()?),
        };
        let mut warnings = Vec::new();
        if spec.asked.memory_lock {
            warnings.extend(lock_memory());
        }
        let exchange = exchange(peer, pace(&spec).periods)?;
        if let Some(exchange) = &exchange
            && !exchange.is_answered()
        {
            warnings.push(Warning::PeerSilent { peer: peer.to_owned() });
        }
        let pace = pace(&spec);
        let start = Start::by(spec.parameters.start(), pace.period_ns());
        let start = start.map_err(|error| format!("cannot create an interval timer: {error}"))?;
        let cpus = place(&spec, number);
        let background = start.sleeps().then(|| Background::on(cpus.clone()));
        let background = background.transpose().map_err(|error| error.to_string())?;
        let name = name(&spec, number);
        let frames = Frames { pace, start, exchange, background, work: Work::default() };
        Ok(Self { spec, name, cpus, warnings, frames, work })
    }

    /// `arrive` gets the work if the process is ready, waits, and returns the stamp of the start.
    fn record(self, arrive: impl FnOnce(Option<Work>) -> Option<u64>) -> Recording {
        let Self { spec, name, cpus, mut warnings, frames, work } = self;
        let policy = spec.asked.policy;
        let thread = MeasuringThread::prepared(cpus, policy, name.clone(), || {
            let periods = frames.pace.periods;
            let stamps = Stamps::with_room(&STAMPS, periods);
            let frames = frames.calibrated(&spec, &work);
            frames.of_run(stamps, Tally::of(&spec, periods, parent()))
        });
        let has_no_warning = warnings.is_empty();
        let arrive = |ready| arrive(work.get().copied().filter(|_| ready && has_no_warning));
        let mut framed = None;
        let thread = thread.with_result_in(&mut framed);
        let lived = thread.live(Box::new(arrive), sched::has_right_to_real_time());
        let mut threads = Vec::new();
        match lived {
            Ok(thread) => threads.push(thread),
            Err(warning) => warnings.push(warning),
        }
        let tracks = framed.map(|framed| framed.track(name.clone())).into_iter().collect();
        recording(&spec, name, Interval { tracks, threads, warnings })
    }

    /// Writes a recording of each interval; one without tracks if the process could not start.
    fn record_intervals<W: Write + Send>(
        self,
        intervals: u64,
        arrive: impl FnOnce(&mut dyn Write, Option<Work>) -> Option<u64>,
        to: &mut W,
    ) -> Result<(), String> {
        let Self { spec, name, cpus, mut warnings, frames, work } = self;
        let (pace, policy) = (frames.pace, spec.asked.policy);
        let samples = interval::Exchange::new();
        let mut reader = [Reader::of(&samples, &name, policy, cpus.clone())];
        let to = Mutex::new(to);
        let thread = MeasuringThread::prepared(cpus, policy, name.clone(), || {
            let frames = frames.calibrated(&spec, &work);
            let writer = Writer::prepared(samples, &STAMPS, &spec, pace.periods, parent());
            frames.in_intervals(intervals, writer)
        });
        let has_no_warning = warnings.is_empty();
        let ready = |is_ready| work.get().copied().filter(|_| is_ready && has_no_warning);
        let arrive = |is_ready| arrive(*output(&to), ready(is_ready));
        let (is_over, send) = (AtomicBool::new(false), |measured| {
            let recording = recording(&spec, name.clone(), measured);
            let mut packed = Vec::new();
            let written = write_recording(&recording, &mut packed);
            let mut to = output(&to);
            // If the pipe is closed, the run is over, and this process ends with its starter.
            let _ = written.and_then(|()| to.write_all(&packed)).and_then(|()| to.flush());
        });
        let track = |_, samples: &interval::Samples<3>| {
            let track = pace.onto(Track::new(&*name), samples.t0);
            samples.onto(work.get().map_or(track.clone(), |work| work.onto(track)))
        };
        let (span, mut done) = (pace.span(), None);
        let thread = thread.with_result_in(&mut done);
        let lived = thread::scope(|scope| {
            let read = || interval::read_all(&mut reader, span, &is_over, track, &mut &send);
            let reading = rt::thread::start_in(scope, "intervals", read);
            let lived = thread.live(Box::new(arrive), sched::has_right_to_real_time());
            is_over.store(true, Ordering::Release);
            reading.map(|_| lived)
        });
        if let Err(warning) = lived.map_err(|error| error.to_string())? {
            warnings.push(warning);
        } else if done.is_some() {
            return Ok(());
        }
        send(Interval { warnings, ..Interval::default() });
        Ok(())
    }
}

fn output<W>(to: &Mutex<W>) -> MutexGuard<'_, W> {
    to.lock().unwrap_or_else(PoisonError::into_inner)
}

fn recording(spec: &RunSpec, name: String, measured: Interval) -> Recording {
    let mut recording = Recording::empty(name, spec.clone());
    recording.header.tool_version = env!("CARGO_PKG_VERSION").into();
    recording.header.started_unix_ns = clock::unix_time();
    recording.found.threads = measured.threads;
    Recording { warnings: measured.warnings, tracks: measured.tracks, ..recording }
}

fn lock_memory() -> Option<Warning> {
    let reason = match memory::lock_all() {
        Err(error) => reason(&error),
        Ok(()) if memory::locked_bytes() > 0 => return None,
        Ok(()) => "no locked memory was found when it was read back".to_owned(),
    };
    Some(Warning::MemoryLockRefused { reason, barrier: barrier_to(Capability::IpcLock) })
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
    const LOOPBACK: &str =
        "; bring the loopback interface up (`ip link set lo up`), or use --peer none";
    if peer.ip().is_loopback() { LOOPBACK } else { "" }
}

struct Framed {
    /// Dropped after the measured loop, because the end of the background takes calls of Linux.
    frames: Frames,
    t0: u64,
    background_turns: Option<u64>,
    stamps: Stamps,
    tally: Tally,
}

struct Frames {
    pace: Pace,
    start: Start,
    exchange: Option<Exchange>,
    background: Option<Background>,
    work: Work,
}

impl Frames {
    /// Calibrates the work on the process's own CPUs and under its policy, unless it is known.
    fn calibrated(mut self, spec: &RunSpec, work: &OnceLock<Work>) -> Self {
        // A refused policy is refused again, and reported, when the measured loop sets it.
        let _ = sched::set_policy(spec.asked.policy);
        let fill = spec.parameters.fill();
        let talk_ns = self.exchange.as_ref().map_or(0.0, |peer| median_ns(|| peer.try_out()));
        let target_ns = self.pace.period_ns() as f64 * fill - talk_ns;
        self.work = *work.get_or_init(|| Work::calibrated(target_ns));
        let _ = sched::leave_real_time();
        if let Some(background) = &self.background {
            background.go();
        }
        self
    }

    /// Makes the frame that is due at that stamp; returns its actual start and its end.
    #[inline]
    fn make(&mut self, due: u64) -> (u64, u64) {
        self.start.wait(due);
        let start = clock::now();
        if let Some(exchange) = &mut self.exchange {
            exchange.turn();
        }
        self.work.run();
        (start, clock::now())
    }

    fn of_run(mut self, mut stamps: Stamps, mut tally: Tally) -> impl FnOnce(u64) -> Framed {
        move |t0| {
            self.start.arm(t0);
            tally.begin();
            let turns_before = self.turns();
            let (mut step, mut last) = (0, None);
            while let Some(due) = self.pace.due(t0, step, last) {
                let (start, end) = self.make(due);
                stamps.push([due, start, end]);
                tally.after(due, end);
                step += 1;
                last = Some((due, end));
            }
            let background_turns = self.turns().zip(turns_before).map(|(end, start)| end - start);
            Framed { frames: self, t0, background_turns, stamps, tally }
        }
    }

    /// Returns the same loop in intervals: between two of them the process exchanges its samples.
    fn in_intervals(mut self, intervals: u64, writer: Writer<3>) -> impl FnOnce(u64) {
        move |t0| {
            self.start.arm(t0);
            let pace = self.pace;
            let Ok(()) =
                writer.run(&pace, intervals, t0, |due| Ok::<_, Infallible>(self.make(due)));
        }
    }

    fn turns(&self) -> Option<u64> {
        self.background.as_ref().map(Background::turns)
    }
}

impl Framed {
    fn track(self, name: String) -> Track {
        let Frames { pace, work, exchange, .. } = self.frames;
        let track = work.onto(pace.onto(Track::new(name), self.t0));
        let mut track = self.tally.onto(self.stamps.onto(track));
        if let Some(turns) = self.background_turns {
            track = track.with(&fact::BACKGROUND_TURNS, turns);
        }
        match exchange {
            Some(exchange) => exchange.finished(Duration::from_nanos(pace.period_ns()), track),
            None => track,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::parameters::{HYBRID, SPIN, TIMER};
    use crate::frame::rows;
    use crate::room_for;
    use crate::test_runs::{set, spec_with};
    use bench::interval::Place;
    use record::read_recording;
    use std::io::{BufReader, pipe};

    fn framed(spec: &RunSpec, peer: &str, start: impl FnOnce(&str) -> String) -> Recording {
        framed_in(spec, peer, None, start).remove(0)
    }

    /// Runs a process's frames on a thread of this process, in intervals if their number is given;
    /// `start` gets the word that it sends when it is ready, and returns the answer.
    fn framed_in(
        spec: &RunSpec,
        peer: &str,
        intervals: Option<u64>,
        start: impl FnOnce(&str) -> String,
    ) -> Vec<Recording> {
        let (from_us, mut to_it) = pipe().unwrap();
        let (from_it, mut to_us) = pipe().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut from_us = BufReader::new(from_us);
                serve(1, peer, "", intervals, &mut from_us, &mut to_us).unwrap();
            });
            writeln!(to_it, "{}", spec.key()).unwrap();
            let mut from_it = BufReader::new(from_it);
            let mut word = String::new();
            from_it.read_line(&mut word).unwrap();
            write!(to_it, "{}", start(word.trim())).unwrap();
            drop(to_it);
            let read = || read_recording(&mut from_it, room_for(spec)).ok();
            std::iter::from_fn(read).collect()
        })
    }

    fn quick(words: &[(&str, &str)]) -> RunSpec {
        let mut spec = spec_with("frame", &[("rate", "1kHz")]);
        set(&mut spec, words);
        spec
    }

    fn soon(word: &str) -> String {
        let (word, work) = word.split_once(' ').unwrap();
        assert_eq!(word, READY);
        assert!(work.parse::<Work>().is_ok(), "{work}");
        format!("{}\n", clock::now() + 5_000_000)
    }

    #[test]
    fn every_way_to_start_conserves_what_is_due() {
        for start in [TIMER, SPIN, HYBRID] {
            let recording = framed(&quick(&[("start", start)]), "", soon);
            assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
            assert_eq!(recording.found.threads[0].name, "1 of 1");
            let track = &recording.tracks[0];
            let (starts, ends) = (track.values("start_ns"), track.values("end_ns"));
            assert!(starts.iter().zip(ends).flat_map(|(start, end)| [start, end]).is_sorted());
            assert!(track.number("integer_iterations") > 0);
            assert_eq!(track.attributes.contains_key("background_turns"), start != SPIN);
            let rows = rows::of(&recording);
            assert_eq!(rows[0].due, 50);
            assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
        }
    }

    #[test]
    fn intervals_follow_each_other_and_conserve_what_is_due() {
        let spec = quick(&[]);
        let recordings = framed_in(&spec, "", Some(6), soon);
        let mut expected = 0;
        for recording in recordings {
            let place = Place::of(&recording.tracks).unwrap();
            assert!(place.number >= expected + place.stalled, "{place:?}");
            expected = place.number + 1;
            assert_eq!(recording.found.threads[0].name, "1 of 1");
            let rows = rows::of(&recording);
            assert_eq!((rows[0].due, rows[0].executed + rows[0].skipped), (50, 50));
        }
        assert!((1..=6).contains(&expected));
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
