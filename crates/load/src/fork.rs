//! Fork load: processes that start, execute a program, and end.

use std::io;
use std::process::{Command, Stdio};

use rt::process::{THIS_PROGRAM, die_together, fork_and_wait};

use crate::Load;

pub(crate) const LOAD: Load = Load {
    name: "fork",
    summary: "alternates forking a process that ends at once, and one that executes `steadfast \
              --version`",
    unit: |_| "processes forked",
    is_aggressor: true,
    prepare: |_, _| {
        Ok(Box::new(|| {
            fork_and_wait().map_err(|error| format!("fork: {error}"))?;
            executed().map_err(|error| format!("exec: {error}"))?;
            Ok(2)
        }))
    },
    ..Load::PLAIN
};

/// Starts a process that executes this program, which prints its version and ends.
fn executed() -> io::Result<()> {
    let mut command = Command::new(THIS_PROGRAM);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    die_together(&mut command);
    command.status().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel_counts::processes;

    #[test]
    fn the_kernel_counts_as_many_processes() {
        let mut work = (LOAD.prepare)("", u64::MAX).unwrap();
        let before = processes();
        let done: u64 = (0..5).map(|_| work().unwrap()).sum();
        assert!(processes() - before >= done && done == 10);
    }
}
