//! This machine: the runner is this same program in a new process.

use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use base::CpuSet;
use knob::OnMachine;
use measure::room_for;
use record::{Arrived, Recording, RunSpec};
use rt::claim::MEASURED_BY_OTHERS;
use rt::process::{Signal, THIS_PROGRAM};
use rt::{limits, role, sched, topology};

use crate::following::{self, Ended, follow, follow_intervals};
use crate::knobs;
use crate::waiting::{LONGEST_WAIT, until_nobody_measures};
use crate::{KeepGoing, Target, TargetError};

/// Additional time for a runner to end by itself, beyond its own watchdog's time.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct Local {
    program: PathBuf,
    /// The folder of the user's files that came from another machine.
    files: Option<PathBuf>,
}

impl Default for Local {
    /// This machine, with this program as the runner.
    fn default() -> Self {
        Self { program: THIS_PROGRAM.into(), files: None }
    }
}

impl Target for Local {
    fn wait(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<(), TargetError> {
        if spec.asked.beside { Ok(()) } else { until_nobody_measures(&spec.asked.cpus, keep_going) }
    }

    fn run(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<Arrived, TargetError> {
        let give_up = Instant::now() + LONGEST_WAIT;
        loop {
            self.wait(spec, keep_going)?;
            match self.run_now(spec, keep_going) {
                // Another process was faster.
                Err(TargetError::Failed(why))
                    if why.starts_with(MEASURED_BY_OTHERS) && Instant::now() < give_up => {}
                done => return done,
            }
        }
    }

    fn knobs(&self, keep_going: KeepGoing) -> Result<OnMachine, TargetError> {
        let mut process = self.start(role::command(&self.program, knobs::ROLE))?;
        let ended = follow(&mut process, knobs::MOST_BYTES, Some(GRACE), keep_going)?;
        knobs::told(&ended)
    }
}

/// Returns the remedy if this user or its control group has too many processes (EAGAIN), or this
/// process, or the machine, too many open files (EMFILE, ENFILE).
fn hint(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(11) => "; allow this user (ulimit -u) or its control group (pids.max) more processes",
        Some(23 | 24) => "; raise the limit of open files (ulimit -n)",
        _ => "",
    }
}

impl Local {
    /// This machine, with a folder that contains the files that runs name, each under its hash.
    pub(crate) fn with_files(folder: PathBuf) -> Self {
        Self { files: Some(folder), ..Self::default() }
    }

