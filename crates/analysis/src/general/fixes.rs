//! Fixes for causes of lateness.

use blame::{Cause, SomeTask};
use units::CpuSet;

use crate::causes::Main;
use crate::finding::Fix;

/// Returns the fix for a cause: keep a task or a device's interrupt off the measured CPUs, if there
/// are others for it, or change a step that waits or faults; `None` for any other cause.
pub(super) fn against(main: &Main, measured: &CpuSet, others: &CpuSet) -> Option<Fix> {
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
        let main = |cause: &Cause, tasks| Main { cause: cause.clone(), tasks, late: 1 };
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
