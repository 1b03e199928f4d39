//! The program on the machine at the other end: in the user's cache folder, under the
//! name of its hash.

use std::process::ExitStatus;

use plan::{About, RunSpec};
use rt::role::STARTED_BY;

use super::connection::{Connection, said};
use super::program::Program;
use crate::TargetError;

/// The folder, as a shell there reads it.
const FOLDER: &str = "${XDG_CACHE_HOME:-$HOME/.cache}/steadfast";

/// Brings the program there, unless it is there already. It has its name only when all of
/// it has arrived.
pub(super) fn bring(
    connection: &Connection,
    program: &Program,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), TargetError> {
    let Program { bytes, sha256, .. } = program;
    let file = file(program);
    let matches = |file: &str| format!(r#"[ "$(sha256sum < "{file}" | cut -c 1-64)" = {sha256} ]"#);
    let is_there = format!(r#"[ -x "{file}" ] && {}"#, matches(&file));
    if connection
        .call(&is_there, &[], keep_going)?
        .status
        .success()
    {
        return Ok(());
    }
    let copy = format!(
        r#"umask 077; t="{file}.$$"; mkdir -p "{FOLDER}" && cat > "$t" && {} && chmod 700 "$t" && mv -f "$t" "{file}" || {{ rm -f "$t"; exit 1; }}"#,
        matches("$t")
    );
    let copied = connection.call(&copy, bytes, keep_going)?;
    match copied.status.success() {
        true => Ok(()),
        false => Err(TargetError::Failed(format!(
            "the program could not be copied to {}: {}",
            connection.destination,
            not_copied(&copied.words, copied.status)
        ))),
    }
}

/// Where nothing was said, the copy has another hash.
fn not_copied(words: &str, status: ExitStatus) -> String {
    match (words.is_empty(), status.code()) {
        (true, Some(1)) => "what arrived has another SHA-256".to_owned(),
        _ => said(words, status),
    }
}

/// Asks the program there about its machine and these runs.
pub(super) fn about(
    connection: &Connection,
    program: &Program,
    specs: &[RunSpec],
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<About, TargetError> {
    let failed = |why: String| {
        let (host, remedy) = (&connection.destination, program.remedy());
        TargetError::Failed(format!(
            "the program does not run on {host}: {why}; {remedy}"
        ))
    };
    let specs = serde_json::to_vec(specs).map_err(|error| failed(error.to_string()))?;
    let answer = connection.call(&role(program, "role-about"), &specs, keep_going)?;
    if !answer.status.success() {
        return Err(failed(said(&answer.words, answer.status)));
    }
    let about = serde_json::from_slice::<About>(&answer.output).ok();
    about.filter(is_of_this_version).ok_or_else(|| {
        TargetError::Failed(format!(
            "the program on {} answers something else: it is of another version than this one, \
             or the shell there prints something when it starts",
            connection.destination
        ))
    })
}

fn is_of_this_version(about: &About) -> bool {
    about.tool_version == env!("CARGO_PKG_VERSION")
}

/// The program there in a role, as a shell reads it, which has itself replaced.
pub(super) fn role(program: &Program, role: &str) -> String {
    format!(r#"exec env {STARTED_BY}=$PPID "{}" {role}"#, file(program))
}

fn file(program: &Program) -> String {
    format!("{FOLDER}/steadfast-{}", program.sha256)
}
