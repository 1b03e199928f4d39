//! This machine: the runner is this same program in a fresh process.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use plan::{Recording, RunSpec, read_recording};

use crate::{Target, TargetError};

/// How often a running runner is looked at; it runs on other CPUs meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs on this machine.
#[derive(Debug)]
pub struct Local {
    program: PathBuf,
}

impl Local {
    /// This machine, with this program as the runner.
    ///
    /// # Errors
    /// When the program cannot find its own file.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
        })
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
        // Both ends are read while the runner lives: a full pipe would stop it.
        let output = collect(runner.stdout.take());
        let words = collect(runner.stderr.take());
        let status = wait(&mut runner, keep_going)?;
        let output = output.join().unwrap_or_default();
        let words = words.join().unwrap_or_default();
        if !status.success() {
            // Ctrl-C reaches every process of the terminal, the runner first.
            if !keep_going() {
                return Err(TargetError::Interrupted);
            }
            return Err(TargetError::Failed(last_words(&words, status)));
        }
        read_recording(&mut output.as_slice())
            .map_err(|error| TargetError::Failed(error.to_string()))
    }
}

impl Local {
    fn start(&self, spec: &RunSpec) -> io::Result<Child> {
        let mut runner = Command::new(&self.program)
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
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<ExitStatus, TargetError> {
    loop {
        match runner.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if keep_going() => thread::sleep(LOOK_EVERY),
            Ok(None) => {
                let _ = runner.kill();
                let _ = runner.wait();
                return Err(TargetError::Interrupted);
            }
            Err(error) => return Err(TargetError::Failed(error.to_string())),
        }
    }
}

/// The runner's last line, else how it ended.
fn last_words(words: &[u8], status: ExitStatus) -> String {
    String::from_utf8_lossy(words)
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .map_or_else(
            || format!("the runner ended with {status}"),
            |line| line.trim_start_matches("error: ").to_owned(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::{Asked, LatencyHold, Parameters};

    fn run(program: &str, keep_going: bool) -> TargetError {
        let local = Local {
            program: program.into(),
        };
        let asked: Asked = serde_json::from_str(
            r#"{"cpus":"0","policy":"other","duration_ns":1,"memory_lock":false,
                "cpu_dma_latency":"leave","loads":[]}"#,
        )
        .unwrap();
        assert_eq!(asked.cpu_dma_latency, LatencyHold::Leave);
        let spec = RunSpec::new("wakeup", Parameters::default(), asked);
        local.run(&spec, &mut || keep_going).unwrap_err()
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
    fn an_interrupted_run_is_ended() {
        assert!(matches!(
            run("/usr/bin/yes", false),
            TargetError::Interrupted
        ));
    }
}
