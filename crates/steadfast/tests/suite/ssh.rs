//! A machine over ssh, which is this one behind a separate sshd: the same runs as here, lost
//! connections are survived, and nothing is left over.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{
    Done, MODEST, awaited, children, descendants, eventually, has_word, kill, lives, pid, piped,
    processes, role, run, runner_of, send, steadfast, wakeup_spec,
};
use crate::follow::{ended_early, live_lines};
use base::Nanos;
use rustix::process::{Signal, kill_process_group};
use serde_json::{Map, Value};
use tempfile::TempDir;
use testing::{models, skip, write_script};

/// Debian's folder for sshd, which a user's PATH lacks.
const SSHD: &str = "/usr/sbin/sshd";
const PATIENCE: Duration = Duration::from_secs(60);

/// An sshd on loopback, with separate keys and configuration.
struct Sshd {
    folder: TempDir,
    daemon: Child,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        // Never panics: the test may be panicking already.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

impl Sshd {
    fn start() -> Option<Self> {
        let started = Self::try_start();
        started.map_err(|why| skip(why.trim())).ok()
    }

    fn try_start() -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-f", &at(key)]);
            let made = keygen.status();
            made.map_err(|_| "there is no ssh-keygen (openssh-client)")?;
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        fs::write(at("sshd_config"), server_configuration(&folder, port)).unwrap();
        fs::write(at("config"), client_configuration(&folder, port)).unwrap();
        // sshd refuses to start without this folder, which the service would create.
        let _ = fs::create_dir_all("/run/sshd");
        let log = fs::File::create(at("log")).unwrap();
        let daemon = Command::new(SSHD)
            .args(["-D", "-e", "-f", &at("sshd_config")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let daemon = daemon.map_err(|_| format!("there is no {SSHD} (openssh-server)"))?;
        let mut sshd = Self { folder, daemon };
        let give_up = Instant::now() + PATIENCE;
        // The log is read instead of connecting: before sshd listens, a connection might reach
        // itself.
        while !sshd.log().contains("Server listening") {
            if sshd.daemon.try_wait().unwrap().is_some() || Instant::now() > give_up {
                return Err(format!("sshd does not start: {}", sshd.log()));
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(sshd)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap()
    }

    /// Returns the program, with an ssh that has the test's configuration instead of the user's.
    fn steadfast(&self, line: &str) -> Command {
        let mut command = steadfast(line);
        let config = self.path("config").display().to_string();
        command.env("STEADFAST_SSH", format!("ssh -F {config}"));
        command.env("TMPDIR", self.folder.path());
        command
    }

    fn run(&self, line: &str) -> Done {
        Done::of(self.steadfast(line))
    }

    fn brought(&self) -> Vec<PathBuf> {
        let folder = fs::read_dir(self.path("cache/steadfast")).into_iter();
        folder.flatten().flatten().map(|file| file.path()).collect()
    }

    /// From now on, `uname` there names another architecture.
    fn claims_to_be(&self, architecture: &str) {
        fs::create_dir(self.path("bin")).unwrap();
        write_script(&self.path("bin/uname"), &format!("echo {architecture}"));
    }

    /// Returns the processes there that measure for another machine.
    fn measuring(&self) -> Vec<u32> {
        let family = descendants(self.daemon.id()).into_iter();
        family.filter(|process| has_word(*process, "role-runner")).collect()
    }

    /// Asserts that nothing is left: no process there, and no connection and no file of it here.
    fn is_clean(&self) {
        eventually("the end of every session", || children(self.daemon.id()).is_empty());
        // An `ssh` that was told to end takes its time.
        eventually("the end of every ssh", || {
            !processes()
                .filter(|p| has_word(*p, &self.folder.path().display().to_string()))
                .any(|p| p != self.daemon.id() && lives(p))
        });
        let here = fs::read_dir(self.folder.path()).unwrap().flatten();
        let names = here.map(|entry| entry.file_name().into_string().unwrap());
        let left: Vec<String> = names.filter(|n| n.starts_with("steadfast-ssh")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn server_configuration(folder: &TempDir, port: u16) -> String {
    let folder = folder.path().display();
    format!(
        "ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nPidFile none\n\
         AuthorizedKeysFile {folder}/user.pub\nStrictModes no\nUsePAM no\n\
         PermitRootLogin prohibit-password\nPasswordAuthentication no\n\
         KbdInteractiveAuthentication no\nSetEnv XDG_CACHE_HOME={folder}/cache \
         PATH={folder}/bin:/usr/bin:/bin\n"
    )
}

/// Returns the configuration of the machine `bench`, with options that a user's own configuration
/// may have.
fn client_configuration(folder: &TempDir, port: u16) -> String {
    let folder = folder.path().display();
    format!(
        "Host bench\nHostName 127.0.0.1\nPort {port}\n\
         Host *\nIdentityFile {folder}/user\nIdentitiesOnly yes\nBatchMode yes\n\
         StrictHostKeyChecking accept-new\nUserKnownHostsFile {folder}/known\n\
         ControlMaster auto\nControlPersist 10m\nRequestTTY force\nRemoteCommand top\n"
    )
}

fn wakeup(seconds: &str, target: &str) -> String {
    format!(
        "run wakeup --period 1ms --seconds {seconds} {MODEST} --beside --json --target {target}"
    )
}

/// Starts a run in a separate process group, and returns it with its runner there.
fn under_way(sshd: &Sshd, seconds: &str) -> (Child, u32) {
    let mut command = sshd.steadfast(&wakeup(seconds, "ssh:bench"));
    command.process_group(0);
    let mut program = piped(command);
    let runner = awaited("the runner's start or the program's end", || {
        let runner = sshd.measuring().first().copied();
        let has_ended = program.try_wait().unwrap().is_some();
        (runner.is_some() || has_ended).then_some(runner)
    });
    let Some(runner) = runner else {
        panic!("no runner was seen: {}\n{}", Done::at_end(program).stderr(), sshd.log());
    };
    (program, runner)
}

/// Returns the names of an object's fields, and of those of the objects in it. Whether a condition
/// was seen is no part of it, because a session over ssh may see what this process does not; neither
/// is what others took from a run, which is listed only if it was anything.
fn shape(value: &Value) -> Vec<String> {
    let is_observed = |fields: &Map<String, Value>| {
        fields.keys().all(|name| ["seen", "hidden"].contains(&name.as_str()))
    };
    let Some(object) = value.as_object().filter(|fields| !is_observed(fields)) else {
        return Vec::new();
    };
    let inner = |(name, value): (&String, &Value)| {
        let deeper = shape(value).into_iter().map(move |d| format!("{name}.{d}"));
        [name.clone()].into_iter().chain(deeper).collect::<Vec<_>>()
    };
    let was_taken = |name: &str| ["counted", "stolen"].contains(&name);
    object.iter().filter(|(name, _)| !was_taken(name)).flat_map(inner).collect()
}

#[test]
fn a_run_over_ssh_is_as_a_local_one_and_leaves_only_the_program() {
    let Some(sshd) = Sshd::start() else { return };
    let json = |done: Done| done.succeeded().first_run();
    let store = sshd.path("there.db").display().to_string();
    let line = format!("{} --store {store}", wakeup("0.3", "ssh:bench"));
    let (there, here) = (json(sshd.run(&line)), json(run(&wakeup("0.3", "local"))));
    sshd.is_clean();
    assert_eq!(shape(&there), shape(&here));
    assert_eq!(there["due"].as_u64(), Some(300));
    for name in ["due", "machine", "title"] {
        assert_eq!(there[name], here[name], "{name}");
    }
    assert_eq!(there["conditions"]["requested"], here["conditions"]["requested"]);
    let report = run(&format!("report {store} --json")).document();
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1));
    let brought = sshd.brought();
    assert_eq!(brought.len(), 1, "{brought:?}");
    let since = |file: &Path| fs::metadata(file).unwrap().modified().unwrap();
    let first = since(&brought[0]);
    json(sshd.run(&wakeup("0.1", "ssh:bench")));
    assert_eq!(sshd.brought(), brought);
    assert_eq!(since(&brought[0]), first, "it is brought once");
    fs::OpenOptions::new().write(true).open(&brought[0]).unwrap().set_len(1000).unwrap();
    json(sshd.run(&wakeup("0.1", "ssh:bench")));
    assert_eq!(sshd.brought(), brought, "a damaged one is brought again");
}

#[test]
fn a_run_over_ssh_is_shown_and_ends_at_a_late_wakeup() {
    let Some(sshd) = Sshd::start() else { return };
    let done = sshd.run(&(wakeup("20", "ssh:bench") + " --live --stop-at 1ns")).succeeded();
    assert!(live_lines(&done.stderr()) > 0, "{}", done.stderr());
    ended_early(&done.first_run());
}

#[test]
fn a_model_goes_where_the_run_is_made_and_is_brought_once() {
    let Some(sshd) = Sshd::start() else { return };
    let here = sshd.path("here.so");
    let model = |defines: &models::Defines| fs::copy(models::library(defines), &here).unwrap();
    let line = format!(
        "run model --library {} --step plant_step --rate 1kHz --seconds 0.1 {MODEST} --beside --json --target ssh:bench",
        here.display()
    );
    let files = || -> Vec<PathBuf> {
        let folder = fs::read_dir(sshd.path("cache/steadfast/files")).unwrap();
        folder.map(|file| file.unwrap().path()).collect()
    };
    model(&[]);
    let first = sshd.run(&line).succeeded();
    assert_eq!(first.first_run()["valid"], true, "{}", first.stdout());
    let brought = files();
    assert_eq!(brought.len(), 1, "{brought:?}");
    let made = |file: &Path| fs::metadata(file).unwrap().ino();
    let ino = made(&brought[0]);
    sshd.run(&line).succeeded();
    assert_eq!((files(), made(&brought[0])), (brought.clone(), ino));
    fs::write(&brought[0], "damaged").unwrap();
    sshd.run(&line).succeeded();
    assert_eq!(fs::read(&brought[0]).unwrap(), fs::read(&here).unwrap());
    model(&[("ALLOCATE_AT", "7")]);
    sshd.run(&line).succeeded();
    assert_eq!(files().len(), 2, "another one has another name");
    sshd.is_clean();
}

#[test]
fn a_lost_connection_is_reported_and_the_run_repeated() {
    let Some(sshd) = Sshd::start() else { return };
    let (program, runner) = under_way(&sshd, "2");
    // Of a user other than root, a session has a second process, which does not end with the first.
    let monitors = children(sshd.daemon.id());
    let seconds = monitors.iter().flat_map(|monitor| children(*monitor));
    let seconds: Vec<u32> = seconds.filter(|process| has_word(*process, "sshd")).collect();
    for session in monitors.into_iter().chain(seconds) {
        send(Signal::KILL, session);
    }
    let done = Done::at_end(program).succeeded();
    assert!(!lives(runner));
    assert!(done.stderr().contains("repeating the run (1 of 3)"), "{}", done.stderr());
    let runs = done.json();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["due"].as_u64(), Some(2000));
    sshd.is_clean();
}

#[test]
fn a_campaign_connects_once() {
    let Some(sshd) = Sshd::start() else { return };
    let plan = sshd.path("plan.toml");
    let run = |name: &str| {
        format!(
            "[[run]]\nmeasurement = \"{name}\"\ntarget = \"ssh:bench\"\nseconds = [0.1, 0.2]\n\
             policy = \"other\"\nmemory = \"unlocked\"\nidle-states = \"leave\"\n"
        )
    };
    fs::write(&plan, run("wakeup") + &run("fifo_write")).unwrap();
    let out = sshd.path("out");
    sshd.run(&format!("campaign {} --out {}", plan.display(), out.display())).succeeded();
    assert_eq!(sshd.log().matches("Accepted publickey").count(), 1);
    sshd.is_clean();
}

fn knobs(done: &Done) -> Vec<String> {
    let listed = done.document();
    let knobs = listed["knobs"].as_array().unwrap().iter();
    knobs.map(|one| one["name"].to_string()).collect()
}

#[test]
fn knobs_there_are_listed_and_tried_by_their_names() {
    let Some(sshd) = Sshd::start() else { return };
    let there = sshd.run("knobs --json --target ssh:bench");
    assert_eq!(knobs(&there), knobs(&run("knobs --json")));
    let back = sshd.run("knobs back --target ssh:bench").succeeded();
    assert!(back.stdout().contains("settings"), "{}", back.stdout());
    // The settings are listed before the question, and without consent nothing is changed.
    let asked = sshd.run("knobs try swappiness --target ssh:bench --budget 10min");
    match asked.code() {
        2 if asked.stderr().contains("cannot set") => skip("needs root"),
        _ => drop(asked.refuses("add --yes")),
    }
}

#[test]
fn a_run_ends_with_the_process_that_waits_for_it() {
    let Some(sshd) = Sshd::start() else { return };
    let (program, runner) = under_way(&sshd, "60");
    kill_process_group(pid(program.id()), Signal::INT).unwrap();
    Done::at_end(program).ended_with(130);
    eventually("the end of the runner", || !lives(runner));
    sshd.is_clean();

    let (mut program, runner) = under_way(&sshd, "60");
    kill(&mut program);
    eventually("the end of the runner", || !lives(runner));
    // The next command removes the folder of its connection.
    sshd.run("list").succeeded();
    sshd.is_clean();
}

/// Starts a process that makes a run for another machine, as the connection starts it.
fn remote(mark: &str) -> Child {
    let spec = wakeup_spec(Nanos(60 * Nanos::SECOND.0), Vec::new());
    let mut remote = role(&format!("role-remote {mark}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let line = serde_json::to_string(&spec).unwrap();
    writeln!(remote.stdin.as_mut().unwrap(), "{line}").unwrap();
    remote
}

/// If the connection breaks without notice, the other end still measures.
#[test]
fn a_repeated_run_ends_what_is_left_of_the_first_one_and_nothing_else() {
    let mark = |name: &str| format!("{name}-{}", std::process::id());
    let [mut first, stranger] = [remote(&mark("one")), remote(&mark("other"))];
    let [runner, others] = [&first, &stranger].map(|remote| runner_of(remote.id()));
    let again = remote(&mark("one"));
    let its = runner_of(again.id());
    assert!(!first.wait().unwrap().success());
    assert!(!lives(runner) && lives(others) && lives(its));
    for mut remote in [again, stranger] {
        drop(remote.stdin.take());
        assert_eq!(remote.wait().unwrap().code(), Some(2));
    }
    assert!(!lives(others) && !lives(its));
}

#[test]
fn what_is_wrong_is_reported_in_one_line() {
    let Some(sshd) = Sshd::start() else { return };
    sshd.run("run wakeup --cpus 99 --beside --target ssh:bench").refuses("no CPU 99");
    sshd.run("run wakeup --beside --target ssh://nobody@127.0.0.1:1").refuses("Connection refused");
    sshd.run("run wakeup --beside --target ssh:-x").refuses("the name of a machine");
    let strange = |variable: &str, value: &str| {
        let mut command = sshd.steadfast("run wakeup --beside --target ssh:bench");
        command.env(variable, value);
        Done::of(command)
    };
    strange("STEADFAST_SSH", "no-such-ssh").refuses("openssh-client");
    strange("STEADFAST_RUNNER", "/no/such").refuses("STEADFAST_RUNNER: /no/such");
    strange("STEADFAST_RUNNER", "/bin/true").refuses("unexpected answer from the program");
    strange("STEADFAST_RUNNER", "/bin/false")
        .refuses("does not run on bench")
        .refuses("cargo build --profile static --target");
    sshd.claims_to_be("aarch64");
    sshd.run("run wakeup --beside --target ssh:bench")
        .refuses("bench is a machine of architecture aarch64")
        .refuses("cargo build --profile static --target aarch64-unknown-linux-musl");
    sshd.is_clean();
}

/// Calls commands here, after a line that a shell's start file prints.
const NOISY: &str = "for last; do :; done\necho welcome\nexec sh -c \"$last\"";

#[test]
fn what_a_shell_there_prints_is_skipped_and_files_that_may_not_run_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let reached_by = |script: &str| {
        let ssh = folder.path().join("ssh");
        write_script(&ssh, script);
        let line = format!("run wakeup --beside --seconds 0.1 {MODEST} --target ssh:bench");
        let mut command = steadfast(&line);
        command.env("STEADFAST_SSH", &ssh).env("SHELL", "/bin/zsh");
        command.env("XDG_CACHE_HOME", folder.path()).env("TMPDIR", folder.path());
        Done::of(command)
    };
    assert!(reached_by(NOISY).succeeded().stdout().contains("of 100"));
    let noexec = NOISY.replace("echo welcome", "case $last in *role-about*) exit 126; esac");
    reached_by(&noexec).refuses("(noexec): in ~/.zshenv, set XDG_CACHE_HOME");
}
