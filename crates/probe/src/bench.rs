//! Where measurements run: threads set up as asked, read back, and counted.

use std::cell::RefCell;
use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use plan::{Counters, RunSpec, ThreadFound, Warning};
use rt::counters::ThreadCounts;
use rt::{clock, memory, sched};
use units::{CpuSet, Policy};

/// Why a run has no tracks.
#[derive(Debug)]
pub enum Abort {
    /// A condition could not be set up; the warnings say which.
    Conditions,
    /// The machine cannot do it, or a result came out wrong: one line.
    Failed(String),
}

/// The place for one run's measuring threads.
#[derive(Debug)]
pub struct Bench {
    /// What is to be run.
    pub spec: RunSpec,
    privileged: bool,
    threads: RefCell<Vec<ThreadFound>>,
    warnings: RefCell<Vec<Warning>>,
}

/// A measuring thread to be: its name, its conditions, its work.
pub(crate) struct Seat<'a, R> {
    name: String,
    asked: Conditions,
    prepare: Box<dyn FnOnce() -> Work<'a, R> + Send + 'a>,
}

/// The measured loop of a thread.
type Work<'a, R> = Box<dyn FnOnce() -> R + 'a>;

impl<'a, R> Seat<'a, R> {
    /// A thread on the given CPUs.
    pub(crate) fn on(
        cpus: CpuSet,
        policy: Policy,
        name: impl Into<String>,
        work: impl FnOnce() -> R + Send + 'a,
    ) -> Self {
        Self::prepared(cpus, policy, name, || work)
    }

    /// A thread that first prepares its loop on its own CPU, unmeasured and under
    /// the default policy: memory is best touched by the thread that uses it.
    pub(crate) fn prepared<W: FnOnce() -> R + 'a>(
        cpus: CpuSet,
        policy: Policy,
        name: impl Into<String>,
        prepare: impl FnOnce() -> W + Send + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            asked: Conditions { policy, cpus },
            prepare: Box::new(|| Box::new(prepare())),
        }
    }
}

/// What a thread asks for, or has.
struct Conditions {
    policy: Policy,
    cpus: CpuSet,
}

impl Bench {
    /// A bench for one run.
    #[must_use]
    pub fn new(spec: RunSpec) -> Self {
        Self {
            spec,
            privileged: sched::has_right_to_real_time(),
            threads: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// The `index`-th CPU asked for, counted round and round.
    pub(crate) fn cpu(&self, index: usize) -> usize {
        let cpus = &self.spec.asked.cpus;
        let place = index % cpus.len().max(1);
        cpus.iter().nth(place).unwrap_or(0)
    }

    /// Runs the threads side by side and returns what their work returned, in
    /// the order of the seats.
    ///
    /// Every thread first gets its conditions and reads them back. Only when
    /// all have theirs does the work start, in all of them.
    pub(crate) fn run<'a, R: Send>(&self, seats: Vec<Seat<'a, R>>) -> Result<Vec<R>, Abort> {
        let privileged = self.privileged;
        let start = Barrier::new(seats.len());
        let refused = AtomicBool::new(false);
        let reports: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = seats
                .into_iter()
                .map(|seat| scope.spawn(|| take_seat(seat, &start, &refused, privileged)))
                .collect();
            threads
                .into_iter()
                .map(thread::ScopedJoinHandle::join)
                .collect()
        });
        let mut results = Vec::new();
        for report in reports {
            match report {
                Ok(Ok((found, result))) => {
                    self.warnings.borrow_mut().extend(differences(&found));
                    self.threads.borrow_mut().push(found);
                    results.extend(result);
                }
                Ok(Err(warning)) => self.warnings.borrow_mut().push(warning),
                Err(_) => return Err(Abort::Failed("a measuring thread panicked".to_owned())),
            }
        }
        if refused.into_inner() {
            return Err(Abort::Conditions);
        }
        Ok(results)
    }

    /// What the threads had and what differed from what was asked.
    #[must_use]
    pub fn into_findings(self) -> (Vec<ThreadFound>, Vec<Warning>) {
        (self.threads.into_inner(), self.warnings.into_inner())
    }
}

/// The life of one measuring thread. The result is missing where another thread
/// could not get its conditions.
fn take_seat<R>(
    seat: Seat<'_, R>,
    start: &Barrier,
    refused: &AtomicBool,
    privileged: bool,
) -> Result<(ThreadFound, Option<R>), Warning> {
    memory::touch_stack();
    let ready = get_ready(&seat.name, &seat.asked, seat.prepare, privileged);
    if ready.is_err() {
        refused.store(true, Ordering::SeqCst);
    }
    start.wait();
    let (before, work) = ready?;
    let (counters, result) = if refused.load(Ordering::SeqCst) {
        (Counters::default(), None)
    } else {
        let counts = ThreadCounts::read();
        let start = clock::now();
        let result = work();
        (counted_since(counts, start), Some(result))
    };
    let after = Conditions {
        policy: sched::policy().unwrap_or(before.policy),
        cpus: sched::affinity().unwrap_or_default(),
    };
    // Ends its real-time life before it tidies up.
    let _ = sched::set_policy(Policy::OTHER);
    let found = ThreadFound {
        name: seat.name,
        asked_policy: seat.asked.policy,
        asked_cpus: seat.asked.cpus,
        policy: before.policy,
        cpus: before.cpus,
        policy_at_end: after.policy,
        cpus_at_end: after.cpus,
        counters,
    };
    Ok((found, result))
}

