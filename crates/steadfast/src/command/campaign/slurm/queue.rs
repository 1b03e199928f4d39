//! Slurm's own commands: submits, watches and cancels job arrays by their name.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::startup::files::replace;

/// Tasks in one array. A site's MaxArraySize is 1001 by default.
pub(super) const LARGEST_ARRAY: usize = 1000;

/// The script of each task: its arguments are program, plan, directory, the directory of the
/// plan's paths, and the array's first run.
const TASK: &str = include_str!("task.sh");

pub(super) struct Queue {
    name: String,
}

impl Queue {
    pub(super) fn named(name: String) -> Result<Self> {
        answer("sinfo", ["--version"]).context(NEEDS)?;
        Ok(Self { name })
    }

    /// Submits an array: the runs at these places after the first, each on a separate node. The tasks
    /// need the program, the plan and the directory.
    pub(super) fn submit(&self, tasks: [&Path; 4], first: usize, places: &[usize]) -> Result<()> {
        let script = tasks[2].join("task.sh");
        replace(&script, TASK).with_context(|| format!("cannot write {}", script.display()))?;
        let places: Vec<String> = places.iter().map(usize::to_string).collect();
        let array = format!("--array={}", places.join(","));
        let name = format!("--job-name={}", self.name);
        let first = first.to_string();
        let fixed = ["--exclusive", "--nodes=1", "--ntasks=1", "--mem=0", "--output=/dev/null"];
        let options = [&*array, &*name].into_iter().chain(fixed).map(OsStr::new);
        let paths = [&*script].into_iter().chain(tasks).map(Path::as_os_str);
        answer("sbatch", options.chain(paths).chain([OsStr::new(&first)]))?;
        Ok(())
    }

    /// Returns the states of the tasks that have not ended, one word each.
    pub(super) fn states(&self) -> Result<Vec<String>> {
        let name = format!("--name={}", self.name);
        let words = ["--noheader", "--array", "--me", "--format=%T", &name];
        let states = answer("squeue", words)?;
        Ok(states.lines().map(|state| state.trim().to_owned()).collect())
    }

    pub(super) fn cancel(&self) -> Result<()> {
        let name = format!("--name={}", self.name);
        answer("scancel", ["--me", &name])?;
        Ok(())
    }
}

const NEEDS: &str =
    "--slurm needs Slurm's commands on this machine (sinfo, sbatch, squeue, scancel)";

fn answer<S: AsRef<OsStr>>(program: &str, words: impl IntoIterator<Item = S>) -> Result<String> {
    let done = Command::new(program).args(words).output();
    let done = done.with_context(|| format!("cannot start `{program}`"))?;
    if !done.status.success() {
        let why = String::from_utf8_lossy(&done.stderr);
        let why = why.lines().next().unwrap_or("no reason given");
        bail!("`{program}` failed: {why}");
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
