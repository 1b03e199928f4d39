//! This machine: the runner is this same program in a fresh process.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plan::{Recording, RunSpec, read_recording};
use rt::process::{Signal, THIS_PROGRAM};
use rt::{sched, topology};
use units::CpuSet;

use crate::{Target, TargetError};

/// How often a running runner is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// What a runner has, beyond its own watchdog's time, to end by itself.
const GRACE: Duration = Duration::from_secs(10);

/// Runs on this machine.
#[derive(Debug)]
pub struct Local {
    program: PathBuf,
}

impl Default for Local {
    /// This machine, with this program as the runner.
    fn default() -> Self {
        Self {
            program: THIS_PROGRAM.into(),
        }
    }
}

impl Target for Local {
    fn run(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Recording, TargetError> {
        let mut runner = self.start(spec).map_err(|error| {
            TargetError::Failed(format!("cannot start {}: {error}", self.program.display()))
        })?;
        let _aside = Aside::step(&spec.asked.cpus);
        // Both ends are read while the runner lives: a full pipe would stop it.
        let output = collect(runner.stdout.take());
        let words = collect(runner.stderr.take());
        let status = wait(&mut runner, spec.longest() + GRACE, keep_going)?;
        let output = output.join().unwrap_or_default();
        let words = words.join().unwrap_or_default();
        if !status.success() {
            // Ctrl-C reaches every process of the terminal, the runner first.
            if !keep_going() {
                return Err(TargetError::Interrupted);
            }
            return Err(TargetError::Failed(last_words(&words, status, spec)));
        }
        read_recording(&mut output.as_slice())
            .map_err(|error| TargetError::Failed(error.to_string()))
    }
}

impl Local {
    fn start(&self, spec: &RunSpec) -> io::Result<Child> {
        let mut runner = Command::new(&self.program)
            .arg0("steadfast")
            .arg("role-runner")
            .arg(std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let text = serde_json::to_vec(spec)?;
        if let Some(mut input) = runner.stdin.take() {
            // A runner that ends before it reads says why on its way out.
            let _ = input.write_all(&text);
        }
        Ok(runner)
    }
}

/// Reads a pipe to its end on a thread of its own.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is read; a recording knows its end.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(
    runner: &mut Child,
    longest: Duration,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<ExitStatus, TargetError> {
    let give_up = Instant::now() + longest;
    loop {
        if let Some(status) = runner.try_wait().map_err(failed)? {
            return Ok(status);
        }
        let error = if !keep_going() {
            TargetError::Interrupted
        } else if Instant::now() > give_up {
            TargetError::Failed(format!("the run did not end within {longest:?}"))
        } else {
            thread::sleep(LOOK_EVERY);
            continue;
        };
        runner.kill().map_err(failed)?;
        runner.wait().map_err(failed)?;
        return Err(error);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn failed(error: io::Error) -> TargetError {
    TargetError::Failed(error.to_string())
}

/// What the runner says of its end, else how it ended.
fn last_words(words: &[u8], status: ExitStatus, spec: &RunSpec) -> String {
    let words = String::from_utf8_lossy(words);
    let told = words
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("error: "));
    match (told, status.signal()) {
        (Some(told), _) => told.to_owned(),
        (None, Some(signal)) if signal == Signal::KILL.as_raw() => killed(spec),
        (None, _) => format!("the runner ended with {status}"),
    }
}

/// Who may have killed a runner; a signal does not tell who sent it.
fn killed(spec: &RunSpec) -> String {
    let mut text =
        "the run was killed: by a person, or by the kernel because memory ran out".to_owned();
    if spec.asked.policy.is_real_time() {
        text += " or because a real-time thread used its CPU for too long without waiting \
                 (RLIMIT_RTTIME)";
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
        Self {
            before: moved.then_some(before),
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // Where this fails, the next run starts with fewer CPUs and says so.
            let _ = sched::set_affinity(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::{Asked, LatencyHold, Parameters};
    use units::Policy;

    fn spec() -> RunSpec {
        let asked: Asked = serde_json::from_str(
            r#"{"cpus":"0","policy":"other","duration_ns":1,"memory_lock":false,
                "cpu_dma_latency":"leave","loads":[]}"#,
        )
        .unwrap();
        assert_eq!(asked.cpu_dma_latency, LatencyHold::Leave);
        RunSpec::new("wakeup", Parameters::default(), asked)
    }

    fn run(program: &str, keep_going: bool) -> TargetError {
        let local = Local {
            program: program.into(),
        };
        local.run(&spec(), &mut || keep_going).unwrap_err()
    }

    #[test]
    fn a_runner_that_fails_is_quoted() {
        assert!(
            run("/bin/false", true)
                .to_string()
                .contains("exit status: 1")
        );
        assert!(
            run("/bin/true", true)
                .to_string()
                .contains("not a recording")
        );
        assert!(
            run("/no/such/program", true)
                .to_string()
                .contains("/no/such/program")
        );
    }

    #[test]
    fn who_killed_a_run_is_told_as_far_as_it_can_be_known() {
        let killed = ExitStatus::from_raw(Signal::KILL.as_raw());
        let told = |policy| {
            let mut spec = spec();
            spec.asked.policy = policy;
            last_words(b"nothing of note\n", killed, &spec)
        };
        for policy in [Policy::OTHER, Policy::Fifo(80)] {
            let text = told(policy);
            assert!(
                text.contains("by a person") && text.contains("memory"),
                "{text}"
            );
            assert_eq!(text.contains("RLIMIT_RTTIME"), policy.is_real_time());
        }
    }

    #[test]
    fn an_interrupted_run_is_ended() {
        assert!(matches!(
            run("/usr/bin/yes", false),
            TargetError::Interrupted
        ));
    }
}
