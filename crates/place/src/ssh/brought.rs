//! Copies files to the user's cache folder on the other machine, under names with their hashes.

use std::process::ExitStatus;

use record::FileAsked;

use super::connection::{Connection, said};
use crate::{KeepGoing, TargetError, asked};

/// The folder, in the syntax of the shell there.
pub(super) const FOLDER: &str = "${XDG_CACHE_HOME:-$HOME/.cache}/steadfast";
/// Number of the user's files that are kept there for later runs: those that were requested last.
const KEPT: usize = 16;

/// A file that is needed at the other end.
pub(super) struct Brought<'a> {
    /// Its name in error messages.
    pub(super) name: &'a str,
    /// Its folder there, in the syntax of a shell.
    pub(super) folder: &'a str,
    /// Its name in the folder.
    pub(super) file: &'a str,
    pub(super) bytes: &'a [u8],
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub(super) sha256: &'a str,
    /// Its permissions, in the syntax of chmod(1).
    pub(super) rights: &'a str,
}

impl Brought<'_> {
    /// Copies the file if it is missing; it gets its name only after it has arrived completely.
    pub(super) fn bring(
        &self,
        connection: &mut Connection,
        keep_going: KeepGoing,
    ) -> Result<(), TargetError> {
        let Self { name, folder, file, bytes, sha256, rights } = self;
        let place = format!("{folder}/{file}");
        let matches =
            |file: &str| format!(r#"[ "$(sha256sum < "{file}" | cut -c 1-64)" = {sha256} ]"#);
        let is_there = format!(
            r#"[ -r "{place}" ] && {} && chmod {rights} "{place}" && touch -a "{place}""#,
            matches(&place)
        );
        let found = connection.call(&is_there, &[], keep_going)?;
        if found.status.success() {
            return Ok(());
        }
        let copy = format!(
            r#"umask 077; t="{place}.$$"; mkdir -p "{folder}" && cat > "$t" && {} && chmod {rights} "$t" && mv -f "$t" "{place}" || {{ rm -f "$t"; exit 1; }}"#,
            matches("$t")
        );
        let copied = connection.call(&copy, bytes, keep_going)?;
        match copied.status.success() {
            true => Ok(()),
            false => Err(TargetError::Failed(format!(
                "{name} could not be copied to {}: {}",
                connection.destination,
                not_copied(&copied.words, copied.status)
            ))),
        }
    }
}

/// The folder of the user's files, in the syntax of the shell there.
pub(super) fn folder_of_files() -> String {
    format!("{FOLDER}/files")
}

/// Copies the missing files of a run there, and removes those that were not requested for a long
/// time.
pub(super) fn bring_files(
    connection: &mut Connection,
    files: &[FileAsked],
    keep_going: KeepGoing,
) -> Result<(), TargetError> {
    let folder = folder_of_files();
    for file in files {
        let bytes = asked::read(file).map_err(TargetError::Failed)?;
        let brought = Brought {
            name: &file.path,
            folder: &folder,
            file: &file.sha256,
            bytes: &bytes,
            sha256: &file.sha256,
            rights: "600",
        };
        brought.bring(connection, keep_going)?;
    }
    if !files.is_empty() {
        let first = KEPT.max(files.len()) + 1;
        let remove = format!(
            r#"cd "{folder}" && ls -tu | tail -n +{first} | while read -r file; do rm -f "$file"; done"#
        );
        connection.call(&remove, &[], keep_going)?;
    }
    Ok(())
}

/// Describes the failure. Without any message, the copy has another hash.
fn not_copied(words: &str, status: ExitStatus) -> String {
    match (words.is_empty(), status.code()) {
        (true, Some(1)) => "the copy has another SHA-256".to_owned(),
        _ => said(words, status),
    }
}
