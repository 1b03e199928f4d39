//! `steadfast soak --on-miss`: runs a user's command after an interval with a miss.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use analysis::soak::Interval;
use rt::ending::{end_group, has_ended};
use rt::process::die_together;
use rt::thread::wait_for;

use crate::startup::output::tell;

/// Least time from one start of the command to the next.
const EVERY: Duration = Duration::from_secs(60);

/// Longest time that the end of a soak waits for the command.
const LONGEST_END: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);

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
        if let Some((_, before)) = &mut self.last {
            end_group(before);
        }
        match self.start(interval) {
            Ok(child) => self.last = Some((Instant::now(), child)),
            Err(error) => tell(&format!("--on-miss: cannot start a shell: {error}")),
        }
    }

    fn is_too_early(&self) -> bool {
        let Some((started, child)) = &self.last else {
            return false;
        };
        !has_ended(child) || started.elapsed() < EVERY
    }

    fn start(&self, interval: &Interval) -> io::Result<Child> {
        let causes: Vec<&str> = interval.causes.iter().map(|share| &*share.cause.words).collect();
        let mut command = Command::new("sh");
        die_together(&mut command);
        command
            .args(["-c", &self.command])
            .env("STEADFAST_BEGAN_AT", &interval.began_at)
            .env("STEADFAST_MISSED", interval.missed.to_string())
            .env("STEADFAST_MAX_NS", interval.max_ns.unwrap_or(0).to_string())
            .env("STEADFAST_CAUSES", causes.join("; "))
            .stdin(Stdio::null())
            .process_group(0)
            // Standard output is for the answer.
            .stdout(io::stderr().as_fd().try_clone_to_owned()?)
            .spawn()
    }
}

impl Drop for OnMiss {
    /// Waits for a command that still runs, and then ends it with everything that it has started.
    fn drop(&mut self) {
        let Some((_, child)) = &mut self.last else { return };
        let ended = || has_ended(child).then_some(());
        if wait_for(LONGEST_END, LOOK_EVERY, ended).is_none() {
            let seconds = LONGEST_END.as_secs();
            tell(&format!(
                "--on-miss: ended the command, which still ran {seconds} s after the soak"
            ));
        }
        end_group(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;
    use crate::session::driver::fake;
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
            if let Some((_, child)) = &on_miss.last {
                wait_for(LONGEST_END, LOOK_EVERY, || has_ended(child).then_some(())).unwrap();
            }
        }
        assert_eq!(fs::read_to_string(file).unwrap(), "3\n");
    }

    #[test]
    fn nothing_that_the_command_started_outlives_the_soak() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let mut on_miss = OnMiss::new(&format!("sleep 600 & echo $! > {}", file.display()));
        let specs = specs_of("wakeup --cpus 0 --policy other").unwrap();
        let mut interval = Soak::default().add(&fake::outcome(&specs[0], 0, 1)).interval;
        interval.missed = 1;
        on_miss.look_at(&interval);
        drop(on_miss);
        let left: i32 = fs::read_to_string(file).unwrap().trim().parse().unwrap();
        let status = || rt::read::text(format!("/proc/{left}/stat"));
        let ended = || status().is_none_or(|stat| stat.contains(") Z ")).then_some(());
        assert!(wait_for(LONGEST_END, LOOK_EVERY, ended).is_some());
    }
}
