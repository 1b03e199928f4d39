//! A peer that is not what it says: what a machine at the other end of a connection sends is
//! believed as far as its specification goes. Without a network: the `ssh` of these tests
//! runs on this machine what it is told to run there, and lies where it is told to.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use common::{Done, MODEST, eventually, pid, steadfast};
use rustix::process::{Signal, kill_process_group};
use tempfile::TempDir;

/// What the program may take in memory, in KiB.
const MOST_MEMORY: &str = "2000000";

struct Peer(TempDir);

impl Peer {
    /// One that does this instead of what it is asked in lines with that word.
    fn lying(word: &str, lie: &str) -> Self {
        let peer = Self(tempfile::tempdir().unwrap());
        let ssh = peer.0.path().join("ssh");
        let text = format!(
            "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in *{word}*) {lie} ;; esac\n\
             eval \"$last\"\n"
        );
        fs::write(&ssh, text).unwrap();
        fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
        peer
    }

    fn steadfast(&self, line: &str) -> Command {
        let folder = self.0.path();
        let mut command = Command::new("sh");
        let bounded = format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"");
        command
            .args(["-c", &bounded, env!("CARGO_BIN_EXE_steadfast")])
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .env("STEADFAST_SSH", folder.join("ssh"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("TMPDIR", folder);
        command
    }

    fn measure(&self) -> Done {
        let store = self.0.path().join("there.db").display().to_string();
        let line = format!(
            "run wakeup --period 1ms --seconds 0.1 {MODEST} --target ssh:bench --store {store}"
        );
        Done::of(self.steadfast(&line))
    }

    fn folders(&self) -> usize {
        let here = fs::read_dir(self.0.path()).unwrap().flatten();
        here.filter(|entry| entry.file_name().to_string_lossy().starts_with("steadfast-ssh"))
            .count()
    }
}

#[test]
fn an_honest_peer_is_believed() {
    let peer = Peer::lying("nothing", ":");
    let done = peer.measure();
    done.succeeded();
    assert_eq!(peer.folders(), 0);
}

#[test]
fn a_peer_that_goes_on_without_end_is_given_up() {
    for (word, lie, told) in [
        ("greets", "yes", "prints without end"),
        ("role-about", "yes; exit", "goes on after"),
        ("role-remote", "cat /dev/zero; exit", "goes on after"),
        ("role-remote", "yes | head -c 30000000 >&2; exit 3", "y"),
    ] {
        let peer = Peer::lying(word, lie);
        let done = peer.measure();
        done.refuses(told);
        assert_eq!(peer.folders(), 0);
    }
}

#[test]
fn knobs_that_are_none_are_refused() {
    for (lie, told) in [
        ("echo nonsense; exit", "is not told"),
        ("echo error: no room >&2; exit 2", "no room"),
        ("echo '{\"knobs\": [], \"running\": [1]}'; exit", "is not told"),
    ] {
        let peer = Peer::lying("role-knobs", lie);
        Done::of(peer.steadfast("knobs --target ssh:bench")).refuses(told);
    }
}

#[test]
fn an_answer_to_something_else_is_refused() {
    for (change, told) in [
        ("s/100000000/200000000/", "other parameters or conditions"),
        ("s/\"wakeup\"/\"clock_overhead\"/", "it is of clock_overhead"),
    ] {
        // A FIFO that is open in both directions never ends, as the connection would not.
        let lie = format!(
            "mkfifo $0.there; exec 4<>$0.there; head -n 1 | sed '{change}' >&4; \
             eval \"$last\" <&4; exit"
        );
        let peer = Peer::lying("role-remote", &lie);
        peer.measure().refuses(told);
        let store = peer.0.path().join("there.db").display().to_string();
        let report = Done::of(steadfast(&format!("report {store} --json")));
        assert!(!report.stdout().contains("\"rows\""), "{}", report.stdout());
    }
}

#[test]
fn what_a_peer_says_commands_no_terminal() {
    for (word, says) in [
        ("greets", "printf 'error: \\033[2Jgone\\n' >&2; exit 255"),
        ("role-remote", "printf 'error: \\033[2Jgone\\n' >&2; exit 2"),
        ("uname", "echo steadfast-greets '\\033[2Jgone'; sleep 1; exit"),
    ] {
        let done = Peer::lying(word, says).measure();
        done.ended_with(2);
        let told = done.stderr();
        assert!(told.contains("\\u001b[2Jgone"), "{told:?}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}

#[test]
fn an_early_end_leaves_no_folder() {
    let peer = Peer::lying("greets", "exec sleep 100");
    let connecting = || {
        let mut command = peer.steadfast("run wakeup --target ssh:bench");
        let program = command.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn();
        eventually("the connection's folder", || peer.folders() == 1);
        program.unwrap()
    };
    for signal in [Signal::INT, Signal::TERM] {
        let program = connecting();
        kill_process_group(pid(program.id()), signal).unwrap();
        let done = Done(program.wait_with_output().unwrap());
        assert_eq!((done.code(), peer.folders()), (130, 0), "{}", done.stderr());
    }
    let program = connecting();
    kill_process_group(pid(program.id()), Signal::KILL).unwrap();
    program.wait_with_output().unwrap();
    assert_eq!(peer.folders(), 1);
    let next = Done::of(peer.steadfast("list"));
    assert!(next.stderr().contains("temporary folders"), "{}", next.stderr());
    assert_eq!(peer.folders(), 0);
}
