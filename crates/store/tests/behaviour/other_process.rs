//! Runs a part of a test in another process: the same test of this binary, which finds its part in
//! the environment.

use std::path::{Path, PathBuf};
use std::process::Command;

const STORE: &str = "STEADFAST_TEST_STORE";

/// Returns the store on which this process works, if a test started it.
pub fn given_store() -> Option<PathBuf> {
    std::env::var_os(STORE).map(PathBuf::from)
}

/// Adds the arguments that make this binary run the other part of a test.
pub fn play(command: &mut Command, test: &str, store: &Path) {
    command.args([test, "--exact", "--nocapture"]).env(STORE, store);
}

/// Returns a command that runs the other part of a test in this binary.
pub fn playing(test: &str, store: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    play(&mut command, test, store);
    command
}
