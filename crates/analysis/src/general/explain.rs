//! Causes of a verdict, and what to fix first on its machine.

use blame::{Cause, SomeTask, Summary};
use doctor::{Diagnosis, Finding as Checked, State};
use plan::{Row, Warning};
use units::CpuSet;

use super::deadlines::{self, Case};
use crate::causes::{self, Main, summaries};
use crate::finding::{AboutMachine, Finding, Fix, Standing};
use crate::frontier::Frontier;
use crate::standards::Limits;
use crate::subject::{Named, named};
use crate::survey::System;
use crate::verdict::{Change, How};
use crate::{advice, real_time};

const FIRST_FIXES: usize = 3;
const CAUSES: usize = 2;
/// Checks of rights that a run needs before anything else helps.
const RIGHTS: [&str; 2] = ["real_time_priority", "memory_lock"];

/// The check of what the hypervisor takes, which the runs have counted.
const HYPERVISOR: &str = "hypervisor";

pub(super) struct Explanation<'s, 'a> {
    machine: &'s Named<'s, 'a>,
    advice: &'s Diagnosis,
    /// The case whose lateness to explain.
    case: &'s Case,
    /// Late events of the runs that looked for causes.
    blamed: Vec<Summary>,
}

/// Returns in full what the answer about deadlines names first to fix.
pub(crate) fn first_change<'d>(
    systems: &[System],
    advice: impl Iterator<Item = &'d Diagnosis>,
    frontiers: &[Frontier],
    limits: &Limits,
) -> Option<Change> {
    let (machines, cases) = (named(systems), deadlines::cases(systems, frontiers, limits));
    let worst = deadlines::worst(&cases.judged).filter(|worst| worst.standing != Standing::Good)?;
    Explanation::new(&machines, advice, worst)?.change()
}

impl<'s, 'a> Explanation<'s, 'a> {
    pub(super) fn new<'d: 's>(
        machines: &'s [Named<'s, 'a>],
        advice: impl Iterator<Item = &'d Diagnosis>,
        case: &'s Case,
    ) -> Option<Self> {
        let mut all = machines.iter().zip(advice);
        let (machine, advice) = all.find(|(machine, _)| machine.name == case.of.machine)?;
        let blamed = machine.system.series.iter().flat_map(summaries);
        Some(Self {
            machine,
            advice,
            case,
            blamed: blamed.filter(|summary| summary.late > 0).collect(),
        })
    }

    /// Returns the main causes of the lateness, if a run looked for them; else what was counted and
    /// the doctor warns of. `None` if nothing is wrong.
    pub(super) fn why(&self, standing: Standing) -> Option<Finding> {
        let counted = || self.counted().map(|check| check.found.clone());
        match (standing, self.beside().map(Warning::cause).or_else(counted)) {
            _ if !self.blamed.is_empty() => {
                let causes = causes::mains(&self.blamed).into_iter().take(CAUSES);
                let causes = causes.map(|main| (main.cause.words_for(main.tasks), main.late));
                Some(Finding::Machine(AboutMachine::Late {
                    late: self.blamed.iter().map(|summary| summary.late).sum(),
                    causes: causes.collect(),
                }))
            }
            (Standing::Bad | Standing::Open, Some(found)) if self.has_missed() => {
                let machine = self.machine.name.clone();
                Some(Finding::Machine(AboutMachine::ProbableCause { machine, found }))
            }
            (Standing::Bad, None) => Some(Finding::Machine(AboutMachine::NoKnownCause)),
            _ => None,
        }
    }

