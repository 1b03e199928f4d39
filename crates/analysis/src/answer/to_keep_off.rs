//! How what makes threads late is kept off their CPUs.

use blame::{Cause, SomeTask};
use units::CpuSet;

use crate::words;

/// How a task or a device's interrupt is kept off the measured CPUs, where there are others for
/// it; `None` of any other cause.
pub(super) fn to_keep_off(cause: &Cause, measured: &CpuSet, others: &CpuSet) -> Option<String> {
    let place = words::cpus(measured);
    match cause {
        Cause::Task(SomeTask { name, .. }) if is_of_one_cpu(name) => Some(format!(
            "find who gives task `{name}` its work, and keep that off {place}: it cannot leave its \
             CPU itself"
        )),
        Cause::Task(SomeTask { name, pid, .. }) if others.is_empty() => Some(format!(
            "stop task `{name}` (number {pid}), or give it less to do: there is no CPU beside \
             {place} for it"
        )),
        Cause::Task(SomeTask { name, pid, .. }) => {
            Some(format!("keep task `{name}` off {place}: `sudo taskset -cp {others} {pid}`"))
        }
        Cause::Interrupt { name } if !others.is_empty() => {
            // What the CPU itself interrupts with has no number here, and cannot be moved.
            let number = name.split(' ').next()?;
            number.parse::<u32>().ok()?;
            Some(format!(
                "keep interrupt `{name}` off {place}: \
                 `echo {others} | sudo tee /proc/irq/{number}/smp_affinity_list`"
            ))
        }
        _ => None,
    }
}

/// Whether it is a thread of the kernel that serves one CPU alone, as `ksoftirqd/1`.
fn is_of_one_cpu(name: &str) -> bool {
    let cpu = name.split_once('/').map_or("", |(_, cpu)| cpu);
    cpu.starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_devices_can_be_kept_off_and_nothing_else() {
        let task = |name: &str| {
            Cause::Task(SomeTask { name: name.to_owned(), pid: 77, policy: "other".to_owned() })
        };
        let interrupt = |name: &str| Cause::Interrupt { name: name.to_owned() };
        let (one, other) = (CpuSet::one(1), CpuSet::one(0));
        let told = |cause: &Cause, others: &CpuSet| to_keep_off(cause, &one, others);
        for (cause, words) in [
            (task("kdamond.0"), "CPU 1: `sudo taskset -cp 0 77`"),
            (task("ksoftirqd/1"), "it cannot leave its CPU itself"),
            (interrupt("27 virtio0"), "/proc/irq/27/smp_affinity_list`"),
        ] {
            let told = told(&cause, &other).unwrap();
            assert!(told.ends_with(words), "{told}");
        }
        let alone = told(&task("hog"), &CpuSet::default()).unwrap();
        assert!(alone.starts_with("stop task `hog`"), "{alone}");
        for cause in [interrupt("local_timer"), Cause::PlatformGap] {
            assert_eq!(told(&cause, &other), None);
        }
    }
}
