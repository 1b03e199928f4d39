//! Detects whether this process was started over a connection.

use std::env;
use std::iter::successors;

use crate::process::this;
use crate::{read, tasks};

/// Whether an ancestor of this process belongs to ssh, or ssh itself reports it: ssh(1)
/// `SSH_CONNECTION`, which sudo(8) removes.
#[must_use]
pub fn is_over_ssh() -> bool {
    let is_ssh = |name: String| name.starts_with("sshd");
    let mut above = successors(Some(this()), |process| tasks::parent_of(*process));
    env::var_os("SSH_CONNECTION").is_some()
        || above.any(|process| read::text(format!("/proc/{process}/comm")).is_some_and(is_ssh))
}
