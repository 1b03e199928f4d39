//! Compares the conditions of measuring threads with the requested ones.

use std::collections::BTreeMap;

use base::{CpuSet, Nanos, Policy};
use record::{ThreadFound, Warning};
use rt::system::{RtGrant, rt_grant};
use rt::{posix, sched};

/// Minimum loop that the kernel can throttle: a shorter one cannot use up its share per second.
const SHORTEST_THROTTLED: Nanos = Nanos(500_000_000);
/// Tolerance in percent of what is granted: a throttled thread is held just below it.
const NEAR_PERCENT: u64 = 4;
/// After this time the kernel grants a share again: the default, also of groups.
pub const WINDOW_NS: u64 = 1_000_000_000;

pub fn findings(threads: &[ThreadFound]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = threads.iter().flat_map(of_thread).collect();
    warnings.extend(inherited_nice(threads));
    warnings.extend(throttled(threads, rt_grant));
    warnings
}

/// Returns the warnings that follow from the conditions of one thread.
pub fn of_thread(found: &ThreadFound) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let asked_at_end = found.asked_policy.once_found(found.policy);
    let readings = [
        ("before", found.asked_policy, found.policy, &found.cpus),
        ("after", asked_at_end, found.policy_at_end, &found.cpus_at_end),
    ];
    for (when, asked, policy, cpus) in readings {
        if !sched::grants(policy, asked) {
            let (thread, when) = (found.name.clone(), when.to_owned());
            warnings.push(Warning::PolicyDiffers { thread, asked, found: policy, when });
        }
        if *cpus != found.asked_cpus {
            let (thread, when) = (found.name.clone(), when.to_owned());
            let (asked, found) = (found.asked_cpus.clone(), cpus.clone());
            warnings.push(Warning::AffinityDiffers { thread, asked, found, when });
        }
    }
    warnings.extend(mode_switches(found));
    let migrations = found.counters.migrations.unwrap_or(0);
    if found.asked_cpus.len() == 1 && migrations > 0 {
        warnings.push(Warning::Migrated { thread: found.name.clone(), count: migrations });
    }
    let faults = found.counters.minor_faults + found.counters.major_faults;
    if faults > 0 {
        warnings.push(Warning::PageFaults { thread: found.name.clone(), count: faults });
    }
    warnings
}

fn inherited_nice(threads: &[ThreadFound]) -> Option<Warning> {
    let nice = |thread: &ThreadFound| match (thread.asked_policy, thread.policy) {
        (Policy::Other { nice: None, .. }, Policy::Other { nice, .. }) => nice.filter(|n| *n != 0),
        _ => None,
    };
    let nice = threads.iter().find_map(nice)?;
    Some(Warning::NiceInherited { nice })
}

/// Warns if a real-time thread of a second kernel left that kernel. The second kernel's own threads
/// with the default policy run in Linux between its calls.
fn mode_switches(found: &ThreadFound) -> Option<Warning> {
    let thread = found.name.clone();
    match found.counters.mode_switches {
        _ if !found.asked_policy.is_real_time() => None,
        Some(0) => None,
        Some(count) => Some(Warning::LeftPrimaryMode { thread, count }),
        None => posix::TWO_KERNELS.then_some(Warning::ModeSwitchesUncounted { thread }),
    }
}

/// Warns about CPUs whose FIFO and RR threads together used about as much as the kernel grants to
/// such threads: what looks like a stall may be the kernel's throttling.
fn throttled(threads: &[ThreadFound], granted: fn(&CpuSet) -> Option<RtGrant>) -> Vec<Warning> {
    let mut used: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for thread in threads {
        let limited = matches!(thread.policy, Policy::Fifo(_) | Policy::Rr(_));
        if let (true, Some(cpu), 1) = (limited, thread.cpus.iter().next(), thread.cpus.len()) {
            let (cpu_time, wall_time) = used.entry(cpu).or_default();
            *cpu_time += thread.counters.cpu_time_ns;
            *wall_time = (*wall_time).max(thread.counters.wall_time_ns);
        }
    }
    used.into_iter()
        .filter(|(_, (_, wall))| *wall > SHORTEST_THROTTLED.0)
        .filter_map(|(cpu, (cpu_time, wall))| {
            let used_percent = (100 * cpu_time + wall / 2) / wall;
            // Beyond the usual limit, an unknown one has not held them back.
            let usual = || Some(RtGrant::usual()).filter(|usual| used_percent <= usual.percent);
            let grant = granted(&CpuSet::one(cpu)).or_else(usual)?;
            let granted_ns = least_granted(wall, grant.percent);
            let is_near =
                grant.percent < 100 && cpu_time + granted_ns / 100 * NEAR_PERCENT >= granted_ns;
            is_near.then(|| throttling_reached(cpu, used_percent, &grant, 0))
        })
        .collect()
}

