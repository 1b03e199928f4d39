//! What a user has at home and in the environment does not reach the program under test.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

thread_local! {
    /// The home of the calling test, which has a thread of its own.
    static HOME: TempDir = tempfile::tempdir().unwrap();
}

/// Variables that change what the program says or where it looks, beside those with these beginnings.
const NAMES: [&str; 8] =
    ["HOME", "TMPDIR", "LANG", "LANGUAGE", "NO_COLOR", "COLUMNS", "SSH_CONNECTION", "SUDO_USER"];
const BEGINNINGS: [&str; 3] = ["XDG_", "STEADFAST_", "LC_"];

/// Gives a command a home and a folder for temporary files of the calling test, and none of the
/// user's variables about such places.
pub fn at_home(command: &mut Command) -> &mut Command {
    HOME.with(|home| at(command, home.path()))
}

/// Does the same with that folder as the home, which it must be able to use.
pub fn at<'c>(command: &'c mut Command, home: &Path) -> &'c mut Command {
    let is_users = |name: &String| {
        NAMES.contains(&&**name) || BEGINNINGS.iter().any(|begin| name.starts_with(begin))
    };
    let variables = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in variables.filter(is_users) {
        command.env_remove(name);
    }
    let temporary = home.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    command.env("HOME", home).env("TMPDIR", temporary)
}
