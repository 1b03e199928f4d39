//! Checks that the program of a model exists before anything runs.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use record::NOWHERE;

/// Characters that make a word more than a name for the shell.
const OF_THE_SHELL: &[char] = &['$', '"', '\'', '`', '\\', '=', '(', '{', '~', '*', '?', '['];

/// Refuses a command line whose first word does not name a program here.
pub(crate) fn refuse_missing(line: &str) -> Result<(), String> {
    let name = line.split_whitespace().next().unwrap_or_default();
    if name.is_empty() || name == NOWHERE || name.contains(OF_THE_SHELL) {
        return Ok(());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let is_there = match name.contains('/') {
        true => is_program(Path::new(name)),
        false => env::split_paths(&path).any(|folder| is_program(&folder.join(name))),
    };
    if is_there {
        return Ok(());
    }
    Err(format!(
        "--program: `{name}` is not an executable file; give its path, or the name of a program on the PATH"
    ))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_on_the_path_or_where_its_path_says() {
        for line in ["", NOWHERE, "sh -c true", "/bin/sh", "$HOME/model", "LANG=C model"] {
            assert_eq!(refuse_missing(line), Ok(()), "{line}");
        }
        for line in ["/dev/zero", "/no/such --flag", "no-such-program-at-all 1"] {
            assert!(refuse_missing(line).unwrap_err().starts_with("--program: "), "{line}");
        }
    }
}
