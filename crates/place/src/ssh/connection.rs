//! One connection of the system's `ssh` for all sessions: ssh_config(5), `ControlMaster`.

use std::env;
use std::io::Write;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use base::shown;
use rt::owned::{self, CONNECTIONS};
use rt::process::die_together;
use rt::thread::{start, wait_for};
use tempfile::TempDir;

use super::shell::Shell;
use crate::following::{Ended, failed, follow, not_followed, piped, pipes};
use crate::hearing::Hearing;
use crate::waiting::LOOK_EVERY;
use crate::{KeepGoing, TargetError};

/// Environment variable with the `ssh` to use, and its arguments separated by blanks.
const SSH: &str = "STEADFAST_SSH";
/// A silent connection counts as lost after four times this many seconds.
const ALIVE: [&str; 2] = ["ServerAliveInterval=5", "ServerAliveCountMax=3"];
/// Switches off what a session without terminal and ports cannot use of the configuration.
const PLAIN: [&str; 3] = ["ClearAllForwardings=yes", "RemoteCommand=none", "PermitLocalCommand=no"];
/// What the connection itself prints when it is up; then it stays open until its input ends.
const GREETING: &str = "steadfast-greets";
/// What a session prints before its answer. A shell may print at its start, which precedes it.
const ANSWER: &str = "steadfast-answers";
/// The most bytes that a shell there may print before the greeting, as at every login.
const MOST_BEFORE_GREETING: u64 = 32 << 10;
/// The most bytes of an answer; it describes the machine with all of its CPUs.
const MOST_ANSWERED: u64 = 16 << 20;
/// The code with which `ssh` reports its errors; any other is the command's: ssh(1).
const OF_SSH: i32 = 255;
/// How long an `ssh` may take to notice its end.
const SOON: Duration = Duration::from_secs(2);

/// A connection, which is closed when dropped.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) destination: String,
    /// Architecture of the machine there, as `uname -m` prints it.
    pub(super) architecture: String,
    pub(super) shell: Shell,
    /// Folder of the socket, only for this user; its name contains this process, to be found later.
    folder: TempDir,
    master: Child,
    heard: Hearing,
    said: Hearing,
}

impl Connection {
    /// Connects; `ssh` asks on the terminal for what it needs.
    pub(super) fn open(destination: &str, keep_going: KeepGoing) -> Result<Self, TargetError> {
        let folder = TempDir::with_prefix(owned::folders_of_this(CONNECTIONS)).map_err(failed)?;
        let script = format!("echo {GREETING} $(uname -m) ${{SHELL##*/}}; exec cat > /dev/null");
        let options = ["ControlMaster=yes", "ControlPersist=no"];
        let command = ssh(destination, &folder, &[&options[..], &ALIVE].concat(), &script);
        let mut connection = Self::start(destination, folder, command)?;
        (connection.architecture, connection.shell) = connection.greeted(keep_going)?;
        Ok(connection)
    }

    fn start(
        destination: &str,
        folder: TempDir,
        mut command: Command,
    ) -> Result<Self, TargetError> {
        die_together(piped(&mut command));
        let mut master = command.spawn().map_err(|error| {
            let program = command.get_program().display();
            TargetError::Failed(format!(
                "cannot start `{program}`: {error}; install it (openssh-client) or name another \
                 with {SSH}"
            ))
        })?;
        let (heard, said) = pipes(&mut master);
        Ok(Self {
            destination: destination.to_owned(),
            architecture: String::new(),
            shell: Shell::default(),
            folder,
            master,
            heard: Hearing::of(heard).map_err(failed)?,
            said: Hearing::of(said).map_err(failed)?,
        })
    }

