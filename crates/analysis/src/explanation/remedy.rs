//! What helps against a cause: the fix of the cause itself, and the checks of the doctor whose change
//! helps against it.

use base::{CpuSet, Policy};
use blame::{Cause, SomeTask};
use record::{NOWHERE, RunSpec};

use crate::causes::Main;
use crate::finding::Fix;

/// The CPUs of a machine: those measured, and those for everything else.
pub(super) struct Places<'p> {
    pub(super) measured: &'p CpuSet,
    pub(super) others: &'p CpuSet,
}

/// Returns the checks of the doctor that help against a cause of lateness of a thread of that policy,
/// the most effective first. Nothing in a kernel or at boot keeps off a task of higher priority that
/// is sent to the CPU, a stop, or the thread's own work.
pub(super) fn helping(cause: &Cause, policy: Policy) -> &'static [&'static str] {
    match cause {
        Cause::Task(task) if serves_one_cpu(&task.name) => &[],
        Cause::Task(task) if is_lesser(task, policy) => &["preemption_model", "isolation"],
        Cause::Task(_) | Cause::UnknownTask => &["isolation"],
        // A tick takes microseconds; what takes longer serves timers that tasks have set on that CPU.
        Cause::Interrupt { name } if device(name).is_none() => &["isolation"],
        Cause::Interrupt { .. } => &["interrupt_affinity", "irqbalance"],
        Cause::Softirq { .. } => {
            &["preemption_model", "interrupt_affinity", "isolation", "rcu_callbacks"]
        }
        Cause::PageFault => &["memory_lock", "swap", "transparent_huge_pages"],
        Cause::IdleExit => &["idle_states"],
        Cause::Quota => &["cpu_budget"],
        Cause::Throttling => &["throttling", "fair_server", "real_time_budget"],
        Cause::PriorityNotApplied => &["real_time_priority", "real_time_limit"],
        Cause::Frequency => &["governor"],
        Cause::Steal | Cause::PlatformGap => &["hypervisor"],
        Cause::KernelOrPlatform(_) => &["preemption_model", "hypervisor"],
        Cause::Blocking { .. }
        | Cause::SystemCall { .. }
        | Cause::Stopped
        | Cause::Migration
        | Cause::LateTimer
        | Cause::Frozen
        | Cause::OwnLength
        | Cause::OwnWork
        | Cause::Unknown { .. } => &[],
    }
}

/// Returns the fix of a cause in a run; `None` if only the machine or nothing can be changed.
pub(super) fn against(main: &Main, spec: &RunSpec, places: &Places) -> Option<Fix> {
    let (cpus, to) = (places.measured.clone(), places.others.clone());
    match &main.cause {
        Cause::Task(SomeTask { name, .. }) if serves_one_cpu(name) => {
            Some(Fix::MoveWorkOf { task: name.clone(), cpus })
        }
        Cause::Task(SomeTask { name, pid, .. }) => {
            let (task, pid) = (name.clone(), (main.tasks == 1).then_some(*pid));
            Some(if to.is_empty() {
                Fix::StopTask { task, pid, cpus }
            } else {
                Fix::MoveTask { task, pid, cpus, to }
            })
        }
        Cause::Interrupt { name } if !to.is_empty() => {
            let number = device(name)?;
            Some(Fix::MoveInterrupt { interrupt: name.clone(), number, cpus, to })
        }
        Cause::KernelOrPlatform(_) => Some(Fix::FindGaps {
            command: format!("sudo steadfast run platform_gap --cpus {cpus} --seconds 60"),
        }),
        Cause::PageFault if !spec.asked.memory_lock => Some(Fix::LockMemory),
        Cause::PageFault => Some(Fix::TouchMemory { audit: audit(spec)? }),
        Cause::Blocking { .. } | Cause::SystemCall { .. } => {
            Some(Fix::RemoveWait { audit: audit(spec) })
        }
        Cause::OwnWork | Cause::OwnLength => Some(Fix::ShortenStep),
        Cause::Stopped => Some(Fix::KeepFromStopping),
        Cause::Frozen => Some(Fix::Thaw),
        _ => None,
    }
}

/// Returns the command that shows where the steps of a run's own model do what they must not; `None`
/// for work that is part of Steadfast.
fn audit(spec: &RunSpec) -> Option<String> {
    let parameters = &spec.parameters;
    let is_named = |word: &&str| !["", NOWHERE].contains(word);
    let file = [parameters.fmu(), parameters.library()].into_iter().find(is_named);
    let file = file.map(|file| format!("steadfast audit {}", base::quoted(file)));
    let program = Some(parameters.program()).filter(is_named);
    let program = program.map(|line| format!("steadfast audit --program {}", base::quoted(line)));
    file.or(program)
}