/// Returns the time that a thread which always wants to run gets at least in `wall`, wherever that begins in
/// the kernel's periods.
fn least_granted(wall: u64, percent: u64) -> u64 {
    let (whole, rest) = (wall / WINDOW_NS, wall % WINDOW_NS);
    let in_period = WINDOW_NS / 100 * percent;
    whole * in_period + rest.saturating_sub(WINDOW_NS - in_period)
}

/// Returns the warning that real-time threads used what they are granted of a CPU.
pub fn throttling_reached(cpu: usize, used_percent: u64, grant: &RtGrant, gaps: u64) -> Warning {
    let group = grant.group.as_ref().map(|file| file.display().to_string());
    let (granted_percent, is_usual) = (grant.percent, grant.is_usual);
    Warning::ThrottlingReached { cpu, used_percent, granted_percent, gaps, group, is_usual }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_run::{grant, thread};

    #[test]
    fn the_last_window_may_have_given_nothing() {
        assert_eq!(least_granted(2_216_000_000, 2), 40_000_000);
        assert_eq!(least_granted(1_900_000_000, 95), 1_800_000_000);
    }

    #[test]
    fn threads_of_one_cpu_are_held_back_together() {
        let apart = [thread(0, 47), thread(1, 47)];
        assert_eq!(throttled(&apart, |_| Some(grant(95))), []);
        let together = [thread(1, 47), thread(1, 47)];
        let held = throttling_reached(1, 94, &grant(95), 0);
        assert_eq!(throttled(&together, |_| Some(grant(95))), [held]);
    }

    #[test]
    fn a_budget_of_a_control_group_is_named_with_its_file_if_it_is_used_up() {
        fn small(_: &CpuSet) -> Option<RtGrant> {
            let group = Some("/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us".into());
            Some(RtGrant { percent: 2, group, is_usual: false })
        }
        assert_eq!(throttled(&[thread(1, 1)], small), []);
        let [warning] = &throttled(&[thread(1, 2)], small)[..] else { panic!() };
        assert!(warning.cause().contains("the control group allows 2 % (/sys/fs/cgroup/cpu/box/"));
        assert!(warning.remedy().contains("sudo tee /sys/fs/cgroup/cpu/box/cpu.rt_runtime_us"));
    }

    #[test]
    fn a_limit_that_cannot_be_seen_is_not_said_to_be_the_kernels() {
        let [warning] = &throttled(&[thread(1, 94)], |_| None)[..] else { panic!() };
        assert!(warning.cause().contains("(the limit of this one cannot be seen)"));
    }

    #[test]
    fn threads_without_a_limit_are_not_held_back() {
        let busy = [thread(0, 94), thread(1, 99)];
        let cpus = |granted| -> Vec<Option<usize>> {
            let cpu = |warning| match warning {
                Warning::ThrottlingReached { cpu, .. } => Some(cpu),
                _ => None,
            };
            throttled(&busy, granted).into_iter().map(cpu).collect()
        };
        assert_eq!(cpus(|_| Some(grant(100))), []);
        assert_eq!(
            cpus(|cpu| Some(grant(if *cpu == CpuSet::one(0) { 100 } else { 95 }))),
            [Some(1)]
        );
        assert_eq!(cpus(|_| None), [Some(0)], "more than the usual limit was used on CPU 1");
    }

    #[test]
    fn leaving_primary_mode_is_found_only_under_a_real_time_policy() {
        let mut left = thread(0, 10);
        left.counters.mode_switches = Some(3);
        let warnings = of_thread(&left);
        assert!(matches!(&warnings[..], [warning @ Warning::LeftPrimaryMode { count: 3, .. }]
                if warning.invalidates()));
        let weak = Policy::OTHER;
        (left.asked_policy, left.policy, left.policy_at_end) = (weak, weak, weak);
        assert_eq!(of_thread(&left), []);
    }

    #[test]
    fn a_thread_with_the_requested_conditions_has_no_finding() {
        assert_eq!(of_thread(&thread(0, 10)), []);
    }
}