    fn run_now(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<Arrived, TargetError> {
        let command = role::command(&self.program, "role-runner");
        let mut runner = self.begin(command, spec)?;
        let _aside = Aside::step(&spec.asked.cpus);
        let most_bytes = room_for(spec).bytes();
        let longest = Some(spec.longest() + GRACE);
        let ended = follow(&mut runner, most_bytes, longest, keep_going)?;
        ended.recording(spec, keep_going, |ended| last_words(ended, spec))
    }

    /// Makes a run in intervals without a pause, and passes the recording of each on. `spec` is one
    /// interval. Ends when `keep_going`, which is called several times a second, or `each` returns
    /// false.
    ///
    /// # Errors
    /// Why the run ended before that.
    pub fn run_in_intervals(
        &self,
        spec: &RunSpec,
        intervals: u64,
        keep_going: KeepGoing,
        each: &mut dyn FnMut(Recording) -> bool,
    ) -> Result<(), TargetError> {
        self.wait(spec, keep_going)?;
        let mut command = role::command(&self.program, "role-intervals");
        command.arg(intervals.to_string());
        let runner = self.begin(command, spec)?;
        let _aside = Aside::step(&spec.asked.cpus);
        follow_intervals(runner, spec, keep_going, each, last_words)
    }

    fn start(&self, mut command: Command) -> Result<Child, TargetError> {
        following::piped(&mut command).spawn().map_err(|error| {
            let (program, hint) = (self.program.display(), hint(&error));
            TargetError::Failed(format!("cannot start {program}: {error}{hint}"))
        })
    }

    fn begin(&self, mut command: Command, spec: &RunSpec) -> Result<Child, TargetError> {
        if let Some(folder) = &self.files {
            command.env(role::FILES, folder);
        }
        let mut runner = self.start(command)?;
        if let Some(mut input) = runner.stdin.take() {
            // A runner that ends before it reads reports why when it ends.
            let _ = input.write_all(spec.key().as_bytes());
        }
        Ok(runner)
    }
}

/// Returns the runner's own error, or else how it ended.
fn last_words(ended: &Ended, spec: &RunSpec) -> String {
    match (ended.error(), ended.status.signal()) {
        (Some(error), _) => error,
        (None, Some(signal)) if signal == Signal::KILL.as_raw() => killed(spec),
        (None, _) => format!("the runner ended with {}", ended.status),
    }
}

/// Lists what may have killed a runner, because a signal does not show who sent it.
fn killed(spec: &RunSpec) -> String {
    let mut text =
        "the run was killed: by a user, or by the kernel because memory ran out".to_owned();
    let is_real_time = spec.asked.policy.is_real_time();
    let limits = limits::that_end_a_process(is_real_time);
    if is_real_time && !limits.iter().any(|limit| limit.contains("RLIMIT_RTTIME")) {
        text += " or because a real-time thread used its CPU too long without waiting \
                 (RLIMIT_RTTIME)";
    }
    for limit in limits {
        text += &format!(" or because {limit}");
    }
    text
}

/// Keeps this process off the measured CPUs while a runner measures.
struct Aside {
    before: Option<CpuSet>,
}

impl Aside {
    fn step(measured: &CpuSet) -> Self {
        let before = topology::usable();
        let apart = topology::housekeeping(&before, measured);
        let moved = !apart.is_empty() && sched::set_affinity(&apart).is_ok();
        Self { before: moved.then_some(before) }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // If this fails, the next run starts with fewer CPUs and reports that.
            let _ = sched::set_affinity(before);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::process::ExitStatus;

    use base::Policy;
    use record::{Asked, LatencyHold, Parameters};

    pub(crate) fn spec() -> RunSpec {
        let asked: Asked = serde_json::from_str(
            r#"{"cpus":"0","policy":"other","duration_ns":1,"memory_lock":false,
                "cpu_dma_latency":"leave","loads":[]}"#,
        )
        .unwrap();
        assert_eq!(asked.cpu_dma_latency, LatencyHold::Leave);
        RunSpec::new("wakeup", Parameters::default(), asked)
    }

    fn run(program: &str, keep_going: bool) -> TargetError {
        let local = Local { program: program.into(), files: None };
        local.run(&spec(), &mut || keep_going).unwrap_err()
    }

    #[test]
    fn the_error_of_a_failed_runner_is_reported() {
        assert!(run("/bin/false", true).to_string().contains("exit status: 1"));
        assert!(run("/bin/true", true).to_string().contains("not a recording"));
        assert!(run("/no/such/program", true).to_string().contains("/no/such/program"));
    }

    #[test]
    fn the_possible_causes_of_a_killed_run_are_listed() {
        let status = ExitStatus::from_raw(Signal::KILL.as_raw());
        let killed = Ended { status, output: Vec::new(), words: "nothing of note\n".to_owned() };
        let mut spec = spec();
        for policy in [Policy::OTHER, Policy::Fifo(80)] {
            spec.asked.policy = policy;
            let text = last_words(&killed, &spec);
            assert!(text.contains("by a user") && text.contains("memory"), "{text}");
            assert_eq!(text.contains("RLIMIT_RTTIME"), policy.is_real_time());
        }
    }

    #[test]
    fn an_interrupted_run_is_ended() {
        assert!(matches!(run("/usr/bin/yes", false), TargetError::Interrupted));
    }

    #[test]
    fn a_run_in_intervals_is_interrupted_while_it_sends_and_when_it_has_ended_first() {
        let mut spec = spec();
        spec.asked.beside = true;
        for (program, goes_on) in [("/usr/bin/yes", 0), ("/bin/false", 1)] {
            let local = Local { program: program.into(), files: None };
            let mut left = 0..goes_on;
            let run =
                local.run_in_intervals(&spec, 1, &mut || left.next().is_some(), &mut |_| true);
            assert!(matches!(run, Err(TargetError::Interrupted)), "{program}: {run:?}");
        }
    }
}
