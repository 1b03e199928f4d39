//! Running a part of a test in another process: the same test of this binary,
//! told its part through the environment.

use std::path::{Path, PathBuf};
use std::process::Command;

const STORE: &str = "STEADFAST_TEST_STORE";

/// The store that this process, started by a test, is to work on.
pub fn given_store() -> Option<PathBuf> {
    std::env::var_os(STORE).map(PathBuf::from)
}

/// Adds the arguments that make this binary play the other part of a test.
pub fn play(command: &mut Command, test: &str, store: &Path) {
    command.args([test, "--exact", "--nocapture"]).env(STORE, store);
}

/// This binary, playing the other part of a test.
pub fn playing(test: &str, store: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    play(&mut command, test, store);
    command
}
