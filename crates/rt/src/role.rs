//! The roles that this program plays for itself, in separate processes: how they are started, and
//! how such a process knows that it was.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{THIS_PROGRAM, die_with, parent, this};
use crate::tasks;

/// The environment variable with the number of the process that started this one in a role. It is
/// not set by accident, and processes that inherit it have another parent.
pub const STARTED_BY: &str = "STEADFAST_STARTED_BY";

/// Creates the command that starts a program in a role from this process.
#[must_use]
pub fn command(program: impl AsRef<OsStr>, role: &str) -> Command {
    let mut command = Command::new(program);
    command.arg0("steadfast").arg(role).env(STARTED_BY, this().to_string());
    command
}

/// The environment variable with the program that has every role, for a process in a role that runs
/// a program with only its own role.
pub const PROGRAM: &str = "STEADFAST_PROGRAM";

/// Returns the program to start in another role.
#[must_use]
pub fn program() -> PathBuf {
    env::var_os(PROGRAM).map_or_else(|| THIS_PROGRAM.into(), PathBuf::from)
}

/// The environment variable with the folder of user files that came from another machine, each
/// named by its SHA-256.
pub const FILES: &str = "STEADFAST_FILES";

/// Returns the place of a file that the user named by its path on the machine from which the run
/// was started.
#[must_use]
pub fn file(path: &str, sha256: &str) -> PathBuf {
    let came = env::var_os(FILES).map(|folder| PathBuf::from(folder).join(sha256));
    came.filter(|path| path.exists()).unwrap_or_else(|| path.into())
}

/// The role of the first process of a machine of the lab.
pub const GUEST: &str = "role-guest";

/// Whether this machine is one of the lab, whose clock counts instructions: whatever else runs
/// changes what is measured.
#[must_use]
pub fn is_in_lab() -> bool {
    let line = crate::read::text("/proc/cmdline").unwrap_or_default();
    line.trim_end().rsplit(' ').next() == Some(GUEST)
}

/// Whether this process was started in its role by the process that is its parent.
#[must_use]
pub fn was_started_for_it() -> bool {
    env::var(STARTED_BY).is_ok_and(|by| by == parent().to_string())
}

/// Makes this process end with the thread that started it in its role.
///
/// # Errors
/// Fails if that thread has already ended.
pub fn die_with_starter() -> io::Result<()> {
    let starter = env::var(STARTED_BY).ok().and_then(|by| tasks::pid_in(&by));
    starter.map_or(Err(io::ErrorKind::NotFound.into()), die_with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_knows_its_starter_but_its_children_do_not() {
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
