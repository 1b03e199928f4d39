//! What hypervisor and firmware take, in addition to what a machine holds: a latency up to that
//! length says nothing about the kernel.

use record::fact;

use crate::clock;
use crate::finding::{AboutMachine, Finding, Scan};
use crate::survey::{Series, System, loads};

/// Returns a finding for each scan; if latencies were judged without a scan, reports that. The lab
/// needs none: its time does not pass while the host has the CPU.
pub(super) fn what_the_platform_takes(system: &System) -> Vec<Finding> {
    if clock::counts_instructions(system.machine) {
        return Vec::new();
    }
    let mut found: Vec<Finding> = system.headlines("platform_gap").map(gaps).collect();
    if found.is_empty() && system.of("wakeup").next().is_some() {
        found.push(Finding::Machine(AboutMachine::NotScanned));
    } else if !found.is_empty() && system.machine.hypervisor.is_some() {
        found.push(Finding::Machine(AboutMachine::IdleExitUnseen));
    }
    found
}

fn gaps(series: &Series) -> Finding {
    let asked = &series.spec.asked;
    let observed_ns = series.total(&fact::OBSERVED_NS).unwrap_or(0) as f64;
    let scan = Scan { observed_ns, cpus: asked.cpus.clone(), loads: loads(asked) };
    let Some(gaps) = &series.latency else {
        let shortest = series.spec.parameters.shortest_gap();
        return Finding::Machine(AboutMachine::NoPlatformGap { scan, shortest_ns: shortest.0 });
    };
    Finding::Machine(AboutMachine::PlatformGaps {
        scan,
        worst_ns: gaps.max.value_ns as f64,
        per_minute: gaps.count() as f64 * 60e9 / observed_ns.max(1.0),
        share: gaps.sum_ns as f64 / observed_ns.max(1.0),
    })
}

#[cfg(test)]
mod tests {
    use crate::Analysis;
    use crate::finding::AboutMachine::{NoPlatformGap, NotScanned, PlatformGaps};
    use crate::finding::Finding;
    use crate::fixture::{platform_gaps, wakeup};
    use crate::standards::DEFAULT_STANDARDS;
    use base::Policy;
    use record::Outcome;

    fn found(runs: &[Outcome]) -> Vec<Finding> {
        Analysis::of(runs, &DEFAULT_STANDARDS).verdict.platform
    }

    #[test]
    fn gaps_have_a_worst_and_a_rate() {
        let gaps = found(&[platform_gaps(&[40_000, 305_000])]);
        let Finding::Machine(PlatformGaps { worst_ns, per_minute, scan, .. }) = &gaps[0] else {
            panic!("{gaps:?}")
        };
        assert_eq!((*worst_ns, *per_minute, scan.observed_ns), (305_000.0, 20.0, 6e9));
        let none = found(&[platform_gaps(&[])]);
        assert!(
            matches!(none[0], Finding::Machine(NoPlatformGap { shortest_ns: 10_000, .. })),
            "{none:?}"
        );
    }

    #[test]
    fn what_a_spinning_loop_cannot_see_is_named_on_virtual_machines_only() {
        let mut run = platform_gaps(&[20_000]);
        for (hypervisor, count) in [(Some("KVM".to_owned()), 2), (None, 1)] {
            run.header.machine.hypervisor = hypervisor;
            assert_eq!(found(std::slice::from_ref(&run)).len(), count);
        }
    }

    #[test]
    fn latencies_judged_without_a_scan_are_marked() {
        let wakeup = wakeup(Policy::Fifo(80), None, 5_000.0, 90_000.0);
        assert_eq!(found(std::slice::from_ref(&wakeup))[0], Finding::Machine(NotScanned));
        let scanned = found(&[wakeup, platform_gaps(&[20_000])]);
        assert!(matches!(scanned[0], Finding::Machine(PlatformGaps { .. })), "{scanned:?}");
        assert_eq!(found(&[]), []);
    }
}
