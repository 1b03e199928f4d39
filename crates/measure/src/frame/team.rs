//! The processes of a run: started concurrently, released together; their recordings are collected.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bench::address::resolved;
use bench::interval::{HandOver, Interval, Place};
use bench::pace::Overrun;
use bench::start_barrier::LEAD_NS;
use bench::{Abort, Bench};
use record::{Recording, Room, RunSpec, Track, read_recording};
use rt::captured_output::Words;
use rt::process::{Pid, Signal, THIS_PROGRAM};
use rt::system::{RtGrant, rt_grant};
use rt::{clock, limits, role, thread};

use super::exchange::Echo;
use super::helper::HelperThread;
use super::parameters::{EACH, LOCAL, NO_PEER, name};
use super::process::{READY, REFUSED};
use super::throttling;

/// Runs all processes of a run, in the frame role of the program.
pub(super) fn run(bench: &Bench, room: Room, program: &str) -> Result<Vec<Track>, Abort> {
    let spec = &bench.spec;
    let mut team = Team::started(bench, room, program, None).map_err(Abort::Failed)?;
    let next = team.next(longest(spec)).map_err(Abort::Failed)?;
    let Interval { tracks, threads: found, warnings } = next;
    bench.warn(warnings);
    if tracks.len() < team.members.len() {
        return Err(Abort::Conditions);
    }
    let grant = rt_grant(&spec.asked.cpus).unwrap_or_else(RtGrant::usual);
    bench.warn(throttling::found(spec, &tracks, &found, &grant));
    bench.keep(found);
    Ok(tracks)
}

/// Runs all processes in intervals, and hands over each interval that all of them have recorded.
pub(super) fn run_in_intervals(
    bench: &Bench,
    room: Room,
    intervals: u64,
    hand_over: HandOver,
) -> Result<(), Abort> {
    let spec = &bench.spec;
    let mut team =
        Team::started(bench, room, THIS_PROGRAM, Some(intervals)).map_err(Abort::Failed)?;
    let mut next = 0;
    while next < intervals {
        // Processes in step need no time beyond the interval; a delay as long as a run is a hang.
        let interval = match team.next(longest(spec) + GRACE) {
            Ok(interval) => interval,
            // The last intervals may be lost.
            Err(_) if next > 0 && team.members.iter_mut().all(Member::has_ended_well) => break,
            Err(why) => return Err(Abort::Failed(why)),
        };
        if interval.tracks.len() < team.members.len() {
            bench.warn(interval.warnings);
            return Err(Abort::Conditions);
        }
        next = Place::of(&interval.tracks).map_or(intervals, |place| place.number + 1);
        hand_over(interval);
    }
    Ok(())
}

/// The processes of a run; dropping them ends them.
struct Team {
    members: Vec<Member>,
    _peer: Peer,
}

impl Team {
    /// Starts all processes, and releases them together if all are ready.
    fn started(
        bench: &Bench,
        room: Room,
        program: &str,
        intervals: Option<u64>,
    ) -> Result<Self, String> {
        let spec = &bench.spec;
        let peer = Peer::of(spec)?;
        let count = spec.parameters.processes() as usize;
        let alone = if spec.parameters.calibration() == EACH { 0 } else { 1 };
        let (mut members, mut ready) = (Vec::new(), Vec::new());
        for concurrent in [1..=alone, alone + 1..=count] {
            let work: &str = ready.first().and_then(Option::as_deref).unwrap_or_default();
            for number in concurrent {
                let mut command = role::command(program, "role-frame");
                command.args([&number.to_string(), &peer.address, work]);
                command.args(intervals.map(|intervals| intervals.to_string()));
                members.push(Member::start(command, spec, &name(spec, number), room)?);
            }
            let until = Instant::now() + GRACE;
            let waiting = members[ready.len()..].iter_mut();
            let all: Vec<Option<String>> =
                waiting.map(|member| member.ready(until)).collect::<Result<_, _>>()?;
            ready.extend(all);
        }
        members.iter().for_each(|member| bench.announce(&member.name, member.id()));
        let start = ready.iter().all(Option::is_some).then(|| clock::now() + LEAD_NS);
        members.iter_mut().for_each(|member| member.send_start(start));
        Ok(Self { members, _peer: peer })
    }

