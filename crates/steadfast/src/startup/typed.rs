//! The command line, as it was typed.

use std::ffi::OsString;

use rt::process::{self, Pid};

/// Returns the program's arguments. The kernel passes its first process every parameter that it
/// does not know, before the ones meant for that process; those are dropped.
pub(crate) fn words() -> Vec<OsString> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let is_guest = process::this() == Pid::INIT && words.last().is_some_and(|w| w == place::GUEST);
    match words.as_slice() {
        [program, .., role] if is_guest => vec![program.clone(), role.clone()],
        _ => words,
    }
}

/// Returns the command line, as a shell reads it.
pub(crate) fn as_typed() -> String {
    let options = words().into_iter().skip(1);
    let quoted = options.map(|word| base::quoted(&word.to_string_lossy()));
    ["steadfast".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}