/// Takes the seat's CPUs, prepares its loop there, takes its policy, and reads
/// both back.
fn get_ready<'a, R>(
    name: &str,
    asked: &Conditions,
    prepare: impl FnOnce() -> Work<'a, R>,
    privileged: bool,
) -> Result<(Conditions, Work<'a, R>), Warning> {
    let affinity_refused = |error: io::Error| Warning::AffinityRefused {
        thread: name.to_owned(),
        asked: asked.cpus.clone(),
        reason: reason(&error),
    };
    let policy_refused = |error: io::Error| Warning::PolicyRefused {
        thread: Some(name.to_owned()),
        asked: asked.policy,
        reason: reason(&error),
        privileged,
    };
    sched::set_affinity(&asked.cpus).map_err(affinity_refused)?;
    let work = prepare();
    sched::set_policy(asked.policy).map_err(policy_refused)?;
    let found = Conditions {
        policy: sched::policy().map_err(policy_refused)?,
        cpus: sched::affinity().map_err(affinity_refused)?,
    };
    Ok((found, work))
}

/// The kernel's words without the number that Rust appends.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

fn counted_since(before: ThreadCounts, start: u64) -> Counters {
    let wall_time_ns = clock::now() - start;
    let counts = ThreadCounts::read() - before;
    Counters {
        minor_faults: counts.minor_faults,
        major_faults: counts.major_faults,
        voluntary_switches: counts.voluntary_switches,
        involuntary_switches: counts.involuntary_switches,
        migrations: counts.migrations,
        cpu_time_ns: counts.cpu_time_ns,
        wall_time_ns,
    }
}

/// Where a thread's conditions before or after the loop differ from the asked.
fn differences(found: &ThreadFound) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let readings = [
        ("before", found.policy, &found.cpus),
        ("after", found.policy_at_end, &found.cpus_at_end),
    ];
    for (when, policy, cpus) in readings {
        if !sched::grants(policy, found.asked_policy) {
            warnings.push(Warning::PolicyDiffers {
                thread: found.name.clone(),
                asked: found.asked_policy,
                found: policy,
                when: when.to_owned(),
            });
        }
        if *cpus != found.asked_cpus {
            warnings.push(Warning::AffinityDiffers {
                thread: found.name.clone(),
                asked: found.asked_cpus.clone(),
                found: cpus.clone(),
                when: when.to_owned(),
            });
        }
    }
    let migrations = found.counters.migrations.unwrap_or(0);
    if found.asked_cpus.len() == 1 && migrations > 0 {
        warnings.push(Warning::Migrated {
            thread: found.name.clone(),
            count: migrations,
        });
    }
    let faults = found.counters.minor_faults + found.counters.major_faults;
    if faults > 0 {
        warnings.push(Warning::PageFaults {
            thread: found.name.clone(),
            count: faults,
        });
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::spec;

    fn any_cpu() -> CpuSet {
        CpuSet::one(sched::affinity().unwrap().iter().next().unwrap())
    }

    #[test]
    fn results_come_in_the_order_of_the_seats_with_conditions_read_back() {
        let bench = Bench::new(spec("wakeup"));
        let nice = Policy::Other {
            nice: 3,
            slice: None,
        };
        let seats = (0..3)
            .map(|i| Seat::on(any_cpu(), nice, format!("thread {i}"), move || i))
            .collect();
        assert_eq!(bench.run(seats).unwrap(), [0, 1, 2]);
        let (threads, warnings) = bench.into_findings();
        assert_eq!(threads.len(), 3);
        assert!(
            threads
                .iter()
                .all(|t| sched::grants(t.policy, nice) && t.cpus == any_cpu())
        );
        assert!(!warnings.iter().any(Warning::invalidates), "{warnings:?}");
    }

    #[test]
    fn nobody_starts_when_one_is_refused() {
        let bench = Bench::new(spec("wakeup"));
        let nowhere = CpuSet::one(1023);
        let seats = vec![
            Seat::on(any_cpu(), Policy::OTHER, "fine", || {
                panic!("must not start")
            }),
            Seat::on(nowhere, Policy::OTHER, "nowhere", || {
                panic!("must not start")
            }),
        ];
        let result: Result<Vec<()>, Abort> = bench.run(seats);
        assert!(matches!(result, Err(Abort::Conditions)));
        let (_, warnings) = bench.into_findings();
        assert!(
            matches!(&warnings[..], [Warning::AffinityRefused { thread, .. }] if thread == "nowhere")
        );
    }

    #[test]
    fn a_condition_lost_in_the_loop_is_noticed() {
        let bench = Bench::new(spec("wakeup"));
        let lose = || {
            sched::set_policy(Policy::Other {
                nice: 9,
                slice: None,
            })
            .unwrap();
        };
        let seat = Seat::on(any_cpu(), Policy::OTHER, "loser", lose);
        bench.run(vec![seat]).unwrap();
        let (_, warnings) = bench.into_findings();
        assert!(
            warnings
                .iter()
                .any(|w| matches!(w, Warning::PolicyDiffers { when, .. } if when == "after"))
        );
    }
}
