//! `steadfast soak --on-miss`: runs a user's command after an interval with a miss.

use std::io;
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use analysis::soak::Interval;

use crate::output::tell;

/// Least time from one start of the command to the next.
const EVERY: Duration = Duration::from_secs(60);

/// The command, which runs next to this program and off the measured CPUs.
pub(super) struct OnMiss {
    command: String,
    last: Option<(Instant, Child)>,
}

impl OnMiss {
    pub(super) fn new(command: &str) -> Self {
        Self { command: command.to_owned(), last: None }
    }

    /// Starts the command after a miss, unless it still runs or began less than a minute ago.
    pub(super) fn look_at(&mut self, interval: &Interval) {
        if interval.missed == 0 || self.is_too_early() {
            return;
        }
        match self.start(interval) {
            Ok(child) => self.last = Some((Instant::now(), child)),
            Err(error) => tell(&format!("--on-miss: cannot start a shell: {error}")),
        }
    }

    fn is_too_early(&mut self) -> bool {
        let Some((started, child)) = &mut self.last else {
            return false;
        };
        let is_running = matches!(child.try_wait(), Ok(None));
        is_running || started.elapsed() < EVERY
    }

    fn start(&self, interval: &Interval) -> io::Result<Child> {
        let causes: Vec<&str> = interval.causes.iter().map(|share| &*share.cause.words).collect();
        Command::new("sh")
            .args(["-c", &self.command])
            .env("STEADFAST_BEGAN_AT", &interval.began_at)
            .env("STEADFAST_MISSED", interval.missed.to_string())
            .env("STEADFAST_MAX_NS", interval.max_ns.unwrap_or(0).to_string())
            .env("STEADFAST_CAUSES", causes.join("; "))
            .stdin(Stdio::null())
            // Standard output is for the answer.
            .stdout(io::stderr().as_fd().try_clone_to_owned()?)
            .spawn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;
    use crate::driver::fake;
    use analysis::soak::Soak;
    use std::fs;

    #[test]
    fn the_command_starts_once_a_minute_at_most_and_only_after_a_miss() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("missed");
        let mut on_miss = OnMiss::new(&format!("echo $STEADFAST_MISSED >> {}", file.display()));
        let specs = specs_of("wakeup --cpus 0 --policy other").unwrap();
        let mut interval = Soak::default().add(&fake::outcome(&specs[0], 0, 1)).interval;
        for missed in [0, 3, 5] {
            interval.missed = missed;
            on_miss.look_at(&interval);
            if let Some((_, child)) = &mut on_miss.last {
                assert!(child.wait().unwrap().success());
            }
        }
        assert_eq!(fs::read_to_string(file).unwrap(), "3\n");
    }
}
