//! A peer that misbehaves: data from the other end of a connection is trusted only as far as its
//! specification goes. No network is used: the `ssh` of these tests runs commands on this machine,
//! and lies where a test tells it to.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::common::{Done, MODEST, PROGRAM, by_other, eventually, pid, run};
use rustix::process::{Signal, kill_process_group};
use tempfile::TempDir;
use testing::write_script;

/// The most memory that the program may use, in KiB.
const MOST_MEMORY: &str = "2000000";

struct Peer(TempDir);

impl Peer {
    /// Creates a peer that runs `lie` instead of command lines that contain `word`.
    fn lying(word: &str, lie: &str) -> Self {
        let peer = Self(tempfile::tempdir().unwrap());
        let ssh = peer.0.path().join("ssh");
        let lies = format!("case \"$last\" in *{word}*) {lie} ;; esac");
        write_script(&ssh, &format!("for last; do :; done\n{lies}\neval \"$last\""));
        peer
    }

    fn steadfast(&self, line: &str) -> Command {
        let folder = self.0.path();
        let mut command = by_other("sh");
        let bounded = format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"");
        command
            .args(["-c", &bounded, PROGRAM])
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .env("STEADFAST_SSH", folder.join("ssh"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("TMPDIR", folder);
        command
    }

    fn measure(&self) -> Done {
        let line = format!("run wakeup --period 1ms --seconds 0.1 {MODEST} --beside");
        let more = format!("--target ssh:bench --store {}", self.store());
        Done::of(self.steadfast(&format!("{line} {more}")))
    }

    fn store(&self) -> String {
        self.0.path().join("there.db").display().to_string()
    }

    fn folders(&self) -> usize {
        let here = fs::read_dir(self.0.path()).unwrap().flatten();
        let names = here.map(|entry| entry.file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("steadfast-ssh")).count()
    }
}

#[test]
fn an_honest_peer_is_believed() {
    let peer = Peer::lying("nothing", ":");
    peer.measure().succeeded();
    assert_eq!(peer.folders(), 0);
}

#[test]
fn a_peer_that_goes_on_without_end_is_given_up() {
    for (word, lie, reason) in [
        ("greets", "yes", "prints endlessly"),
        ("role-about", "yes; exit", "continues after"),
        ("role-remote", "cat /dev/zero; exit", "continues after"),
        (
            "role-remote",
            "eval \"$last\"; echo more; exit",
            "bytes follow the end of its recording: 5",
        ),
        ("role-remote", "yes | head -c 30000000 >&2; exit 3", "y"),
    ] {
        let peer = Peer::lying(word, lie);
        peer.measure().refuses(reason);
        assert_eq!(peer.folders(), 0);
    }
}

#[test]
fn invalid_knobs_are_refused() {
    for (lie, reason) in [
        ("echo nonsense; exit", "is unknown"),
        ("echo error: no room >&2; exit 2", "no room"),
        ("echo '{\"knobs\": [], \"running\": [1]}'; exit", "is unknown"),
    ] {
        let peer = Peer::lying("role-knobs", lie);
        Done::of(peer.steadfast("knobs --target ssh:bench")).refuses(reason);
    }
}

#[test]
fn an_answer_to_something_else_is_refused() {
    for (change, reason) in [
        ("s/100000000/200000000/", "other parameters or conditions"),
        ("s/\"wakeup\"/\"clock_overhead\"/", "it is a recording of clock_overhead"),
    ] {
        // A FIFO that is open in both directions never ends, just as the connection would not.
        let lie = format!(
            "mkfifo $0.there; exec 4<>$0.there; head -n 1 | sed '{change}' >&4; \
             eval \"$last\" <&4; exit"
        );
        let peer = Peer::lying("role-remote", &lie);
        peer.measure().refuses(reason);
        let report = run(&format!("report {} --json", peer.store())).stdout();
        assert!(!report.contains("\"rows\""), "{report}");
    }
}

#[test]
fn what_a_peer_says_cannot_control_the_terminal() {
    for (word, says) in [
        ("greets", "printf 'error: \\033[2Jgone\\n' >&2; exit 255"),
        ("role-remote", "printf 'error: \\033[2Jgone\\n' >&2; exit 2"),
        ("uname", "echo steadfast-greets '\\033[2Jgone'; sleep 1; exit"),
    ] {
        let reason = Peer::lying(word, says).measure().ended_with(2).stderr();
        assert!(reason.contains("\\u001b[2Jgone"), "{reason:?}");
        assert!(!reason.contains('\u{1b}'), "{reason:?}");
    }
}

#[test]
fn an_early_end_leaves_no_folder() {
    let peer = Peer::lying("greets", "exec sleep 100");
    let connecting = || {
        let mut command = peer.steadfast("run wakeup --beside --target ssh:bench");
        let program = command.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn();
        eventually("the connection's folder", || peer.folders() == 1);
        program.unwrap()
    };
    for signal in [Signal::INT, Signal::TERM] {
        let program = connecting();
        kill_process_group(pid(program.id()), signal).unwrap();
        let done = Done::at_end(program);
        assert_eq!((done.code(), peer.folders()), (130, 0), "{}", done.stderr());
    }
    let program = connecting();
    kill_process_group(pid(program.id()), Signal::KILL).unwrap();
    program.wait_with_output().unwrap();
    assert_eq!(peer.folders(), 1);
    let next = Done::of(peer.steadfast("list"));
    assert!(next.restored().contains("temporary folders"), "{}", next.restored());
    assert_eq!(peer.folders(), 0);
}