    /// Waits for the next recording of every process. Intervals that not all have are dropped.
    fn next(&mut self, longest: Duration) -> Result<Interval, String> {
        let until = Instant::now() + longest;
        let place = |recording: &Recording| Place::of(&recording.tracks).map(|place| place.number);
        let members = self.members.iter_mut();
        let mut recordings =
            members.map(|member| member.recording(until)).collect::<Result<Vec<_>, _>>()?;
        while let Some(newest) = recordings.iter().filter_map(place).max()
            && let Some(behind) =
                recordings.iter().position(|r| place(r).is_some_and(|n| n < newest))
        {
            recordings[behind] = self.members[behind].recording(until)?;
        }
        let mut all = Interval::default();
        for recording in recordings {
            all.warnings.extend(recording.warnings);
            all.threads.extend(recording.found.threads);
            all.tracks.extend(recording.tracks);
        }
        Ok(all)
    }
}

/// Time limit for starting, calibrating and talking to the peer; these take less, even under load.
const GRACE: Duration = Duration::from_secs(10);

/// Returns how long the frames and the transfer of their stamps may take. Under `skip` and `stop`
/// frames end on time; if all late ones are executed, they take as long as the work takes.
fn longest(spec: &RunSpec) -> Duration {
    let times = match Overrun::of(&spec.parameters) {
        Overrun::Skip | Overrun::Stop => 2,
        Overrun::CatchUp | Overrun::Slip => 4,
    };
    GRACE + Duration::from(spec.asked.duration).saturating_mul(times)
}

/// A process in the frame role; dropping it ends the process.
struct Member {
    name: String,
    process: Child,
    to: Option<ChildStdin>,
    words: Words,
    answers: Receiver<String>,
    recordings: Receiver<Recording>,
}

impl Drop for Member {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Member {
    fn start(mut command: Command, spec: &RunSpec, name: &str, room: Room) -> Result<Self, String> {
        let mut start = || -> io::Result<Self> {
            let words = Words::new()?;
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(words.input()?);
            let mut process = command.spawn()?;
            let pipes = process.stdin.take().zip(process.stdout.take());
            let (mut to, from) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
            // If the process ends before it reads, waiting until it is ready finds that.
            let _ = writeln!(to, "{}", spec.key());
            let (answers, recordings) = heard(from, room)?;
            let name = name.to_owned();
            Ok(Self { name, process, to: Some(to), words, answers, recordings })
        };
        start().map_err(|error| format!("process {name} could not be started: {error}"))
    }

    /// Waits until the process reports the amount of its work, or that it did not get its conditions.
    fn ready(&mut self, until: Instant) -> Result<Option<String>, String> {
        let word = self.answers.recv_timeout(left(until));
        let word = word.as_deref().map(str::trim_end);
        match word.map(|word| word.split_once(' ').unwrap_or((word, ""))) {
            Ok((READY, work)) => Ok(Some(work.to_owned())),
            Ok((REFUSED, _)) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(self.hangs("was not ready")),
            _ => Err(self.ended("before it was ready")),
        }
    }

    /// Sends the stamp of the start, or closes the input, so that the process does not start.
    fn send_start(&mut self, start: Option<u64>) {
        if let (Some(mut to), Some(start)) = (self.to.take(), start) {
            // If the process has ended, its recording is found to be missing.
            let _ = writeln!(to, "{start}");
        }
    }

