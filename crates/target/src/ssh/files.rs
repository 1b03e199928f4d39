//! The user's files that a run needs at the other end.

use plan::FileAsked;

use super::brought::{Brought, FOLDER};
use super::connection::Connection;
use crate::{KeepGoing, TargetError, asked};

/// Number of files that are kept there for later runs: those that were requested last.
const KEPT: usize = 16;

/// The folder of the files, in the syntax of the shell there.
pub(super) fn folder() -> String {
    format!("{FOLDER}/files")
}

/// Copies the missing files there, and removes those that were not requested for a long time.
pub(super) fn bring(
    connection: &mut Connection,
    files: &[FileAsked],
    keep_going: KeepGoing,
) -> Result<(), TargetError> {
    let folder = folder();
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
