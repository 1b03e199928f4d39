//! Runs the program as a user would.

mod folder;
pub mod groups;
mod home;
mod others;

pub use folder::{Folder, wakeups};
pub use home::at_home;
pub use others::unless_others_measure;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::{Nanos, Policy};
use record::{Asked, Parameters, RunSpec, Tried};
use rt::topology;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use testing::{measure_alone, measure_beside_others, needs};

/// Conditions to which every user has the right.
pub const MODEST: &str = "--policy other --memory unlocked --idle-states leave";

/// Commands that measure nothing, or that measure machines whose time is counted in instructions.
const QUIET: &str = "board certificate compare doctor echo help lab list model report store studies \
                     trace verify";

/// Commands that measure and are started by other programs, or whose words are added later.
const LOUD: [&str; 7] = ["check", "frontier", "interfere", "map", "quick", "run", "soak"];

/// Waits for the turn of a test that measures with these words. An audit counts what a model does,
/// not how long that takes, and a machine of the lab counts instructions.
fn take_turn(words: &[&str]) {
    let tolerates_others = words.contains(&"--beside") || words.first() == Some(&"audit");
    match words.iter().any(|word| word.starts_with("vm:")) {
        true => {}
        false if tolerates_others => measure_beside_others(),
        false => {
            measure_alone();
            others::wait_for_others();
        }
    }
}

/// The program under test, for a command that starts it in another program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_steadfast");

/// Returns the program with the words of a typed line that ends before anything is measured.
pub fn unmeasured(line: &str) -> Command {
    let mut command = by_other(PROGRAM);
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command
}

/// Returns a command that starts the program, such as a shell, at the test's own home.
pub fn by_other(starter: &str) -> Command {
    let mut command = Command::new(starter);
    at_home(&mut command);
    command
}

/// Returns the program with the words of a typed line. A test that measures does so alone, from
/// here to its end, unless its measurements permit others.
pub fn steadfast(line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first().map_or("", |word| word.trim_start_matches('-'));
    if !first.is_empty() && !QUIET.split(' ').any(|name| name == first) {
        take_turn(&words);
    }
    unmeasured(line)
}

/// Measures in a turn that ends before the test does, so that a test that also boots a machine holds only one turn at a
/// time.
pub fn in_own_turn<T: Send + 'static>(measure: impl FnOnce() -> T + Send + 'static) -> T {
    rt::thread::start("measuring test", measure).unwrap().join().unwrap()
}

/// Returns a run of wake-ups as any user may make it, which does not wait for others.
pub fn wakeup_spec(duration: Nanos, tried: Vec<Tried>) -> RunSpec {
    let cpus = topology::spread_here(1);
    let asked = Asked { beside: true, tried, ..Asked::plain(cpus, Policy::OTHER, duration) };
    let declared = measure::find("wakeup").unwrap().parameters();
    RunSpec::new("wakeup", Parameters::defaults(declared), asked)
}

/// Returns the program in one of its internal roles, as it starts itself.
pub fn role(line: &str) -> Command {
    let mut role = steadfast(line);
    role.env(rt::role::STARTED_BY, std::process::id().to_string());
    role
}

/// How lines begin that say what a killed run had left.
const OF_KILLED_RUNS: [&str; 5] = [
    "Restored ",
    "Did not restore ",
    "Could not restore ",
    "Removed traces left ",
    "Removed temporary folders left ",
];

fn tells_of_killed_runs(line: &str) -> bool {
    OF_KILLED_RUNS.iter().any(|words| line.starts_with(words))
}

/// A finished execution of the program.
#[derive(Debug)]
pub struct Done(pub Output);

impl Done {
    pub fn of(command: Command) -> Self {
        // A shell, or another program around it, was given the words.
        let words = command.get_args().filter_map(OsStr::to_str);
        let words: Vec<&str> = words.flat_map(str::split_whitespace).collect();
        if words.iter().any(|word| LOUD.contains(word)) {
            take_turn(&words);
        }
        Self::of_unmeasured(command)
    }

    /// As [`Self::of`], for a command that ends before anything is measured.
    pub fn of_unmeasured(mut command: Command) -> Self {
        Self(command.output().expect("the program starts"))
    }

    /// Waits for the end of a child.
    pub fn at_end(child: Child) -> Self {
        Self(child.wait_with_output().unwrap())
    }

