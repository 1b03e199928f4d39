//! The roles that this program plays for itself, in processes of its own: how they are
//! started, and how such a process knows that it was.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{Pid, THIS_PROGRAM, die_with, parent, this};

/// Names, in the environment of a process in a role, the process that started it: by
/// number. Nobody types it by accident, and what inherits it has another parent.
pub const STARTED_BY: &str = "STEADFAST_STARTED_BY";

/// The program in a role, started from here.
#[must_use]
pub fn command(program: impl AsRef<OsStr>, role: &str) -> Command {
    let mut command = Command::new(program);
    command.arg0("steadfast").arg(role).env(STARTED_BY, this().to_string());
    command
}

/// Names, in the environment of a process in a role, the program that has every role, where it
/// runs one that has its own alone.
pub const PROGRAM: &str = "STEADFAST_PROGRAM";

/// The program to start in another role.
#[must_use]
pub fn program() -> PathBuf {
    env::var_os(PROGRAM).map_or_else(|| THIS_PROGRAM.into(), PathBuf::from)
}

/// Names, in the environment of a process in a role, the folder in which files of a person's lie
/// that came from elsewhere, each by its SHA-256.
pub const FILES: &str = "STEADFAST_FILES";

/// Where a file lies, which a person named by its path where the run was asked for.
#[must_use]
pub fn file(path: &str, sha256: &str) -> PathBuf {
    let came = env::var_os(FILES).map(|folder| PathBuf::from(folder).join(sha256));
    came.filter(|path| path.exists()).unwrap_or_else(|| path.into())
}

/// Whether this process was started in its role by the process that is its parent.
#[must_use]
pub fn was_started_for_it() -> bool {
    env::var(STARTED_BY).is_ok_and(|by| by == parent().to_string())
}

/// Ends this process with the thread that started it in its role.
///
/// # Errors
/// Where that is gone already.
pub fn die_with_starter() -> io::Result<()> {
    let starter = env::var(STARTED_BY).ok().and_then(|by| Pid::from_raw(by.parse().ok()?));
    starter.map_or(Err(io::ErrorKind::NotFound.into()), die_with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_knows_its_starter_and_hands_it_to_nobody() {
        let said = |script: &str| {
            let mut role = command("/bin/sh", "-c");
            let said = role.arg(script).output().unwrap().stdout;
            String::from_utf8(said).unwrap()
        };
        assert_eq!(said("[ $STEADFAST_STARTED_BY = $PPID ] && echo mine"), "mine\n");
        let inherited = "sh -c '[ $STEADFAST_STARTED_BY = $PPID ] || echo another'; true";
        assert_eq!(said(inherited), "another\n");
        assert!(!was_started_for_it() && die_with_starter().is_err());
    }
}