    /// The warning that another measurement ran on the CPUs of the latest run of the case.
    fn beside(&self) -> Option<&'a Warning> {
        let valid = self.machine.system.valid();
        let of_case = valid.filter(|run| self.case.is_of(&run.header.spec));
        let latest = of_case.max_by_key(|run| run.rows.iter().filter_map(Row::max_ns).max())?;
        latest.warnings.iter().find(|warning| matches!(warning, Warning::MeasuredBeside { .. }))
    }

    fn has_missed(&self) -> bool {
        self.case.held.tries.missed > 0
    }

    fn warnings(&self) -> impl Iterator<Item = &'s Checked> {
        self.advice.findings.iter().filter(|check| check.state == State::Warning)
    }

    /// The first warning that rests on what runs counted, unless that made them INVALID.
    fn counted(&self) -> Option<&'s Checked> {
        let Case { of, policy, late_ns, .. } = self.case;
        let late_ns = (*late_ns).max(0).cast_unsigned();
        let loads = of.loads.as_deref();
        let counted = advice::explaining(self.machine.system, late_ns, *policy, loads);
        let refused: Vec<String> = self.invalidating().map(Warning::cause).collect();
        let is_refused = |found: &str| refused.iter().any(|cause| found.starts_with(cause));
        let mut warnings = self.warnings();
        warnings.find(|check| counted.contains(&check.name) && !is_refused(&check.found))
    }

    fn invalidating(&self) -> impl Iterator<Item = &'a Warning> + use<'s, 'a> {
        let outcomes = self.machine.system.outcomes.iter();
        outcomes.flat_map(|run| &run.warnings).filter(|warning| warning.invalidates())
    }

    /// Returns the first things to fix.
    pub(super) fn first(&self) -> Option<Finding> {
        let fixes: Vec<Fix> = self.fixes().map(|(fix, _)| fix).take(FIRST_FIXES).collect();
        let machine = self.machine.name.clone();
        (!fixes.is_empty()).then_some(Finding::Machine(AboutMachine::FixFirst { machine, fixes }))
    }

    /// Returns the very first of them, in full.
    pub(super) fn change(&self) -> Option<Change> {
        let (fix, check) = self.fixes().next()?;
        Some(match (fix, check) {
            (_, Some(check)) => Change::advised(check, self.advice),
            (Fix::Remedy { remedy }, None) => Change::otherwise(How::Run { remedy }),
            (fix, None) => Change::otherwise(How::Fix { fix }),
        })
    }

    /// Returns what to fix, with the check that advises it: the remedy of INVALID runs, then keeping
    /// away the task or interrupt that caused most late events, then the doctor's advice.
    fn fixes(&self) -> impl Iterator<Item = (Fix, Option<&'s Checked>)> {
        let others = &self.advice.housekeeping_cpus;
        let mains = causes::mains(&self.blamed);
        let blamed = mains.first().and_then(|main| against(main, &self.advice.cpus, others));
        // What explains the lateness comes before general advice, and what took too little last.
        let why = if mains.is_empty() { self.counted() } else { None };
        let machine = self.machine.system.machine;
        let mut invalidating = self.invalidating();
        let makes_valid =
            invalidating.find_map(|warning| advice::about(self.advice, warning, machine));
        let mut warnings: Vec<&Checked> = self.warnings().collect();
        warnings.sort_by_key(|check| match check.name {
            name if makes_valid.is_some_and(|check| check.name == name) => 0,
            name if why.is_some_and(|why| why.name == name) || RIGHTS.contains(&name) => 1,
            HYPERVISOR => 3,
            _ => 2,
        });
        let advised = warnings.into_iter().map(|check| {
            (Fix::Advice { check: check.in_words(), change: check.in_short() }, Some(check))
        });
        let policy = self.lacks_real_time_policy().then_some(Fix::RealTimePolicy);
        let unadvised = self.remedy().into_iter().chain(policy).chain(blamed);
        unadvised.map(|fix| (fix, None)).chain(advised)
    }

    /// Whether deadlines were missed and every run with deadlines requested an ordinary policy: any
    /// other task may then delay it.
    fn lacks_real_time_policy(&self) -> bool {
        let valid = self.machine.system.valid();
        let mut periodic = valid.filter(|run| real_time::period(&run.header.spec).is_some());
        self.has_missed() && periodic.all(|run| !run.header.spec.asked.policy.is_real_time())
    }

    /// Returns the remedy of INVALID runs, if the machine is not what to change; else of runs beside
    /// another measurement.
    fn remedy(&self) -> Option<Fix> {
        let beside = self.beside().filter(|_| self.blamed.is_empty() && self.has_missed());
        let warning = self.invalidating().next().or(beside)?;
        let check = advice::about(self.advice, warning, self.machine.system.machine);
        check.is_none().then(|| Fix::Remedy { remedy: warning.remedy() })
    }
}

