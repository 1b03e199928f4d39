//! Ends a standstill: a model that stops (SIGSTOP) the program which audits it.

use std::io::{self, Read, Write};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rt::process::{self, Signal};
use rt::{family, role};

/// The role of the process that ends a standstill.
pub const STANDSTILL_ROLE: &str = "role-audit-guard";

const LOOK_EVERY: Duration = Duration::from_millis(100);
/// After this number of looks at a stopped program, its model has stopped it: a user who stops it
/// from a terminal stops this process too, which then does not look.
const MOST_LOOKS: u32 = 50;

/// A process that continues this one if its model stops it.
pub(crate) struct Guard(Child);

impl Guard {
    pub(crate) fn start() -> io::Result<Self> {
        let mut command = role::command(role::program(), STANDSTILL_ROLE);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().map(Self)
    }

    /// Ends the guard. Returns whether it had to continue this process.
    pub(crate) fn has_acted(mut self) -> bool {
        let mut told = Vec::new();
        // Fails if it has ended already, which is the goal.
        let _ = self.0.kill();
        if let Some(mut output) = self.0.stdout.take() {
            let _ = output.read_to_end(&mut told);
        }
        let _ = self.0.wait();
        !told.is_empty()
    }
}

/// Plays the role: when the process that started it has been stopped for too long, kills everything
/// else that it has started, continues it and writes a byte. Ends with that process.
///
/// # Errors
/// One line if this program did not start it.
pub fn guard_standstill(to: &mut impl Write) -> Result<(), String> {
    role::die_with_starter().map_err(|error| error.to_string())?;
    let starter = process::parent();
    let mut looks = 0;
    loop {
        sleep(LOOK_EVERY);
        looks = if process::is_stopped(starter) { looks + 1 } else { 0 };
        if looks < MOST_LOOKS {
            continue;
        }
        let others = family::descendants(starter).into_iter();
        for other in others.filter(|other| other.pid != process::this()) {
            // Fails if it has ended already, which is the goal.
            let _ = process::send(other.pid, Signal::KILL);
        }
        to.write_all(b"!").and_then(|()| to.flush()).map_err(|error| error.to_string())?;
        process::send(starter, Signal::CONT).map_err(|error| error.to_string())?;
    }
}