/// Whether it is a kernel thread that serves a single CPU, such as `ksoftirqd/1`.
fn serves_one_cpu(task: &str) -> bool {
    let cpu = task.split_once('/').map_or("", |(_, cpu)| cpu);
    cpu.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a task without a real-time policy kept a thread with one from running: it was in the
/// kernel, where it was not preempted.
fn is_lesser(task: &SomeTask, policy: Policy) -> bool {
    policy.is_real_time() && task.policy.parse().is_ok_and(|its: Policy| !its.is_real_time())
}

/// Returns the number of a device's interrupt. A CPU's own interrupts have none here, and cannot be
/// moved.
fn device(interrupt: &str) -> Option<u32> {
    interrupt.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{own_model, wakeup};

    fn task(name: &str, policy: &str) -> Cause {
        Cause::Task(SomeTask { name: name.to_owned(), pid: 77, policy: policy.to_owned() })
    }

    fn interrupt(name: &str) -> Cause {
        Cause::Interrupt { name: name.to_owned() }
    }

    fn main(cause: &Cause, tasks: usize) -> Main {
        let cause = cause.clone();
        Main { cause, tasks, late: 1, missed: 0, time_ns: 1, longest_ns: 1 }
    }

    #[test]
    fn tasks_and_devices_are_kept_off_and_a_step_is_changed() {
        let (measured, others) = (CpuSet::one(1), CpuSet::one(0));
        let places = Places { measured: &measured, others: &others };
        let spec = wakeup(Policy::Fifo(80), None, 8e3, 6e4).header.spec;
        let fix = |cause: &Cause, tasks| against(&main(cause, tasks), &spec, &places);
        let damon = fix(&task("kdamond.0", "other"), 1);
        assert!(matches!(damon, Some(Fix::MoveTask { pid: Some(77), .. })), "{damon:?}");
        assert!(matches!(fix(&task("ksoftirqd/1", "other"), 1), Some(Fix::MoveWorkOf { .. })));
        let moved = fix(&interrupt("27 virtio0"), 1);
        assert!(matches!(moved, Some(Fix::MoveInterrupt { number: 27, .. })), "{moved:?}");
        let several = fix(&task("hog", "fifo:90"), 2);
        assert!(matches!(several, Some(Fix::MoveTask { pid: None, .. })), "{several:?}");
        let alone = Places { others: &CpuSet::default(), ..places };
        let stopped = against(&main(&task("hog", "fifo:90"), 1), &spec, &alone);
        assert!(matches!(stopped, Some(Fix::StopTask { .. })), "{stopped:?}");
        let kernel = Cause::KernelOrPlatform(SomeTask {
            name: "sh".to_owned(),
            pid: 77,
            policy: "other".to_owned(),
        });
        let gaps = fix(&kernel, 1);
        assert!(
            matches!(&gaps, Some(Fix::FindGaps { command }) if command.contains("--cpus 1")),
            "{gaps:?}"
        );
        for cause in [interrupt("local_timer"), Cause::PlatformGap] {
            assert_eq!(fix(&cause, 1), None);
        }
    }

    #[test]
    fn an_audit_names_the_file_of_the_model_and_locked_memory_is_not_locked_again() {
        let (measured, others) = (CpuSet::one(1), CpuSet::one(0));
        let places = Places { measured: &measured, others: &others };
        let fault = main(&Cause::PageFault, 1);
        let mut built_in = wakeup(Policy::Fifo(80), None, 8e3, 6e4).header.spec;
        assert_eq!(against(&fault, &built_in, &places), None);
        built_in.asked.memory_lock = false;
        assert_eq!(against(&fault, &built_in, &places), Some(Fix::LockMemory));
        let spec = own_model("real-time", 3).header.spec;
        let audit = "steadfast audit /home/me/plant.fmu".to_owned();
        assert_eq!(against(&fault, &spec, &places), Some(Fix::TouchMemory { audit }));
    }

    #[test]
    fn no_kernel_helps_against_a_task_of_higher_priority_a_stop_or_the_threads_own_work() {
        let above = ["fifo:90", "real-time:90"].map(|policy| task("hog", policy));
        let without_task =
            [Cause::OwnWork, Cause::PageFault, Cause::Stopped, Cause::Frozen, Cause::Quota];
        for cause in above.iter().chain(&without_task) {
            let helping = helping(cause, Policy::Fifo(80));
            assert!(!helping.contains(&"preemption_model"), "{cause:?}: {helping:?}");
        }
        let lesser = helping(&task("sh", "other"), Policy::Fifo(80));
        assert_eq!(lesser[0], "preemption_model");
        assert_eq!(helping(&task("sh", "other"), Policy::OTHER), ["isolation"]);
    }

    #[test]
    fn every_check_that_helps_exists() {
        let causes = [
            task("hog", "fifo:90"),
            task("sh", "other"),
            Cause::UnknownTask,
            interrupt("local_timer"),
            interrupt("27 virtio0"),
            Cause::Softirq { name: "NET_RX".to_owned() },
            Cause::PageFault,
            Cause::IdleExit,
            Cause::Quota,
            Cause::Throttling,
            Cause::PriorityNotApplied,
            Cause::Frequency,
            Cause::Steal,
            Cause::PlatformGap,
        ];
        let checks: Vec<&str> = doctor::checks().map(|(name, _)| name).collect();
        for check in causes.iter().flat_map(|cause| helping(cause, Policy::Fifo(80))) {
            assert!(checks.contains(check), "{check}");
        }
    }
}
