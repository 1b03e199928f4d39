//! Where measurements run: concurrent threads, set up as requested, read back and counted.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use base::{CpuSet, Nanos};
use record::{LiveFigures, RunSpec, ThreadFound, Warning};
use rt::process::{Pid, this, this_thread};
use rt::progress::Stage;
use rt::{crash, sched};

use crate::findings::findings;
use crate::measuring_thread::{MeasuringThread, reason};
use crate::start_barrier::StartBarrier;

/// Why a run has no tracks.
#[derive(Debug)]
pub enum Abort {
    /// A condition could not be set up; the warnings name it.
    Conditions,
    /// The machine cannot run the measurement, or a result was wrong; the text is one line.
    Failed(String),
}

impl From<io::Error> for Abort {
    fn from(error: io::Error) -> Self {
        Self::Failed(reason(&error))
    }
}

/// A measuring thread of this process or another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    pub name: String,
    pub process: Pid,
    pub task: Pid,
}

/// Takes each measuring thread right before it starts.
#[derive(Clone)]
pub struct Announce(pub Arc<dyn Fn(Measured) + Send + Sync>);

impl fmt::Debug for Announce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announce")
    }
}

/// Takes the figures of each measured thread, about once a second.
pub type Show = fn(&LiveFigures);

/// The set of measuring threads of one run, and what was found about them.
#[derive(Debug)]
pub struct Bench {
    pub spec: RunSpec,
    privileged: bool,
    announce: Option<Announce>,
    show: Option<Show>,
    ended_after: Cell<Option<Nanos>>,
    threads: RefCell<Vec<ThreadFound>>,
    warnings: RefCell<Vec<Warning>>,
}

impl Bench {
    pub fn new(spec: RunSpec) -> Self {
        #[cfg(test)]
        testing::measure_alone();
        let privileged = sched::has_right_to_real_time();
        let (threads, warnings) = (RefCell::default(), RefCell::default());
        let (show, ended_after) = (None, Cell::new(None));
        Self { spec, privileged, announce: None, show, ended_after, threads, warnings }
    }

    /// Announces measuring threads from now on.
    pub fn announce_to(&mut self, announce: Announce) {
        self.announce = Some(announce);
    }

    /// Shows the figures of a run that is shown while it measures.
    pub fn show_with(&mut self, show: Show) {
        self.show = Some(show);
    }

    /// Returns what takes the figures of this run, if it is shown.
    pub fn show(&self) -> Option<Show> {
        self.show.filter(|_| self.spec.live)
    }

    /// Records that the run ended before its planned time.
    pub fn end_after(&self, time: Nanos) {
        self.ended_after.set(Some(time));
    }

    /// Returns after which time the run ended, if that was before its planned time.
    pub fn ended_after(&self) -> Option<Nanos> {
        self.ended_after.get()
    }

    /// Announces a measuring thread of another process, which is that process's first.
    pub fn announce(&self, name: &str, process: Pid) {
        announce(self.announce.as_ref(), name, process, process);
    }

    /// Returns the requested CPU at position `index`, which wraps around.
    pub fn cpu(&self, index: usize) -> usize {
        let cpus = &self.spec.asked.cpus;
        let place = index % cpus.len().max(1);
        cpus.iter().nth(place).unwrap_or(0)
    }

