//! What hypervisor and firmware take, beside what a machine holds: a latency up to that
//! size says nothing about the kernel.

use plan::fact;

use crate::survey::{Series, System, loads};
use crate::{clock, words};

/// A sentence for each scan; where latencies were judged without one, that. While the
/// host has the CPU, the lab's time stands still.
pub(super) fn of(system: &System) -> Vec<String> {
    if clock::counts_instructions(system.machine) {
        return Vec::new();
    }
    let scans = system.of("platform_gap").filter(|series| series.headline);
    let mut sentences: Vec<String> = scans.map(scan).collect();
    if sentences.is_empty() && system.of("wakeup").next().is_some() {
        sentences.push(NOT_SCANNED.to_owned());
    } else if !sentences.is_empty() && system.machine.hypervisor.is_some() {
        sentences.push(IDLE_IS_NOT_SEEN.to_owned());
    }
    sentences
}

const NOT_SCANNED: &str = "Not known: no scan for platform gaps was made. `steadfast run \
                           platform_gap --cpus all` makes one.";

/// A CPU that spins is not halted, and the host need not wake it.
const IDLE_IS_NOT_SEEN: &str = "On a virtual machine, what the host takes to run an idle CPU again \
                                comes on top of a wake-up: a loop that spins does not see it.";

fn scan(series: &Series) -> String {
    let observed: f64 = series.total(&fact::OBSERVED_NS).unwrap_or(0) as f64;
    let asked = &series.spec.asked;
    let place = format!(
        "{} of spinning on {} ({})",
        words::time(observed),
        words::cpus(&asked.cpus),
        loads(asked)
    );
    let Some(gaps) = &series.latency else {
        let shortest = series.spec.parameters.time("shortest-gap");
        return format!(
            "No platform gap of {} or longer was seen in {place}.",
            words::time(shortest.0 as f64)
        );
    };
    let worst = words::time(gaps.max.value_ns as f64);
    format!(
        "Platform gaps seen on this machine in {place}: worst {worst}, {} a minute, {} of the time. \
         A latency up to {worst} may be the platform's, not the kernel's.",
        words::grouped((gaps.count() as f64 * 60e9 / observed.max(1.0)).round() as u64),
        words::percent(gaps.sum_ns as f64 / observed.max(1.0)),
    )
}

#[cfg(test)]
mod tests {
    use crate::Analysis;
    use crate::fixture::{platform_gaps, wakeup};
    use crate::standards::Standards;
    use plan::Outcome;
    use units::Policy;

    fn sentences(runs: &[Outcome]) -> Vec<String> {
        Analysis::of(runs, &Standards::default()).verdict.platform
    }

    #[test]
    fn gaps_stand_beside_the_verdict_with_worst_and_rate() {
        assert_eq!(
            sentences(&[platform_gaps(&[40_000, 305_000])])[..1],
            ["Platform gaps seen on this machine in 6 s of spinning on CPU 1 (no load): worst \
                 305 µs, 20 a minute, 0.00575 % of the time. A latency up to 305 µs may be the \
                 platform's, not the kernel's."]
        );
        assert_eq!(
            sentences(&[platform_gaps(&[])])[..1],
            ["No platform gap of 10 µs or longer was seen in 6 s of spinning on CPU 1 (no load)."]
        );
    }

    #[test]
    fn what_a_spinning_loop_cannot_see_is_said_on_virtual_machines_only() {
        let mut run = platform_gaps(&[20_000]);
        for (hypervisor, count) in [(Some("KVM".to_owned()), 2), (None, 1)] {
            run.header.machine.hypervisor = hypervisor;
            assert_eq!(sentences(std::slice::from_ref(&run)).len(), count);
        }
    }

    #[test]
    fn latencies_judged_without_a_scan_say_so() {
        let wakeup = wakeup(Policy::Fifo(80), None, 5_000.0, 90_000.0);
        assert!(sentences(std::slice::from_ref(&wakeup))[0].starts_with("Not known"));
        let scanned = [wakeup, platform_gaps(&[20_000])];
        assert!(sentences(&scanned)[0].starts_with("Platform gaps"));
        assert_eq!(sentences(&[]), Vec::<String>::new());
    }
}
