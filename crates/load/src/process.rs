//! The processes of a load: started, checked for work, and ended with the run.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base::CpuSet;
use record::{LoadFound, LoadSpec, Warning};
use rt::captured_output::Words;
use rt::memory::available_bytes;
use rt::process::{Pid, is_stopped};
use rt::role;
use rt::shared::SharedCounter;
use rt::thread::wait_for;

use crate::typed::{argument, known};
use crate::watch::{Watched, WorkWatch};
use crate::{Load, Processes};

/// A load process that has not done a unit of work by then has failed.
const WORK_TIMEOUT: Duration = Duration::from_secs(10);
/// A load process that is still stopped by then stays stopped: Ctrl-Z stops this process, too.
const STOP_TIMEOUT: Duration = Duration::from_millis(500);
/// Time that a guard has to end what it started.
const GUARD_TIMEOUT: Duration = Duration::from_secs(6);

/// A load at work. Dropping it ends its processes.
pub struct Running {
    load: &'static Load,
    spec: LoadSpec,
    workers: Vec<Worker>,
    /// Watches the work from the mark until [`Running::done`].
    watch: Option<WorkWatch>,
    unsteady: Option<Warning>,
}

struct Worker {
    process: Child,
    words: Words,
    counter: Arc<SharedCounter>,
    cpus: CpuSet,
    is_guard: bool,
    at_mark: u64,
}

/// Starts a load on the CPUs that it requests, or otherwise on the usable ones, and waits until
/// every process has done work.
///
/// `program` is this program; it is started in its load role.
///
/// # Errors
/// One line: why the load does not work.
pub fn start(spec: &LoadSpec, program: &Path, usable: &CpuSet) -> Result<Running, String> {
    let load = known(&spec.name)?;
    let cpus = spec.cpus.as_ref().unwrap_or(usable);
    let places: Vec<CpuSet> = match load.processes {
        Processes::None => Vec::new(),
        Processes::OnEachCpu => cpus.iter().map(CpuSet::one).collect(),
        Processes::One | Processes::Guard => vec![cpus.clone()],
    };
    let is_guard = load.processes == Processes::Guard;
    // Read before the first process takes its share.
    let granted = granted_to_each(places.len());
    let workers = places
        .into_iter()
        .map(|cpus| Worker::start(spec, program, cpus, granted, is_guard))
        .collect::<Result<Vec<_>, _>>()?;
    let mut running = Running { load, spec: spec.clone(), workers, watch: None, unsteady: None };
    running.wait_for_work()?;
    running.mark()?;
    Ok(running)
}

/// Returns the memory that each process may use, in bytes: all together half of what is free.
pub(crate) fn granted_to_each(processes: usize) -> u64 {
    available_bytes() / 2 / processes.max(1) as u64
}

impl Worker {
    fn start(
        spec: &LoadSpec,
        program: &Path,
        cpus: CpuSet,
        granted: u64,
        is_guard: bool,
    ) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: {error}", program.display());
        let counter = Arc::new(SharedCounter::new().map_err(failed)?);
        let words = Words::new().map_err(failed)?;
        let mut command = role::command(program, "role-load");
        command
            .args([spec.to_string(), cpus.to_string()])
            .arg(counter.descriptor().to_string())
            .arg(granted.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(words.input().map_err(failed)?);
        if is_guard {
            // A signal to the whole process group must not end the guard, which cleans up.
            command.process_group(0);
        }
        let process = command.spawn().map_err(failed)?;
        Ok(Self { process, words, counter, cpus, is_guard, at_mark: 0 })
    }

    fn watched(&self) -> Watched {
        Watched {
            counter: self.counter.clone(),
            process: Pid::from_child(&self.process),
            cpu: (self.cpus.iter().next()).filter(|cpu| self.cpus == CpuSet::one(*cpu)),
        }
    }

    /// Returns why the process has ended, if it has: its own message if there is one.
    fn ended(&mut self) -> Option<String> {
        let status = self.process.try_wait().ok()??;
        Some(self.words.error().unwrap_or_else(|| format!("on CPU {} with {status}", self.cpus)))
    }

