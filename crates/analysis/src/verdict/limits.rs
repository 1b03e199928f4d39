//! What limits a machine, and what to change first: runs that came to nothing, then the
//! warnings of the one advice, in its order.

use doctor::{Diagnosis, Finding, State};
use plan::Warning;

use super::change::Change;
use crate::survey::System;
use crate::{advice, words};

/// A limit, and what removes it.
type Limit = (String, Change);

/// Every limit that applies, and the change that the first of them asks for.
pub(super) fn of(system: &System, advice: &Diagnosis) -> (Vec<String>, Option<Change>) {
    let findings = advice.findings.iter();
    let warnings = findings.filter(|finding| finding.state == State::Warning);
    let all = refused(system, advice).into_iter().chain(warnings.map(|finding| {
        let limit = format!("{}. {}", words::capital(&finding.found), finding.why);
        (limit, change(finding, advice))
    }));
    let (limits, changes): (Vec<String>, Vec<Change>) = all.unzip();
    (limits, changes.into_iter().next())
}

/// What a finding asks for.
fn change(finding: &Finding, advice: &Diagnosis) -> Change {
    let found = words::capital(&finding.found);
    let at_boot = advice.kernel_parameters.as_ref();
    let (words, command) = match (&finding.command, &finding.kernel_parameters, at_boot) {
        (Some(command), ..) => {
            let place = Some(finding.place).filter(|place| !place.is_empty());
            let besides = place.into_iter().chain(finding.change.lines().skip(1));
            let besides: Vec<&str> = besides.collect();
            let besides = match besides.as_slice() {
                [] => String::new(),
                besides => format!(" ({})", besides.join("; ")),
            };
            (format!("{found}. To change it{besides}:"), Some(command))
        }
        (None, Some(_), Some(parameters)) => (
            format!("{found}. On the kernel's command line: {}", advice.boot_in_words()),
            Some(parameters),
        ),
        _ => (format!("{found}. What it takes: {}.", finding.change), None),
    };
    Change { words, command: command.cloned() }
}

/// Runs that came to nothing: where the machine is what to change, the advice says how.
fn refused(system: &System, advice: &Diagnosis) -> Option<Limit> {
    let invalid = system.outcomes.len() - system.valid().count();
    let warnings = system.outcomes.iter().flat_map(|outcome| &outcome.warnings);
    let first = warnings.into_iter().find(|warning| warning.invalidates())?;
    let limit = format!(
        "{} of {} INVALID and not used: {}.",
        invalid,
        words::counted(system.outcomes.len(), "run") + if invalid == 1 { " is" } else { " are" },
        first.cause(),
    );
    let asked = match advice::about(advice, first, system.machine) {
        Some(finding) => change(finding, advice),
        None => of_the_run(first),
    };
    Some((limit, asked))
}

/// How to make the run so that it comes to something.
fn of_the_run(warning: &Warning) -> Change {
    Change { words: format!("{}.", words::capital(&warning.remedy())), command: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{everything, in_lab, lab, refused, two_machines, wakeup};
    use crate::survey::systems;
    use plan::{Machine, Outcome};
    use units::Policy;

    fn warned(kernel: &str, warning: Warning) -> Vec<Outcome> {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        run.header.machine.kernel_release = kernel.into();
        run.warnings.push(warning);
        vec![run]
    }

    fn throttled(kernel: &str, gaps: u64) -> Vec<Outcome> {
        let throttled =
            Warning::ThrottlingReached { cpu: 1, used_percent: 95, granted_percent: 95, gaps };
        warned(kernel, throttled)
    }

    fn sensitive(run: fn(Outcome) -> Outcome) -> Vec<Outcome> {
        let wakeups = [(None, 6e4), (Some("cpu"), 6e6)];
        let wakeups = wakeups.map(|(load, worst)| wakeup(Policy::Fifo(80), load, 8e3, worst));
        wakeups.map(run).into()
    }

    #[test]
    fn what_to_change_first_is_what_the_doctor_says_of_what_limits_first() {
        let faulted = Warning::PageFaults { thread: "cpu 1".into(), count: 3 };
        let unlocked = Warning::MemoryLockRefused { reason: "Cannot allocate memory".into() };
        for (runs, check) in [
            (vec![refused()], "real_time_priority"),
            (warned("6.12.0", unlocked), "memory_lock"),
            (warned("6.12.0", faulted), "page_faults"),
            (throttled("6.11.0", 0), "throttling"),
            (throttled("6.12.0", 0), "fair_server"),
            (throttled("6.12.0", 7), "fair_server"),
            (sensitive(|run| run), "load_sensitivity"),
            (sensitive(|run| in_lab("rt", "rt", run)), "load_sensitivity"),
        ] {
            let mut systems = systems(&runs);
            let bare = Machine {
                kernel_release: systems[0].machine.kernel_release.clone(),
                lab: systems[0].machine.lab.clone(),
                ..Machine::default()
            };
            systems[0].machine = &bare;
            let advice = advice::of(&systems[0]);
            let (limits, first) = of(&systems[0], &advice);
            let first = first.unwrap();
            assert_eq!(advice.findings[0].name, check);
            assert_eq!(first, change(&advice.findings[0], &advice), "{check}");
            assert!(limits.last().unwrap().ends_with(advice.findings[0].why));
        }
    }

    #[test]
    fn every_limit_of_a_machine_is_a_warning_of_the_doctor_in_its_order() {
        for runs in [everything(), two_machines(), lab()] {
            for system in &systems(&runs) {
                let advice = advice::of(system);
                let (limits, first) = of(system, &advice);
                let warnings = advice.findings.iter();
                let warnings = warnings.filter(|finding| finding.state == State::Warning);
                let found = warnings.map(|finding| words::capital(&finding.found));
                let of_machine = limits.iter().filter(|limit| !limit.contains("INVALID"));
                for (limit, found) in of_machine.zip(found) {
                    assert!(limit.starts_with(&found), "{limit}: {found}");
                }
                let is_advised = |first: &Change| {
                    let mut findings = advice.findings.iter();
                    findings.any(|finding| change(finding, &advice) == *first)
                };
                let refused = system.outcomes.iter().any(|run| !run.is_valid());
                assert!(refused || first.as_ref().is_none_or(is_advised), "{first:?}");
            }
        }
    }
}
