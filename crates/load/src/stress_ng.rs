//! Any stressor of stress-ng, if that is installed: started, watched, and ended with all processes
//! that it started.
//!
//! The guarding process learns from its standard input that its own parent has ended, and adopts
//! orphans, so that no process escapes it. If the guard itself is killed, the kernel kills the
//! program.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::Duration;

use rt::captured_output::Words;
use rt::ending::end_descendants;
use rt::family::{Relative, adopt_orphans, descendants, ended_child};
use rt::limits::keep_from_real_time;
use rt::owned::{self, LOADS};
use rt::process::{Pid, die_together, input_ends_within, this};
use tempfile::TempDir;

use crate::{Argument, Load, Processes};

const PROGRAM: &str = "stress-ng";
/// Runs until it is ended, unless the user's arguments say otherwise.
/// Some stressors take a timeout of 0, which should have no end, as one that is over.
const WITHOUT_END: [&str; 2] = ["--timeout", "1y"];

pub(crate) const LOAD: Load = Load {
    name: PROGRAM,
    summary: "stress-ng with these arguments",
    unit: |_| "ms of CPU time",
    processes: Processes::Guard,
    argument: Some(Argument {
        name: "ARGS",
        default: None,
        help: "arguments of stress-ng, separated by blanks, up to the end of the word",
    }),
    needs: Some("the program stress-ng in PATH"),
    prepare: |argument, _| {
        let words = WITHOUT_END.into_iter().chain(argument.split_whitespace());
        let mut guarded = Guarded::start(words)?;
        Ok(Box::new(move || guarded.work_since()))
    },
    ..Load::PLAIN
};

const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The program at work. Dropping it ends the program and everything that the program started.
struct Guarded {
    program: Pid,
    words: Words,
    /// Working directory of the program, removed with everything that the program leaves in it.
    _directory: TempDir,
    counted_ms: u64,
    children: HashSet<Pid>,
    steady: HashSet<Pid>,
}

impl Drop for Guarded {
    fn drop(&mut self) {
        end_descendants();
    }
}

impl Guarded {
    fn start<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => {
                format!("not available: needs {PROGRAM}: install the package of that name")
            }
            _ => format!("{PROGRAM}: {error}"),
        };
        adopt_orphans().map_err(failed)?;
        let directory = TempDir::with_prefix(owned::folders_of_this(LOADS))
            .map_err(|error| format!("no working directory: {error}"))?;
        let words = Words::new().map_err(failed)?;
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments)
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .stdout(words.input().map_err(failed)?)
            .stderr(words.input().map_err(failed)?);
        die_together(&mut command);
        // `--sched` would put its processes above the measuring threads.
        keep_from_real_time(&mut command);
        let program = command.spawn().map_err(failed)?;
        Ok(Self {
            program: Pid::from_child(&program),
            words,
            _directory: directory,
            counted_ms: 0,
            children: HashSet::new(),
            steady: HashSet::new(),
        })
    }

    /// Waits a moment; returns the milliseconds of CPU time of the children since the last call.
    fn work_since(&mut self) -> Result<u64, String> {
        if input_ends_within(LOOK_EVERY) {
            return Err("the run has ended".to_owned());
        }
        self.expect_program()?;
        let mut all = descendants(this());
        all.retain(|process| process.pid != self.program);
        self.miss(&all)?;
        let used_ms: u64 = all.iter().map(|process| process.cpu_time_ms).sum();
        let more = used_ms.saturating_sub(self.counted_ms);
        self.counted_ms += more;
        Ok(more)
    }

    /// Fails if the program has ended.
    fn expect_program(&self) -> Result<(), String> {
        while let Some((pid, status)) = ended_child() {
            if pid != self.program {
                continue;
            }
            let how = match status.success() {
                true => "ended by itself, as its own options say".to_owned(),
                false => format!("ended with {status}"),
            };
            return Err(format!("{PROGRAM} {how}{}", self.said()));
        }
        Ok(())
    }

    /// Fails if a stressor has ended: a child seen in two checks. Helpers come and go.
    fn miss(&mut self, all: &[Relative]) -> Result<(), String> {
        let is_child = |process: &&Relative| process.lives && process.parent == self.program;
        let children: HashSet<Pid> = all.iter().filter(is_child).map(|p| p.pid).collect();
        self.steady.extend(children.intersection(&self.children));
        self.children = children;
        if self.steady.is_subset(&self.children) {
            return Ok(());
        }
        // All stressors end shortly before the program does.
        let _ = input_ends_within(LOOK_EVERY);
        self.expect_program()?;
        Err(format!("a process of {PROGRAM} ended{}", self.said()))
    }

    /// Returns the program's first line of output that is not mere information.
    fn said(&self) -> String {
        let text = self.words.text();
        let complaint =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.contains("info:"));
        complaint.map_or_else(String::new, |line| format!(": {line}"))
    }
}
