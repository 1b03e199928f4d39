//! Running the program as a person would.

#![allow(dead_code, reason = "each test file uses its own part of this")]

pub mod stores;

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Pid;
use serde_json::Value;
use testing::skip;

/// Conditions that every user has the right to.
pub const MODEST: &str = "--policy other --memory unlocked --idle-states leave";

/// The program with the words of a typed line.
pub fn steadfast(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command
}

/// The program in one of its own roles, as it starts itself.
pub fn role(line: &str) -> Command {
    let mut role = steadfast(line);
    role.env(rt::role::STARTED_BY, std::process::id().to_string());
    role
}

/// What the program did.
pub struct Done(pub Output);

impl Done {
    pub fn of(mut command: Command) -> Self {
        Self(command.output().expect("the program starts"))
    }

    pub fn code(&self) -> i32 {
        let status = self.0.status;
        status.code().unwrap_or_else(|| panic!("ended by signal {:?}", status.signal()))
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// The JSON objects printed, a line each.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).expect("each line is JSON");
        self.stdout().lines().map(parse).collect()
    }

    /// Asserts that all was done that was asked.
    #[track_caller]
    pub fn succeeded(&self) {
        self.ended_with(0);
    }

    /// Asserts the exit code, and says all that the program said where it is another one: what
    /// makes a run INVALID stands in the JSON alone.
    #[track_caller]
    pub fn ended_with(&self, code: i32) {
        let (found, stderr) = (self.code(), self.stderr());
        assert_eq!(found, code, "{stderr}\n{}", self.warnings_or_stdout());
    }

    /// The warnings of every run printed as JSON, a line each; else all that was printed.
    fn warnings_or_stdout(&self) -> String {
        let stdout = self.stdout();
        let parse = |line: &str| serde_json::from_str::<Value>(line).ok();
        let Some(runs) = stdout.lines().map(parse).collect::<Option<Vec<Value>>>() else {
            return stdout;
        };
        let warnings = runs.iter().filter_map(|run| run["warnings"].as_array());
        let lines: Vec<String> = warnings.flatten().map(Value::to_string).collect();
        lines.join("\n")
    }

    /// Asserts that the last line of the error names `reason`, and that there is
    /// one `error` only.
    pub fn refuses(&self, reason: &str) {
        let stderr = self.stderr();
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        self.ended_with(2);
        assert_eq!(errors.len(), 1, "{stderr}");
        assert!(errors[0].contains(reason), "{stderr}");
        assert!(stderr.trim_end().ends_with(errors[0]), "{stderr}");
    }
}

/// Runs a typed line to its end.
pub fn run(line: &str) -> Done {
    Done::of(steadfast(line))
}

/// Whether this process may use real-time policies, lock memory and hold idle
/// states off; says so where it may not.
pub fn may_be_real_time() -> bool {
    let may = rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok();
    if !may {
        skip("needs the right to real-time policies and /dev/cpu_dma_latency (root)");
    }
    may
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A copy of the program that a user without privileges can start, and a command
/// that does so.
pub fn as_ordinary_user(directory: &Path, line: &str) -> Command {
    const NOBODY: u32 = 65534;
    let program: PathBuf = directory.join("steadfast");
    if !program.exists() {
        std::fs::copy(env!("CARGO_BIN_EXE_steadfast"), &program).expect("the copy fits");
    }
    let mut command = Command::new(program);
    command.args(line.split_whitespace()).stdin(Stdio::null()).current_dir(directory);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The processes that have `parent` as their parent.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|process| parent_of(*process) == Some(parent))
        .collect()
}

/// The processes that a process has started, and those that they have started.
pub fn descendants(of: u32) -> Vec<u32> {
    let children = children(of);
    let further = children.iter().flat_map(|child| descendants(*child));
    further.chain(children.iter().copied()).collect()
}

/// The runner of a program, once it has threads.
pub fn runner_of(program: u32) -> Pid {
    let mut runner = 0;
    eventually("the runner's start", || {
        runner = children(program).first().copied().unwrap_or(0);
        runner != 0 && threads(runner) > 2
    });
    pid(runner)
}

fn threads(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count)
}

pub fn pid(process: u32) -> Pid {
    Pid::from_raw(i32::try_from(process).unwrap()).unwrap()
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}

/// Whether a process lives (a zombie does not).
pub fn lives(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .ok()
        .and_then(|stat| Some(stat.rsplit_once(')')?.1.split_whitespace().next()? != "Z"))
        .unwrap_or(false)
}

/// Waits until the condition holds; gives up after half a minute.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !holds() {
        assert!(std::time::Instant::now() < give_up, "{what} did not happen");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
