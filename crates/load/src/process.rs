//! The processes of a load: started, shown to work, ended with the run.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plan::LoadFound;
use rt::process::{Pid, die_with, this};
use rt::sched;
use rt::shared::SharedCounter;
use units::CpuSet;

use crate::{Load, find};

/// A load process that has not done a unit of work by then will not.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// A load at work. Dropped, its processes are ended.
pub struct Running {
    load: &'static dyn Load,
    workers: Vec<Worker>,
}

struct Worker {
    process: Child,
    counter: SharedCounter,
    cpu: usize,
    at_mark: u64,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A process that is already gone is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a load on the given CPUs and waits until every process has done work.
///
/// `program` is this program, which is started in its load role.
///
/// # Errors
/// One line: which load, and why it does not work.
pub fn start(name: &str, program: &Path, cpus: &CpuSet) -> Result<Running, String> {
    let load = find(name).ok_or_else(|| format!("there is no load `{name}`"))?;
    let cpus = if load.works() {
        cpus.clone()
    } else {
        CpuSet::default()
    };
    let workers = cpus
        .iter()
        .map(|cpu| spawn(load, program, cpu))
        .collect::<Result<Vec<_>, _>>()?;
    let mut running = Running { load, workers };
    running.wait_for_work()?;
    running.mark();
    Ok(running)
}

fn spawn(load: &'static dyn Load, program: &Path, cpu: usize) -> Result<Worker, String> {
    let counter = SharedCounter::new().map_err(|error| error.to_string())?;
    let process = Command::new(program)
        .arg0("steadfast")
        .args(["role-load", load.name()])
        .args([cpu.to_string(), counter.descriptor().to_string()])
        .arg(this().as_raw_nonzero().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(Worker {
        process,
        counter,
        cpu,
        at_mark: 0,
    })
}

impl Running {
    fn wait_for_work(&mut self) -> Result<(), String> {
        let give_up = Instant::now() + START_TIMEOUT;
        for worker in &mut self.workers {
            while worker.counter.get() == 0 {
                if let Ok(Some(status)) = worker.process.try_wait() {
                    return Err(format!(
                        "its process on CPU {} ended with {status}",
                        worker.cpu
                    ));
                }
                if Instant::now() > give_up {
                    return Err(format!("its process on CPU {} does no work", worker.cpu));
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        Ok(())
    }

    /// Counts from here.
    pub fn mark(&mut self) {
        for worker in &mut self.workers {
            worker.at_mark = worker.counter.get();
        }
    }

    /// Whether any process of the load has ended.
    pub fn has_ended(&mut self) -> bool {
        self.workers
            .iter_mut()
            .any(|worker| !matches!(worker.process.try_wait(), Ok(None)))
    }

    /// The load's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.load.name()
    }

    /// What each process has done since the mark.
    #[must_use]
    pub fn done(&self) -> Vec<LoadFound> {
        self.workers
            .iter()
            .map(|worker| LoadFound {
                name: self.load.name().to_owned(),
                cpus: CpuSet::one(worker.cpu),
                work_done: worker.counter.get() - worker.at_mark,
                unit: self.load.unit().to_owned(),
            })
            .collect()
    }
}

/// The load role: works on one CPU until the process that started it ends.
///
/// # Errors
/// One line when it cannot start; else it never returns.
pub fn serve(name: &str, cpu: usize, descriptor: i32, parent: i32) -> Result<(), String> {
    let load = find(name).ok_or_else(|| format!("there is no load `{name}`"))?;
    let parent = Pid::from_raw(parent).ok_or("the parent's number is 0")?;
    die_with(parent).map_err(|error| error.to_string())?;
    let counter = SharedCounter::inherited(descriptor).map_err(|error| error.to_string())?;
    sched::set_affinity(&CpuSet::one(cpu)).map_err(|error| error.to_string())?;
    sched::leave_real_time().map_err(|error| error.to_string())?;
    loop {
        load.work();
        counter.add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_no_work_is_no_load() {
        let cpus = CpuSet::one(0);
        let error = start("cpu", Path::new("/bin/true"), &cpus).err().unwrap();
        assert!(error.contains("ended with"), "{error}");
        let error = start("cpu", Path::new("/nowhere/at/all"), &cpus)
            .err()
            .unwrap();
        assert!(error.contains("/nowhere/at/all"), "{error}");
        assert!(start("nonsense", Path::new("/bin/true"), &cpus).is_err());
    }

    #[test]
    fn no_load_has_no_process() {
        let running = start("none", Path::new("/nowhere"), &CpuSet::one(0)).unwrap();
        assert!(running.done().is_empty());
    }

    #[test]
    fn a_unit_of_work_ends() {
        crate::LOADS.iter().for_each(|load| load.work());
    }
}
