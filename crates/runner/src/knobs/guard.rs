//! A process that restores settings after the run that changed them has ended in any way.
//!
//! It has a separate session, so that no signal to the run's process group or terminal reaches it,
//! and it does not die with the run. It learns from the end of a pipe that the run has ended.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use rt::thread::wait_for;
use rt::{process, role};

use super::back::{give_back_left_over, is_left_over};

/// The guard of a run. Dropping it waits until the guard has seen that everything is restored.
pub(super) struct Guard(Child);

/// What a guard writes once signals to the run cannot reach it.
const READY: &[u8] = b"ready\n";

impl Guard {
    /// Starts a guard and waits until it is ready; nothing may be changed before.
    pub(super) fn start() -> io::Result<Self> {
        let mut command = role::command(role::program(), ROLE);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take();
        let guard = Self(child);
        let mut ready = [0; READY.len()];
        match output.map(|mut output| output.read_exact(&mut ready)) {
            Some(Ok(())) if ready == READY => Ok(guard),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

pub const ROLE: &str = "role-knob-guard";

/// The kernel releases the lock of a run's journal a moment after it closes the run's pipe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs as the guard: ends when everything is restored.
///
/// # Errors
/// Fails if it cannot create a session.
pub fn guard(from: &mut impl Read, to: &mut impl Write) -> Result<(), String> {
    let failed = |error: io::Error| format!("the guard of the settings: {error}");
    process::begin_session().map_err(failed)?;
    to.write_all(READY).and_then(|()| to.flush()).map_err(failed)?;
    io::copy(from, &mut io::sink()).map_err(failed)?;
    wait_for(PATIENCE, Duration::from_millis(20), || {
        give_back_left_over();
        (!is_left_over()).then_some(())
    });
    Ok(())
}