/// Returns the fix for a cause: keep a task or a device's interrupt off the measured CPUs, if there
/// are others for it, or change a step that waits or faults; `None` for any other cause.
fn against(main: &Main, measured: &CpuSet, others: &CpuSet) -> Option<Fix> {
    let (cpus, to) = (measured.clone(), others.clone());
    match &main.cause {
        Cause::Task(SomeTask { name, .. }) if serves_one_cpu(name) => {
            Some(Fix::MoveWorkOf { task: name.clone(), cpus })
        }
        Cause::Task(SomeTask { name, pid, .. }) => {
            let (task, pid) = (name.clone(), (main.tasks == 1).then_some(*pid));
            Some(if others.is_empty() {
                Fix::StopTask { task, pid, cpus }
            } else {
                Fix::MoveTask { task, pid, cpus, to }
            })
        }
        Cause::Interrupt { name } if !others.is_empty() => {
            // A CPU's own interrupts have no number here, and cannot be moved.
            let number = name.split(' ').next()?.parse().ok()?;
            Some(Fix::MoveInterrupt { interrupt: name.clone(), number, cpus, to })
        }
        Cause::PageFault => Some(Fix::LockMemory),
        Cause::Blocking { .. } | Cause::SystemCall { .. } => Some(Fix::RemoveWait),
        Cause::OwnWork | Cause::OwnLength => Some(Fix::ShortenStep),
        _ => None,
    }
}

/// Whether it is a kernel thread that serves a single CPU, such as `ksoftirqd/1`.
fn serves_one_cpu(task: &str) -> bool {
    let cpu = task.split_once('/').map_or("", |(_, cpu)| cpu);
    cpu.starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_devices_are_kept_off_and_a_step_is_changed() {
        let task = |name: &str| {
            Cause::Task(SomeTask { name: name.to_owned(), pid: 77, policy: "other".to_owned() })
        };
        let interrupt = |name: &str| Cause::Interrupt { name: name.to_owned() };
        let (measured, others) = (CpuSet::one(1), CpuSet::one(0));
        let main = |cause: &Cause, tasks| {
            let cause = cause.clone();
            Main { cause, tasks, late: 1, missed: 0, time_ns: 1, longest_ns: 1 }
        };
        let fix = |cause: &Cause| against(&main(cause, 1), &measured, &others);
        assert!(matches!(fix(&task("kdamond.0")), Some(Fix::MoveTask { pid: Some(77), .. })));
        assert!(matches!(fix(&task("ksoftirqd/1")), Some(Fix::MoveWorkOf { .. })));
        let moved = fix(&interrupt("27 virtio0"));
        assert!(matches!(moved, Some(Fix::MoveInterrupt { number: 27, .. })), "{moved:?}");
        assert_eq!(fix(&Cause::PageFault), Some(Fix::LockMemory));
        let several = against(&main(&task("hog"), 2), &measured, &others);
        assert!(matches!(several, Some(Fix::MoveTask { pid: None, .. })), "{several:?}");
        let stopped = against(&main(&task("hog"), 1), &CpuSet::one(1), &CpuSet::default());
        assert!(matches!(stopped, Some(Fix::StopTask { .. })), "{stopped:?}");
        for cause in [interrupt("local_timer"), Cause::PlatformGap] {
            assert_eq!(fix(&cause), None);
        }
    }
}