    fn id(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    fn recording(&mut self, until: Instant) -> Result<Recording, String> {
        let recording = self.recordings.recv_timeout(left(until));
        recording.map_err(|error| match error {
            RecvTimeoutError::Timeout => self.hangs("had not sent its recording"),
            RecvTimeoutError::Disconnected => self.ended("before it had sent its recording"),
        })
    }

    fn has_ended_well(&mut self) -> bool {
        self.process.try_wait().is_ok_and(|status| status.is_some_and(|status| status.success()))
    }

    fn hangs(&self, what: &str) -> String {
        format!(
            "process {} {what} in time: it was stopped, hangs or gets no CPU; check that nothing \
             stops it; if it starves, use fewer --processes or a lower --fill",
            self.name
        )
    }

    fn ended(&mut self, when: &str) -> String {
        let _ = self.process.kill();
        let how = self.process.wait();
        let was_killed = how.as_ref().is_ok_and(|how| how.signal() == Some(Signal::KILL.as_raw()));
        let mut how = how.map_or_else(|error| error.to_string(), |status| status.to_string());
        for limit in limits::that_end_a_process(true).iter().filter(|_| was_killed) {
            how += &format!("; perhaps because {limit}");
        }
        let why = self.words.error().unwrap_or(how);
        format!("process {} ended {when}: {why}", self.name)
    }
}

fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

/// Reads a process's output in a thread, as pipes have no time limit; bad output closes it.
fn heard(from: ChildStdout, room: Room) -> io::Result<(Receiver<String>, Receiver<Recording>)> {
    let ((words, word), (recordings, recording)) = (mpsc::channel(), mpsc::channel());
    thread::start("heard", move || {
        let mut from = BufReader::new(from);
        let mut line = String::new();
        // The receivers may be gone.
        if from.read_line(&mut line).is_ok() && words.send(line).is_ok() {
            while let Ok(recording) = read_recording(&mut from, room)
                && recordings.send(recording).is_ok()
            {}
        }
    })?;
    Ok((word, recording))
}

/// The peer that sends datagrams back; a peer on this machine runs as long as this value exists.
struct Peer {
    /// Empty if there is no peer.
    address: String,
    _here: Option<HelperThread>,
}

impl Peer {
    /// Returns the requested peer. A peer on this machine runs next to the controlling thread.
    fn of(spec: &RunSpec) -> Result<Self, String> {
        let (address, here) = match spec.parameters.peer() {
            NO_PEER => (String::new(), None),
            LOCAL => {
                let failed = |error| format!("no datagram can be sent on this machine: {error}");
                let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let echo = Echo::listen(any_port).map_err(failed)?;
                let address = echo.address().map_err(failed)?;
                let here = HelperThread::start("peer", move |stop| {
                    // A failed peer is silent, and every process notices that.
                    let _ = echo.serve(|| !stop.load(Ordering::Relaxed));
                });
                (address.to_string(), Some(here.map_err(failed)?))
            }
            other => (resolved("peer", other)?.to_string(), None),
        };
        Ok(Self { address, _here: here })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{spec, spec_with};
    use bench::room::room;

    #[test]
    fn a_program_that_runs_no_frames_is_named() {
        let bench = Bench::new(spec("frame"));
        for (program, expected) in [
            ("/bin/true", "process 1 of 1 ended"),
            ("/no/such/program", "process 1 of 1 could not be started"),
        ] {
            let Err(Abort::Failed(why)) = run(&bench, room(&bench.spec, 0), program) else {
                panic!("{program} runs frames")
            };
            assert!(why.starts_with(expected), "{program}: {why}");
        }
    }

    /// Starts process 2 of 3 as a shell that runs `script`.
    fn member(script: &str) -> Member {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let spec = spec("frame");
        Member::start(command, &spec, "2 of 3", room(&spec, 0)).unwrap()
    }

    #[test]
    fn a_process_that_hangs_is_named_at_the_deadline() {
        let soon = || Instant::now() + Duration::from_millis(100);
        let silent = member("exec sleep 60").ready(soon()).unwrap_err();
        assert!(silent.starts_with("process 2 of 3 was not ready"), "{silent}");
        let mut stuck = member(&format!("echo {READY}; exec sleep 60"));
        assert_eq!(stuck.ready(Instant::now() + GRACE), Ok(Some(String::new())));
        let why = stuck.recording(soon()).unwrap_err();
        assert!(why.starts_with("process 2 of 3 had not sent"), "{why}");
    }

    #[test]
    fn a_process_times_out_before_the_run_does() {
        for overrun in Overrun::NAMES {
            let spec = spec_with("frame", &[("overrun", overrun)]);
            assert!(longest(&spec) > Duration::from(spec.asked.duration));
            assert!(GRACE + longest(&spec) < spec.longest(), "{overrun}");
        }
    }
}