    pub fn code(&self) -> i32 {
        let status = self.0.status;
        status.code().unwrap_or_else(|| panic!("ended by signal {:?}", status.signal()))
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    /// Returns what was reported, except for [`Self::restored`].
    pub fn stderr(&self) -> String {
        self.reported(|line| !tells_of_killed_runs(line))
    }

    /// Returns what was reported about killed runs, which may be those of another test: whatever
    /// starts next restores what they have left.
    pub fn restored(&self) -> String {
        self.reported(tells_of_killed_runs)
    }

    fn reported(&self, is_asked_for: impl Fn(&str) -> bool) -> String {
        let reported = String::from_utf8_lossy(&self.0.stderr);
        reported.split_inclusive('\n').filter(|line| is_asked_for(line)).collect()
    }

    /// Returns the JSON objects that were printed, one per line.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).expect("each line is JSON");
        self.stdout().lines().map(parse).collect()
    }

    /// Returns the first run that was printed as JSON.
    pub fn first_run(&self) -> Value {
        self.json().remove(0)
    }

    /// Returns the only JSON document that was printed.
    pub fn document(&self) -> Value {
        let printed = self.stdout();
        let parsed = serde_json::from_str(&printed);
        parsed.unwrap_or_else(|error| panic!("{error}: {printed}\n{}", self.stderr()))
    }