    /// Waits for the greeting and returns the architecture in it, and the login shell, whose output may
    /// precede it.
    fn greeted(&mut self, keep_going: KeepGoing) -> Result<(String, Shell), TargetError> {
        loop {
            let ended = self.ended();
            let heard = self.heard.text();
            let greeting = heard.split_once(GREETING);
            if let Some((words, _)) = greeting.and_then(|(_, rest)| rest.split_once('\n')) {
                let mut words = words.split_whitespace();
                let architecture = shown(words.next().unwrap_or_default()).into_owned();
                return Ok((architecture, Shell::new(words.next().unwrap_or_default())));
            }
            if !keep_going() {
                return Err(TargetError::Interrupted);
            }
            let host = &self.destination;
            if let Some(words) = ended {
                return Err(TargetError::Failed(format!("ssh to {host}: {words}")));
            }
            if self.heard.bytes() > MOST_BEFORE_GREETING {
                return Err(TargetError::Failed(format!(
                    "ssh to {host}: the shell there prints endlessly when it starts"
                )));
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Creates a session that runs a line of shell there; the line must not contain `'`.
    pub(super) fn session(&self, script: &str) -> Command {
        let options = [
            "ControlMaster=no",
            "BatchMode=yes",
            // Otherwise, a session whose shared connection is gone would open a separate one.
            "ProxyCommand=false",
        ];
        let script = format!("echo {ANSWER}; {script}");
        ssh(&self.destination, &self.folder, &options, &script)
    }

    /// Runs a line of shell to its end, with this input.
    pub(super) fn call(
        &mut self,
        script: &str,
        input: &[u8],
        keep_going: KeepGoing,
    ) -> Result<Ended, TargetError> {
        let mut session = piped(&mut self.session(script)).spawn().map_err(failed)?;
        let (pipe, input) = (session.stdin.take(), input.to_vec());
        // If the input is not read, only this thread is blocked, and it ends with the session.
        start("input", move || pipe.map(|mut pipe| pipe.write_all(&input)))
            .map_err(|error| not_followed(&mut session, error))?;
        self.follow(session, MOST_ANSWERED, None, keep_going)
    }

    /// Follows a session to its end, as [`follow`]. The error is [`TargetError::Lost`] if it ended
    /// because the connection did, and `Interrupted` after Ctrl-C, which reaches `ssh` first.
    pub(super) fn follow(
        &mut self,
        mut session: Child,
        most_bytes: u64,
        longest: Option<Duration>,
        keep_going: KeepGoing,
    ) -> Result<Ended, TargetError> {
        let mut ended = follow(&mut session, most_bytes, longest, keep_going)?;
        ended.output.drain(..start_of_answer(&ended.output));
        if !ended.status.success() && !keep_going() {
            return Err(TargetError::Interrupted);
        }
        if ended.status.code().is_none_or(|code| code == OF_SSH)
            && let Some(words) = self.ended_soon()
        {
            let host = &self.destination;
            return Err(TargetError::Lost(format!("the connection to {host} was lost: {words}")));
        }
        Ok(ended)
    }

    /// Returns the message of `ssh` at the end of the connection; `None` while it is up.
    pub(super) fn ended(&mut self) -> Option<String> {
        let status = self.master.try_wait().ok().flatten()?;
        Some(said(&self.said.last_words(), status))
    }

    /// Like [`Self::ended`], but waits for a connection that may be about to end: its sessions end
    /// first.
    fn ended_soon(&mut self) -> Option<String> {
        wait_for(SOON, LOOK_EVERY, || self.ended())
    }
}

/// Returns where the answer starts in the output of a session; 0 if its shell did not come so far.
fn start_of_answer(output: &[u8]) -> usize {
    let mark = format!("{ANSWER}\n");
    let found = output.windows(mark.len()).position(|bytes| bytes == mark.as_bytes());
    found.map_or(0, |place| place + mark.len())
}

impl Drop for Connection {
    fn drop(&mut self) {
        drop(self.master.stdin.take());
        if self.ended_soon().is_none() {
            // If this fails, it has already ended.
            let _ = self.master.kill();
            let _ = self.master.wait();
        }
    }
}

/// The system's `ssh` with these options, which come before the user's own configuration.
fn ssh(destination: &str, folder: &TempDir, options: &[&str], script: &str) -> Command {
    let typed = env::var(SSH).unwrap_or_default();
    let mut words = typed.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("ssh"));
    let socket = folder.path().join("socket");
    command
        .args(words)
        .args(["-T", "-a", "-x", "-o"])
        .arg(format!("ControlPath=\"{}\"", socket.display()))
        .args(PLAIN.iter().chain(options).flat_map(|option| ["-o", option]))
        .args(named(destination))
        .arg(format!("sh -c '{script}'"));
    command
}

/// Returns a destination in the form for `ssh`, whose own addresses do not accept IPv6 in brackets.
fn named(destination: &str) -> Vec<String> {
    let in_brackets = || {
        let named = destination.strip_prefix("ssh://")?;
        let (user, host) = named.rsplit_once('@').unzip();
        let (address, port) = host.unwrap_or(named).strip_prefix('[')?.split_once(']')?;
        let user = user.map_or(String::new(), |user| format!("{user}@"));
        let port = port.strip_prefix(':').map(|port| ["-p", port]);
        let words = port.into_iter().flatten().map(str::to_owned);
        Some(words.chain(["--".to_owned(), format!("{user}{address}")]).collect())
    };
    in_brackets().unwrap_or_else(|| vec!["--".to_owned(), destination.to_owned()])
}

/// Returns the last line of the output, or else how the process ended.
pub(super) fn said(words: &str, status: ExitStatus) -> String {
    let last = words.lines().rev().map(str::trim).find(|l| !l.is_empty());
    match last {
        Some(line) => shown(line.strip_prefix("error: ").unwrap_or(line)).into_owned(),
        None => format!("ended with {status}, without a message"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what this line of shell connects to.
    fn connection(script: &str) -> Connection {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        Connection::start("bench", TempDir::new().unwrap(), shell).unwrap()
    }

    #[test]
    fn the_greeting_is_found_in_what_a_shell_prints_at_login() {
        let script = format!("printf 'no end> '; echo {GREETING} aarch64 zsh; cat > /dev/null");
        let found = connection(&script).greeted(&mut || true).unwrap();
        assert_eq!(found, ("aarch64".to_owned(), Shell::new("zsh")));
        let refused = connection("echo no such host >&2; exit 255").greeted(&mut || true);
        assert!(refused.unwrap_err().to_string().contains("no such host"));
    }

    #[test]
    fn an_answer_follows_what_a_shell_prints_when_it_starts() {
        let answer = |output: &str| output[start_of_answer(output.as_bytes())..].to_owned();
        let noise = "welcome\nno end> ";
        assert_eq!(answer(&format!("{noise}{ANSWER}\nof {ANSWER}\n")), format!("of {ANSWER}\n"));
        assert_eq!(answer(noise), noise);
    }

    #[test]
    fn a_session_fails_by_itself_by_an_interrupt_or_by_the_loss_of_its_connection() {
        let (up, lost) = ("cat > /dev/null", "echo broken pipe >&2; exit 255");
        let code = |connected, session, goes_on| {
            let mut made = connection(connected);
            // Its shell may start late on a busy host.
            while connected == lost && made.ended().is_none() {
                thread::sleep(LOOK_EVERY);
            }
            let mut shell = Command::new("sh");
            let session = piped(shell.args(["-c", session])).spawn().unwrap();
            let ended = made.follow(session, 1, None, &mut || goes_on);
            ended.map(|ended| ended.status.code())
        };
        assert_eq!(code(up, "exit 255", true).unwrap(), Some(255));
        assert_eq!(code(lost, "exit 2", true).unwrap(), Some(2));
        let interrupted = code(lost, "exit 255", false).unwrap_err();
        assert!(matches!(interrupted, TargetError::Interrupted));
        let error = code(lost, "exit 255", true).unwrap_err();
        assert!(matches!(error, TargetError::Lost(why) if why.contains("broken pipe")));
    }

    #[test]
    fn an_address_in_brackets_is_split() {
        for (destination, words) in [
            ("bench", "-- bench"),
            ("ssh://root@bench:2222", "-- ssh://root@bench:2222"),
            ("ssh://[::1]:22", "-p 22 -- ::1"),
            ("ssh://root@[fe80::1%eth0]", "-- root@fe80::1%eth0"),
        ] {
            assert_eq!(named(destination).join(" "), words);
        }
    }
}
