//! A place of a value: how it is read and written.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::Policy;
use rt::process::Pid;
use rt::{sched, tasks};
use serde::{Deserialize, Serialize};

use crate::form::Form;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    File {
        path: PathBuf,
        form: Form,
    },
    /// The policy of a task.
    Task {
        task: i32,
        /// Its start in clock ticks since boot, because a later task may have the same ID.
        started: u64,
    },
    /// A resctrl group, which is a directory that the kernel fills.
    Group {
        path: PathBuf,
        /// The files in it that are written after it was created, in this order.
        files: Vec<(String, Form)>,
    },
    /// A systemd unit.
    Unit {
        unit: String,
    },
}

/// The value of a group that does not exist.
const ABSENT: &str = "absent";
/// The value of a unit that is stopped.
pub(crate) const INACTIVE: &str = "inactive";

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, .. } | Self::Group { path, .. } => path.display().fmt(f),
            Self::Task { task, .. } => write!(f, "task {task}"),
            Self::Unit { unit } => unit.fmt(f),
        }
    }
}

impl Place {
    /// The file that contains the value, if it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::Task { .. } | Self::Group { .. } | Self::Unit { .. } => None,
        }
    }

    /// # Errors
    /// The system's; `NotFound` if the place no longer exists, `InvalidData` for an invalid value.
    pub fn read(&self) -> io::Result<String> {
        match self {
            Self::File { path, form } => read_file(path, *form),
            Self::Task { task, started } => Ok(policy(*task, *started)?.to_string()),
            Self::Group { path, files } => read_group(path, files),
            Self::Unit { unit } => {
                let asked = systemctl("is-active", unit).output()?;
                Ok(String::from_utf8_lossy(&asked.stdout).trim().to_owned())
            }
        }
    }

    /// # Errors
    /// The system's; `NotFound` if the place no longer exists, `InvalidInput` for an invalid value.
    pub fn write(&self, value: &str) -> io::Result<()> {
        match self {
            Self::File { path, form } => write_file(path, *form, value),
            Self::Task { task, started } => {
                policy(*task, *started)?;
                let policy = value.parse::<Policy>().map_err(invalid)?;
                sched::set_policy_of(pid(*task)?, policy)
            }
            Self::Group { path, .. } if value == ABSENT => fs::remove_dir(path),
            Self::Group { path, files } => make_group(path, files, value),
            Self::Unit { unit } => {
                let verb = if value == INACTIVE { "stop" } else { "start" };
                let done = systemctl(verb, unit).output()?;
                let is_done = done.status.success();
                if is_done { Ok(()) } else { Err(io::Error::other(first_line(&done.stderr))) }
            }
        }
    }
}

fn invalid(error: impl fmt::Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error.to_string())
}

fn read_file(path: &Path, form: Form) -> io::Result<String> {
    let text = fs::read_to_string(path)?;
    form.read(&text)
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, format!("it reads {text:?}")))
}

/// Writes a file in one system call, as the kernel requires.
fn write_file(path: &Path, form: Form, value: &str) -> io::Result<()> {
    let text = form
        .written(value)
        .ok_or_else(|| invalid(format!("`{value}` is not a valid value for this file")))?;
    let mut file = OpenOptions::new().write(true).truncate(true).open(path)?;
    file.write_all(text.as_bytes())
}

fn pid(task: i32) -> io::Result<Pid> {
    tasks::pid(task).ok_or_else(|| ErrorKind::NotFound.into())
}

/// Returns the policy of a task, if it is still the task that was meant; a slice is left to the
/// kernel.
fn policy(task: i32, started: u64) -> io::Result<Policy> {
    if tasks::start_of(pid(task)?) != Some(started) {
        return Err(ErrorKind::NotFound.into());
    }
    Ok(match sched::policy_of(task)? {
        Policy::Other { nice, .. } => Policy::Other { nice, slice: None },
        policy => policy,
    })
}

fn read_group(path: &Path, files: &[(String, Form)]) -> io::Result<String> {
    if !path.exists() {
        return Ok(ABSENT.to_owned());
    }
    let line = |(name, form): &(String, Form)| {
        let value = read_file(&path.join(name), *form)?;
        Ok(format!("{name}={value}"))
    };
    let lines: io::Result<Vec<String>> = files.iter().map(line).collect();
    Ok(lines?.join(" "))
}

/// Creates a group; removes it again if it cannot be filled.
fn make_group(path: &Path, files: &[(String, Form)], value: &str) -> io::Result<()> {
    fs::create_dir(path)?;
    let fill = || {
        for (name, form) in files {
            let mut words = value.split(' ').filter_map(|word| word.split_once('='));
            let (_, value) = words
                .find(|(of, _)| of == name)
                .ok_or_else(|| invalid(format!("the value has no {name}")))?;
            write_file(&path.join(name), *form, value)?;
        }
        Ok(())
    };
    fill().inspect_err(|_| {
        let _ = fs::remove_dir(path);
    })
}

fn systemctl(verb: &str, unit: &str) -> Command {
    let mut command = Command::new("systemctl");
    command.args([verb, "--", unit]).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

fn first_line(words: &[u8]) -> String {
    let words = String::from_utf8_lossy(words);
    words.lines().next().unwrap_or("it failed").to_owned()
}
