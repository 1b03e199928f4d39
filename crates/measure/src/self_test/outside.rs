//! The process that disturbs from outside, and its record.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, ChildStdin, Stdio};

use base::Nanos;
use blame::Cause;
use rt::process::{THIS_PROGRAM, this};
use rt::role;

use super::disturbance::Outside;
use super::timing::{BURST, EVERY};

/// The name of the process's task.
const NAME: &str = "steadfast-hog";

pub(super) fn is_hog(cause: &Cause) -> bool {
    // A thread of Steadfast is named after its process and its own name: `steadfast 12741, NAME`.
    matches!(cause, Cause::Task(task) if task.name.ends_with(NAME))
}

/// The disturbing process; dropping it ends the process.
pub(super) struct Process(Child);

impl Outside {
    pub(super) fn start(&self, bursts: u64) -> io::Result<Process> {
        let time = |time: Nanos| time.to_string();
        let mut command = role::command(THIS_PROGRAM, "role-hog");
        command
            .args([NAME, &self.policy.to_string()])
            .args([self.cpus.to_string(), time(BURST), time(EVERY)])
            .arg(bursts.to_string());
        if self.stops {
            command.arg(this().to_string());
        }
        let child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        Ok(Process(child))
    }
}

impl Process {
    /// Returns the pipe that holds the bursts back; drop it when the loop is ready to see them.
    pub(super) fn go(&mut self) -> Option<ChildStdin> {
        self.0.stdin.take()
    }

    /// Returns the start and end of each burst, and how long the process had the CPU in it.
    pub(super) fn bursts(mut self) -> io::Result<Vec<[u64; 3]>> {
        let output = self.0.stdout.take().into_iter();
        let lines = output.flat_map(|output| BufReader::new(output).lines());
        let bursts: Vec<[u64; 3]> = lines.filter_map(|line| burst(&line.ok()?)).collect();
        let is_done = self.0.wait()?.success();
        is_done.then_some(bursts).ok_or_else(|| io::Error::other("the disturbing process failed"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn burst(line: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = line.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}