    /// Waits until the process has counted beyond `count`; false if not, soon if it is stopped.
    fn exceeds(&mut self, count: u64) -> bool {
        let process = Pid::from_child(&self.process);
        let mut look = || match self.counter.get() > count {
            true => Some(true),
            false => self.ended().map(|_| false),
        };
        let mut within = |longest| wait_for(longest, Duration::from_millis(1), &mut look);
        let soon = within(STOP_TIMEOUT).or_else(|| is_stopped(process).then_some(false));
        soon.or_else(|| within(WORK_TIMEOUT)).unwrap_or(false)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        if self.is_guard {
            wait_for(GUARD_TIMEOUT, Duration::from_millis(2), || self.ended());
        }
        // An error here means that the process has already ended, which is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Running {
    fn wait_for_work(&mut self) -> Result<(), String> {
        for worker in &mut self.workers {
            if !worker.exceeds(0) {
                return Err(worker.ended().unwrap_or_else(|| {
                    format!("its process on CPU {} does no work", worker.cpus)
                }));
            }
        }
        Ok(())
    }

    /// Starts counting work from here.
    ///
    /// # Errors
    /// Fails if the kernel allows no thread to watch the work.
    pub fn mark(&mut self) -> Result<(), String> {
        for worker in &mut self.workers {
            worker.at_mark = worker.counter.get();
        }
        let watched = self.workers.iter().map(Worker::watched).collect();
        let watch = WorkWatch::start(watched);
        self.watch = Some(watch.map_err(|error| format!("its work cannot be watched: {error}"))?);
        Ok(())
    }

    /// Returns what each process has done since the mark.
    pub fn done(&mut self) -> Vec<LoadFound> {
        if let Some(watch) = self.watch.take() {
            self.unsteady = watch.finish(&self.spec.to_string());
        }
        let unit = (self.load.unit)(argument(self.load, &self.spec));
        self.workers
            .iter()
            .map(|worker| LoadFound {
                name: self.spec.to_string(),
                cpus: worker.cpus.clone(),
                work_done: worker.counter.get() - worker.at_mark,
                unit: unit.to_owned(),
            })
            .collect()
    }

    /// Checks that every process has worked all the time since the mark and still works. `done` is
    /// the work at the end of the measurement: a process that was stopped during it does not count
    /// any further. Waits for the next unit of work.
    ///
    /// # Errors
    /// The warning that invalidates or qualifies the run.
    pub fn still_works(&mut self, done: &[LoadFound]) -> Result<(), Warning> {
        let load = self.spec.to_string();
        for (worker, done) in self.workers.iter_mut().zip(done) {
            if let Some(reason) = worker.ended() {
                return Err(Warning::LoadEnded { load, reason });
            }
            if done.work_done == 0 {
                return Err(Warning::LoadIdle { load });
            }
            if !worker.exceeds(worker.at_mark + done.work_done) {
                return Err(match worker.ended() {
                    Some(reason) => Warning::LoadEnded { load, reason },
                    None => Warning::LoadStalled { load },
                });
            }
        }
        self.unsteady.take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(load: &str, program: &str) -> Result<Running, String> {
        super::start(&load.parse().unwrap(), Path::new(program), &CpuSet::one(0))
    }

    #[test]
    fn a_program_that_does_no_work_is_refused() {
        let error = start("cpu", "/bin/true").err().unwrap();
        assert_eq!(error, "on CPU 0 with exit status: 0");
        let error = start("cpu", "/nowhere/at/all").err().unwrap();
        assert!(error.contains("/nowhere/at/all"), "{error}");
        assert!(start("nonsense", "/bin/true").is_err());
    }

    #[test]
    fn fewer_processes_are_granted_more_each() {
        let (one, sixteen) = (granted_to_each(1), granted_to_each(16));
        assert!(one > 4 * sixteen && sixteen > 0, "{one} {sixteen}");
    }

    #[test]
    fn no_load_has_no_process() {
        let mut running = start("none", "/nowhere").unwrap();
        assert!(running.done().is_empty());
        assert_eq!(running.still_works(&[]), Ok(()));
    }
}
