//! Runs the program as a user would.

pub mod stores;

use std::ffi::OsStr;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Pid;
use serde_json::Value;
use testing::{measure_alone, measure_beside_others, skip};

/// Conditions to which every user has the right.
pub const MODEST: &str = "--policy other --memory unlocked --idle-states leave";

/// Commands that measure nothing, or that measure machines whose time is counted in instructions.
const QUIET: [&str; 15] = [
    "",
    "board",
    "certificate",
    "compare",
    "doctor",
    "echo",
    "help",
    "lab",
    "list",
    "model",
    "report",
    "store",
    "studies",
    "trace",
    "verify",
];

/// Commands that measure and are started by other programs, or whose words are added later.
const LOUD: [&str; 6] = ["check", "frontier", "interfere", "map", "quick", "run"];

/// Whether a line with this word measures a machine of the lab.
fn is_in_lab(word: &str) -> bool {
    word.starts_with("vm:")
}

/// Waits for the turn of a test that measures with these words.
fn take_turn(words: &[&str]) {
    if words.iter().any(|word| is_in_lab(word)) {
        return;
    }
    if words.contains(&"--beside") { measure_beside_others() } else { measure_alone() }
}

/// Returns the program with the words of a typed line. A test that measures does so alone, from
/// here to its end, unless its measurements permit others.
pub fn steadfast(line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    if !QUIET.contains(&first.trim_start_matches('-')) {
        take_turn(&words);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command
}

/// Returns the program in one of its internal roles, as it starts itself.
pub fn role(line: &str) -> Command {
    let mut role = steadfast(line);
    role.env(rt::role::STARTED_BY, std::process::id().to_string());
    role
}

/// A finished execution of the program.
pub struct Done(pub Output);

impl Done {
    pub fn of(mut command: Command) -> Self {
        // A shell, or another program around it, was given the words.
        let words = command.get_args().filter_map(OsStr::to_str);
        let words: Vec<&str> = words.flat_map(str::split_whitespace).collect();
        if words.iter().any(|word| LOUD.contains(word)) {
            take_turn(&words);
        }
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

    /// Returns the JSON objects that were printed, one per line.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).expect("each line is JSON");
        self.stdout().lines().map(parse).collect()
    }

    /// Asserts that everything that was requested was done.
    #[track_caller]
    pub fn succeeded(&self) {
        self.ended_with(0);
    }

    /// Asserts the exit code. The message contains everything that the program printed, because
    /// only the JSON says what makes a run INVALID.
    #[track_caller]
    pub fn ended_with(&self, code: i32) {
        let (found, stderr) = (self.code(), self.stderr());
        assert_eq!(found, code, "{stderr}\n{}", self.warnings_or_stdout());
    }

    /// Returns the warnings of every run that was printed as JSON, one per line; otherwise
    /// everything that was printed.
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

    /// Asserts that the last line of the error names `reason`, and that there is only one `error`.
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

/// Returns whether this process may use real-time policies, lock memory and hold off idle states;
/// reports if it may not.
pub fn may_be_real_time() -> bool {
    let may = rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok();
    if !may {
        skip("needs the right to real-time policies and /dev/cpu_dma_latency (root)");
    }
    may
}

/// Returns whether this process may trace; mounts tracefs for the calling test alone if it is not
/// mounted.
pub fn may_trace() -> bool {
    // A process has one trace.
    measure_alone();
    let root = rt::tracefs::found_or_mounted();
    let may = root.is_ok_and(|root| rt::tracefs::Instance::create(&root).is_ok());
    if !may {
        skip("needs the right to trace (root, and a kernel with tracefs)");
    }
    may
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Copies the program to where a user without privileges can start it, and returns a command that
/// does so.
pub fn as_ordinary_user(directory: &Path, line: &str) -> Command {
    const NOBODY: u32 = 65534;
    measure_alone();
    let program: PathBuf = directory.join("steadfast");
    if !program.exists() {
        // Copied by a separate process: a fork in another test while this process writes would keep
        // the file busy.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_steadfast")).arg(&program).status();
        assert!(copied.is_ok_and(|copied| copied.success()), "the copy fits");
    }
    let mut command = Command::new(program);
    command.args(line.split_whitespace()).stdin(Stdio::null()).current_dir(directory);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Returns the processes whose parent is `parent`.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|process| parent_of(*process) == Some(parent))
        .collect()
}

/// Returns the processes that a process has started, and those that they have started.
pub fn descendants(of: u32) -> Vec<u32> {
    let children = children(of);
    let further = children.iter().flat_map(|child| descendants(*child));
    further.chain(children.iter().copied()).collect()
}

/// Returns the runner of a program, once it has threads.
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

/// Returns whether a process lives (a zombie does not).
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
