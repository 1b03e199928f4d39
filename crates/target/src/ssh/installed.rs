//! The program on the other machine: in the user's cache folder, under a name with its hash.

use plan::{About, RunSpec};
use rt::role::{FILES, STARTED_BY};

use super::brought::{Brought, FOLDER, folder_of_files};
use super::connection::{Connection, said};
use super::program::Program;
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
    let failed = |why: String| {
        let remedy = program.remedy();
        TargetError::Failed(format!("the program does not run on {host}: {why}; {remedy}"))
    };
    let specs = serde_json::to_vec(specs).map_err(|error| failed(error.to_string()))?;
    let answer = connection.call(&role(program, "role-about"), &specs, keep_going)?;
    if !answer.status.success() {
        return Err(failed(said(&answer.words, answer.status)));
    }
    let about = serde_json::from_slice::<About>(&answer.output).ok();
    let is_of_this_version = |about: &About| about.tool_version == env!("CARGO_PKG_VERSION");
    about.filter(is_of_this_version).ok_or_else(|| {
        TargetError::Failed(format!(
            "unexpected answer from the program on {host}: it has another version than this one, or \
             the shell there prints something when it starts"
        ))
    })
}

/// The shell command that becomes the program there in a role, with the files of its runs.
pub(super) fn role(program: &Program, role: &str) -> String {
    let (files, file) = (folder_of_files(), file(program));
    format!(r#"exec env {STARTED_BY}=$PPID {FILES}="{files}" "{FOLDER}/{file}" {role}"#)
}

fn file(program: &Program) -> String {
    format!("steadfast-{}", program.sha256)
}
