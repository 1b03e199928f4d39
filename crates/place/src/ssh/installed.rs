//! The program on the other machine: in the user's cache folder, under a name with its hash.

use record::{About, RunSpec};
use rt::role::{FILES, STARTED_BY};

use super::brought::{Brought, FOLDER, folder_of_files};
use super::connection::{Connection, said};
use crate::program::Program;
use crate::{KeepGoing, TargetError};

/// Copies the program there, unless it is already there.
pub(super) fn bring(
    connection: &mut Connection,
    program: &Program,
    keep_going: KeepGoing,
) -> Result<(), TargetError> {
    let brought = Brought {
        name: "the program",
        folder: FOLDER,
        file: &file(program),
        bytes: &program.bytes,
        sha256: &program.sha256,
        rights: "700",
    };
    brought.bring(connection, keep_going)
}

/// Requests a report from the program there about its machine and these runs.
pub(super) fn about(
    connection: &mut Connection,
    program: &Program,
    specs: &[RunSpec],
    keep_going: KeepGoing,
) -> Result<About, TargetError> {
    let host = connection.destination.clone();
    let specs =
        serde_json::to_vec(specs).map_err(|error| TargetError::Failed(error.to_string()))?;
    let answer = connection.call(&role(program, "role-about"), &specs, keep_going)?;
    if !answer.status.success() {
        let remedy = match answer.status.code() {
            Some(NOT_EXECUTABLE) => executable_elsewhere(connection.shell.start_file()),
            _ => program.remedy(),
        };
        let why = said(&answer.words, answer.status);
        let words = format!("the program does not run on {host}: {why}; {remedy}");
        return Err(TargetError::Failed(words));
    }
    let about = serde_json::from_slice::<About>(&answer.output).ok();
    let is_of_this_version = |about: &About| about.tool_version == env!("CARGO_PKG_VERSION");
    about.filter(is_of_this_version).ok_or_else(|| {
        TargetError::Failed(format!(
            "unexpected answer from the program on {host}: it has another version than this one"
        ))
    })
}

/// The code with which a shell ends if a file may not be executed: POSIX.1-2017, 2.8.2.
const NOT_EXECUTABLE: i32 = 126;

/// Returns the remedy where files below the home folder may not be executed (`mount -o noexec`).
fn executable_elsewhere(start_file: &str) -> String {
    format!(
        "files below ~/.cache may not be executed there (noexec): in {start_file}, set XDG_CACHE_HOME to \
         a folder whose files may be"
    )
}

/// The shell command that becomes the program there in a role, with the files of its runs.
pub(super) fn role(program: &Program, role: &str) -> String {
    let (files, file) = (folder_of_files(), file(program));
    format!(r#"exec env {STARTED_BY}=$PPID {FILES}="{files}" "{FOLDER}/{file}" {role}"#)
}

fn file(program: &Program) -> String {
    format!("steadfast-{}", program.sha256)
}