    /// Asserts that everything that was requested was done.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// Asserts the exit code. The message contains everything that the program printed, because
    /// only the JSON says what makes a run INVALID.
    #[track_caller]
    pub fn ended_with(self, code: i32) -> Self {
        let (found, stderr) = (self.code(), self.stderr());
        assert_eq!(found, code, "{stderr}\n{}", self.warnings_or_stdout());
        self
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
    #[track_caller]
    pub fn refuses(self, reason: &str) -> Self {
        let done = self.ended_with(2);
        let stderr = done.stderr();
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        assert_eq!(errors.len(), 1, "{stderr}");
        assert!(errors[0].contains(reason), "{stderr}");
        assert!(stderr.trim_end().ends_with(errors[0]), "{stderr}");
        done
    }
}

/// Runs a typed line that ends before anything is measured, with exit code 2 and this reason.
#[track_caller]
pub fn refused(line: &str, reason: &str) {
    Done::of_unmeasured(unmeasured(line)).refuses(reason);
}

pub fn run(line: &str) -> Done {
    Done::of(steadfast(line))
}

/// Runs a typed line and further words, which may contain blanks.
pub fn run_words(line: &str, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Done {
    let mut command = steadfast(line);
    command.args(words);
    Done::of(command)
}

/// Runs a typed line with these variables in its environment.
pub fn run_with(line: &str, variables: &[(&str, &Path)]) -> Done {
    let mut command = steadfast(line);
    command.envs(variables.iter().copied());
    Done::of(command)
}

/// Starts a typed line whose output is read later.
pub fn start(line: &str) -> Child {
    piped(steadfast(line))
}

/// Starts a program whose output is read later.
pub fn piped(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts a program whose output is not read.
pub fn start_unheard(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns a text without its line breaks.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn number(part: &Value, name: &str) -> u64 {
    part[name].as_u64().unwrap_or_else(|| panic!("{name} is a number in {part}"))
}

/// Asserts that everything that was due in a row, or in a run and each of its rows, was executed or
/// skipped.
#[track_caller]
pub fn conserves(whole: &Value) {
    let rows = whole["rows"].as_array().into_iter().flatten();
    for part in rows.chain([whole]) {
        let accounted_for = number(part, "executed") + number(part, "skipped");
        assert_eq!(number(part, "due"), accounted_for, "{part}");
    }
}

/// Reports that the calling test is skipped if this process may not use real-time policies, lock
/// memory and hold off idle states.
pub fn real_time() -> Option<()> {
    let may = rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok();
    needs(may, "the right to real-time policies and /dev/cpu_dma_latency (root)")
}

/// Reports that the calling test is skipped if this process may not trace; mounts tracefs for the
/// calling test alone if it is not mounted.
pub fn tracing() -> Option<()> {
    // A process has one trace.
    measure_alone();
    let root = rt::tracefs::found_or_mounted();
    let may = root.is_ok_and(|root| rt::tracefs::Instance::create(&root).is_ok());
    needs(may, "the right to trace (root, and a kernel with tracefs)")
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Reports that the calling test is skipped if this process may not mount: an ordinary user, or root in a container.
pub fn mounting() -> Option<()> {
    let may = by_other("unshare").args(["-m", "true"]).output();
    needs(may.is_ok_and(|done| done.status.success()), "the right to mount (root)")
}

pub fn open_folder() -> TempDir {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    folder
}

/// Copies the program to where a user without privileges can start it, and returns a command that
/// does so by another program, such as `nice -n 5`, or directly.
pub fn as_ordinary_user(folder: &TempDir, by: &str, line: &str) -> Command {
    const NOBODY: u32 = 65534;
    measure_alone();
    let program = folder.path().join("steadfast");
    if !program.exists() {
        // Copied by a separate process: a fork in another test while this process writes would keep
        // the file busy.
        let copied = Command::new("cp").arg(PROGRAM).arg(&program).status();
        assert!(copied.is_ok_and(|copied| copied.success()), "the copy fits");
    }
    let whole = format!("{by} {} {line}", program.display());
    let mut words = whole.split_whitespace();
    let mut command = Command::new(words.next().unwrap());
    home::at(&mut command, folder.path());
    command.args(words).stdin(Stdio::null()).current_dir(folder.path());
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

pub fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").expect("there is /proc").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Returns the living processes that have this in their environment.
pub fn marked_by(mark: &str) -> Vec<u32> {
    let is_marked = |process: &u32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(mark) && lives(*process)
    };
    processes().filter(is_marked).collect()
}

pub fn children(parent: u32) -> Vec<u32> {
    processes().filter(|process| parent_of(*process) == Some(parent)).collect()
}

pub fn descendants(of: u32) -> Vec<u32> {
    let children = children(of);
    children.iter().flat_map(|child| descendants(*child)).chain(children.clone()).collect()
}

/// Waits until a thread of a process that measures is in its periods: it has waited a hundred times,
/// once in each. Before, it waits a few times only.
pub fn is_in_its_periods(process: u32) {
    // The main thread is that of a process of frames. Other threads collect evidence, or find out
    // what tracing costs.
    const MEASURING: [&str; 3] = ["CPU ", "model ", "steadfast"];
    let waited = |thread: &Path| -> Option<u32> {
        let status = fs::read_to_string(thread.join("status")).ok()?;
        let of = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let name = of("Name:")?.trim_start();
        let waits = of("voluntary_ctxt_switches:")?.trim().parse().ok()?;
        MEASURING.iter().any(|measuring| name.starts_with(measuring)).then_some(waits)
    };
    eventually("the periods", || {
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        threads.into_iter().any(|thread| waited(&thread.path()) > Some(100))
    });
}

/// Returns the runner of a program, once it has threads.
pub fn runner_of(program: u32) -> u32 {
    let threads =
        |process: &u32| fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count);
    awaited("the runner's start", || {
        children(program).into_iter().next().filter(|runner| threads(runner) > 2)
    })
}

/// Returns the processes that a program's runner has started, once there are at least so many.
pub fn children_of_runner(program: &Child, least: usize) -> Vec<u32> {
    awaited("the start of what the runner starts", || {
        let runners = children(program.id()).into_iter();
        let started: Vec<u32> = runners.flat_map(children).collect();
        (started.len() >= least).then_some(started)
    })
}

/// Returns whether a word is on a process's command line.
pub fn has_word(process: u32, word: &str) -> bool {
    let line = fs::read_to_string(format!("/proc/{process}/cmdline"));
    line.is_ok_and(|line| line.contains(word))
}

pub fn pid(process: u32) -> Pid {
    Pid::from_raw(i32::try_from(process).unwrap()).unwrap()
}

pub fn send(signal: Signal, process: u32) {
    kill_process(pid(process), signal).unwrap();
}

pub fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Returns the words after a process's name: its state, its parent, and others.
fn stat(process: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    Some(after_name.split_whitespace().map(str::to_owned).collect())
}

fn parent_of(process: u32) -> Option<u32> {
    stat(process)?.get(1)?.parse().ok()
}

/// Returns whether a process lives (a zombie does not).
pub fn lives(process: u32) -> bool {
    stat(process).is_some_and(|words| words[0] != "Z")
}

pub fn all_end(processes: &[u32]) {
    eventually("the end of every process", || !processes.iter().any(|process| lives(*process)));
}

pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    awaited(what, || holds().then_some(()));
}

/// Returns what is found at last; gives up after two minutes, which a busy host may need.
pub fn awaited<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let give_up = Instant::now() + Duration::from_secs(120);
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < give_up, "{what} did not happen");
        sleep(Duration::from_millis(10));
    }
}
