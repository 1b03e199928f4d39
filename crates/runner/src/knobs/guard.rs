//! A process that gives settings back when the run that changed them is gone in any way.
//!
//! It has a session of its own, so that no signal to the run's group or terminal reaches it, and
//! does not die with the run; it learns from the end of a pipe that the run is gone.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use rt::thread::wait_for;
use rt::{process, role};

use super::back::{give_back_left_over, is_left_over};

/// The guard of a run; dropped, it finds that everything is given back, and ends.
pub(super) struct Guard(Child);

/// What a guard says once nothing that is meant for the run reaches it.
const READY: &[u8] = b"ready\n";

impl Guard {
    /// Starts one, and waits until it is ready: nothing must be changed before.
    ///
    /// # Errors
    /// The kernel's.
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

/// The name of the role.
pub const ROLE: &str = "role-knob-guard";

/// The kernel drops the lock of a run's journal a moment after its pipe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Is that guard: ends when everything is given back.
///
/// # Errors
/// Where it cannot have a session of its own.
pub fn guard(from: &mut impl Read, to: &mut impl Write) -> Result<(), String> {
    let failed = |error: io::Error| format!("the guard of settings: {error}");
    process::begin_session().map_err(failed)?;
    to.write_all(READY).and_then(|()| to.flush()).map_err(failed)?;
    io::copy(from, &mut io::sink()).map_err(failed)?;
    wait_for(PATIENCE, Duration::from_millis(20), || {
        give_back_left_over();
        (!is_left_over()).then_some(())
    });
    Ok(())
}