    /// Runs the threads concurrently and returns their results in the order of the threads.
    ///
    /// Every thread first gets its conditions and reads them back. The work starts in all threads,
    /// and only after every thread has its conditions.
    ///
    /// # Errors
    /// If a thread could not be started, did not get its conditions, or panicked.
    pub fn run<'a, R: Send>(
        &self,
        measuring: Vec<MeasuringThread<'a, R>>,
    ) -> Result<Vec<R>, Abort> {
        let mut results: Vec<Option<R>> = measuring.iter().map(|_| None).collect();
        let pairs = measuring.into_iter().zip(&mut results);
        self.run_all(pairs.map(|(thread, place)| thread.with_result_in(place)).collect())?;
        // All threads had their conditions, so each has a result.
        results.into_iter().collect::<Option<_>>().ok_or(Abort::Conditions)
    }

    fn run_all(&self, measuring: Vec<MeasuringThread>) -> Result<(), Abort> {
        let expected = measuring.len();
        let (privileged, announced_to) = (self.privileged, self.announce.as_ref());
        let barrier = &StartBarrier::for_threads(expected);
        // Foreign code gets as much stack as a program that the user starts.
        let stack = Stage::is_watched().then(crash::stack_bytes);
        let reports = thread::scope(|scope| {
            let mut threads = Vec::new();
            for thread in measuring {
                let name = thread.name.clone();
                let own_name = name.clone();
                let arrive = move |ready| {
                    announce(announced_to, &own_name, this(), this_thread());
                    barrier.arrive(ready)
                };
                let live = move || thread.live(Box::new(arrive), privileged);
                match rt::thread::start_with_stack_in(scope, &name, stack, live) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        barrier.abandon();
                        let started = threads.len();
                        let why = format!("only {started} of {expected} threads could be started");
                        return Err(Abort::Failed(format!("{why}: {error}")));
                    }
                }
            }
            let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .collect::<Result<Vec<_>, _>>()
                .map_err(|_| Abort::Failed("a measuring thread panicked".to_owned()))
        })?;
        let mut found = Vec::new();
        for report in reports {
            match report {
                Ok(thread) => found.push(thread),
                Err(warning) => self.warn([warning]),
            }
        }
        if found.len() < expected {
            return Err(Abort::Conditions);
        }
        self.keep(found);
        Ok(())
    }

    /// Runs one thread on the first requested CPU, with the requested policy.
    ///
    /// # Errors
    /// As [`Bench::run`].
    pub fn run_alone<R: Send>(
        &self,
        name: &str,
        work: impl FnOnce() -> R + Send,
    ) -> Result<Vec<R>, Abort> {
        let cpu = CpuSet::one(self.cpu(0));
        let policy = self.spec.asked.policy;
        self.run(vec![MeasuringThread::on(cpu, policy, name, work)])
    }

    /// Keeps the conditions that concurrent threads had, and compares them with the requested ones.
    pub fn keep(&self, found: Vec<ThreadFound>) {
        self.warn(findings(&found));
        self.threads.borrow_mut().extend(found);
    }

    /// Returns the conditions and counters of the threads that have ended.
    pub fn found(&self) -> Vec<ThreadFound> {
        self.threads.borrow().clone()
    }

    /// Removes warnings of page faults, which are what the measurement measures.
    pub fn permit_page_faults(&self) {
        let is_other = |one: &Warning| !matches!(one, Warning::PageFaults { .. });
        self.warnings.borrow_mut().retain(is_other);
    }

    pub fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings.borrow_mut().extend(warnings);
    }

    pub fn into_findings(self) -> (Vec<ThreadFound>, Vec<Warning>) {
        (self.threads.into_inner(), self.warnings.into_inner())
    }
}

fn announce(to: Option<&Announce>, name: &str, process: Pid, task: Pid) {
    if let Some(Announce(take)) = to {
        take(Measured { name: name.to_owned(), process, task });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_run::bare;
    use base::Policy;

    fn any_cpu() -> CpuSet {
        CpuSet::one(sched::affinity().unwrap().iter().next().unwrap())
    }

    fn nice(nice: i8) -> Policy {
        Policy::Other { nice: Some(nice), slice: None }
    }

    #[test]
    fn results_come_in_the_order_of_the_threads_with_conditions_read_back() {
        let bench = Bench::new(bare("wakeup"));
        let measuring = (0..3)
            .map(|i| MeasuringThread::on(any_cpu(), nice(18), format!("thread {i}"), move || i))
            .collect();
        assert_eq!(bench.run(measuring).unwrap(), [0, 1, 2]);
        let (threads, warnings) = bench.into_findings();
        assert_eq!(threads.len(), 3);
        assert!(threads.iter().all(|t| sched::grants(t.policy, nice(18)) && t.cpus == any_cpu()));
        assert!(!warnings.iter().any(Warning::invalidates), "{warnings:?}");
    }

    #[test]
    fn no_thread_starts_when_one_is_refused() {
        let bench = Bench::new(bare("wakeup"));
        let nowhere = CpuSet::one(1023);
        let measuring = vec![
            MeasuringThread::on(any_cpu(), Policy::OTHER, "fine", || panic!("must not start")),
            MeasuringThread::on(nowhere, Policy::OTHER, "nowhere", || panic!("must not start")),
        ];
        let result: Result<Vec<()>, Abort> = bench.run(measuring);
        assert!(matches!(result, Err(Abort::Conditions)));
        let (_, warnings) = bench.into_findings();
        let [Warning::AffinityRefused { thread, .. }] = &warnings[..] else {
            panic!("{warnings:?}")
        };
        assert_eq!(thread, "nowhere");
    }

    #[test]
    fn a_condition_lost_in_the_loop_is_noticed() {
        let bench = Bench::new(bare("wakeup"));
        let lose = || sched::set_policy(nice(19)).unwrap();
        let thread = MeasuringThread::on(any_cpu(), Policy::OTHER, "loser", lose);
        bench.run(vec![thread]).unwrap();
        let (_, warnings) = bench.into_findings();
        let is_lost =
            |w: &Warning| matches!(w, Warning::PolicyDiffers { when, .. } if when == "after");
        assert!(warnings.iter().any(is_lost));
    }
}
