//! What limits a machine, and what to change first: runs without results, then the doctor's
//! warnings in their order.

use doctor::{Diagnosis, Finding as Check, State};
use serde::Serialize;

use crate::finding::{AboutDeadlines, Finding, Fix};
use crate::phrases::maybe;
use crate::survey::{System, invalidating};
use crate::words::capital;
use crate::{advice, invalid, mix};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// What the doctor found; null if only the run needs to change.
    pub found: Option<String>,
    #[serde(flatten)]
    pub how: How,
    /// Command or kernel parameters that make the change; null if there are none.
    pub command: Option<String>,
}

impl Change {
    /// Returns what was found and what to change; a command follows, if there is one.
    pub fn words(&self) -> String {
        let found = maybe(self.found.as_ref(), |found| format!("{}. ", capital(found)));
        match &self.how {
            How::Command { besides } if besides.is_empty() => format!("{found}To change it:"),
            How::Command { besides } => format!("{found}To change it ({}):", besides.join("; ")),
            How::AtBoot { explained } => {
                format!("{found}On the kernel's command line: {explained}")
            }
            How::Otherwise { change } => format!("{found}To change it: {change}."),
            How::Run { remedy } => format!("{}.", capital(remedy)),
            How::Fix { fix: Fix::LookForCause { command } } => {
                format!("The cause is unknown; this looks for it: `{command}`")
            }
            How::Fix { fix } => format!("{}.", capital(&fix.words())),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum How {
    /// By the command; with further notes on it.
    Command {
        /// Further notes on the command.
        besides: Vec<String>,
    },
    /// On the kernel's command line.
    AtBoot {
        /// The parameters, and how they are set.
        explained: String,
    },
    /// In any other way.
    Otherwise {
        /// The change in words.
        change: String,
    },
    /// By another run.
    Run {
        /// What to run, in words.
        remedy: String,
    },
    /// By removing what runs showed to be a cause.
    Fix {
        /// What to remove: its kind, and the values that belong to it.
        fix: Fix,
    },
}

/// Returns every limit that applies, and the change for the first of them. Of a mix no cause is
/// known that a general change could help against.
pub(super) fn limits_and_change(
    system: &System,
    advice: &Diagnosis,
) -> (Vec<Finding>, Option<Change>) {
    let has_mix = system.of(mix::MEASUREMENT).next().is_some();
    let warnings = advice.findings.iter().filter(|check| check.state == State::Warning);
    let warned =
        warnings.map(|check| (limit(check), (!has_mix).then(|| Change::advised(check, advice))));
    let refused = refused(system, advice).map(|(found, change)| (found, Some(change)));
    let (limits, changes): (Vec<Finding>, Vec<Option<Change>>) =
        refused.into_iter().chain(warned).unzip();
    (limits, changes.into_iter().flatten().next())
}

fn limit(check: &Check) -> Finding {
    Finding::Deadlines(AboutDeadlines::Limit { found: check.found.clone(), why: check.why })
}

impl Change {
    /// Returns what the doctor advises for a check.
    pub(crate) fn advised(check: &Check, advice: &Diagnosis) -> Self {
        let (how, command) =
            match (&check.command, &check.kernel_parameters, &advice.kernel_parameters) {
                (Some(command), ..) => {
                    let besides = check.change.lines().skip(1).map(str::to_owned).collect();
                    (How::Command { besides }, Some(command))
                }
                (None, Some(_), Some(parameters)) if check.is_changed_at_boot() => {
                    (How::AtBoot { explained: advice.boot_in_words() }, Some(parameters))
                }
                _ => (How::Otherwise { change: check.change.replace('\n', "; ") }, None),
            };
        Self { found: Some(check.found.clone()), how, command: command.cloned() }
    }

    /// Returns a change that no check of the machine advises.
    pub(crate) fn otherwise(how: How) -> Self {
        Self { found: None, how, command: None }
    }
}

/// Reports INVALID runs; if the machine is what to change, the doctor's advice says how.
fn refused(system: &System, advice: &Diagnosis) -> Option<(Finding, Change)> {
    let first = system.outcomes.iter().find_map(|outcome| invalidating(outcome))?;
    let change = match advice::about(advice, first, system.machine) {
        Some(check) => Change::advised(check, advice),
        None => Change::otherwise(How::Run { remedy: first.remedy() }),
    };
    Some((invalid::finding(&system.outcomes)?, change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AboutDeadlines::{InvalidRuns, Limit};
    use crate::fixture::{everything, in_lab, lab, refused, two_machines, wakeup};
    use crate::survey::systems;
    use base::Policy;
    use record::{Machine, Outcome, Warning};

    fn warned(kernel: &str, warning: Warning) -> Vec<Outcome> {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        run.header.machine.kernel_release = kernel.into();
        run.rows[0].skipped = 1;
        run.warnings.push(warning);
        vec![run]
    }

    fn reached(gaps: u64, group: Option<String>) -> Warning {
        Warning::ThrottlingReached {
            cpu: 1,
            used_percent: 95,
            granted_percent: 95,
            gaps,
            group,
            is_usual: false,
        }
    }

    fn throttled(kernel: &str, gaps: u64) -> Vec<Outcome> {
        warned(kernel, reached(gaps, None))
    }

    fn sensitive(run: fn(Outcome) -> Outcome) -> Vec<Outcome> {
        let wakeups = [(None, 6e4), (Some("cpu"), 6e6)];
        let draw = |load, worst, draw: u32| {
            let mut run = run(wakeup(Policy::Fifo(80), load, 8e3, worst));
            if let Some(lab) = &mut run.found.lab {
                lab.setup_sha256 += &draw.to_string();
            }
            run
        };
        let each = |(load, worst)| (0..5).map(move |number| draw(load, worst, number));
        wakeups.into_iter().flat_map(each).collect()
    }

    #[test]
    fn no_general_change_is_first_for_a_mix() {
        let runs = [testing::mixes::mix(&testing::mixes::wrong_way_round(), None)];
        let systems = systems(&runs);
        let (limits, first) = limits_and_change(&systems[0], &advice::machine_advice(&systems[0]));
        assert!(!limits.is_empty());
        assert_eq!(first, None);
    }

    #[test]
    fn what_to_change_first_is_what_the_doctor_says_of_what_limits_first() {
        let faulted = Warning::PageFaults { thread: "cpu 1".into(), count: 3 };
        let unlocked =
            Warning::MemoryLockRefused { reason: "Cannot allocate memory".into(), barrier: None };
        let slowed = Warning::Slowed { found: "firmware, now: the voltage is low".into() };
        for (runs, check) in [
            (vec![refused()], "real_time_priority"),
            (warned("6.12.0", slowed), "thermal_throttling"),
            (warned("6.12.0", unlocked), "memory_lock"),
            (warned("6.12.0", faulted), "page_faults"),
            (throttled("6.11.0", 0), "throttling"),
            (throttled("6.12.0", 0), "fair_server"),
            (throttled("6.12.0", 7), "fair_server"),
            (warned("6.12.0", reached(0, Some("/x/cpu.rt_runtime_us".into()))), "real_time_budget"),
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
            let advice = advice::machine_advice(&systems[0]);
            let (limits, first) = limits_and_change(&systems[0], &advice);
            let first = first.unwrap();
            assert_eq!(advice.findings[0].name, check);
            assert_eq!(first, Change::advised(&advice.findings[0], &advice), "{check}");
            let last = limits.last().unwrap();
            let why = advice.findings[0].why;
            let is_it = |last: &Finding| matches!(last, Finding::Deadlines(Limit { why: last, .. }) if *last == why);
            assert!(is_it(last), "{last:?}");
        }
    }

    #[test]
    fn every_limit_of_a_machine_is_a_warning_of_the_doctor_in_its_order() {
        for runs in [everything(), two_machines(), lab()] {
            for system in &systems(&runs) {
                let advice = advice::machine_advice(system);
                let (mut limits, first) = limits_and_change(system, &advice);
                limits.retain(|limit| !matches!(limit, Finding::Deadlines(InvalidRuns { .. })));
                let warnings = advice.findings.iter();
                let warnings = warnings.filter(|finding| finding.state == State::Warning);
                assert_eq!(limits, warnings.map(limit).collect::<Vec<_>>());
                let is_advised = |first: &Change| {
                    let mut findings = advice.findings.iter();
                    findings.any(|finding| Change::advised(finding, &advice) == *first)
                };
                let refused = system.outcomes.iter().any(|run| !run.is_valid());
                assert!(refused || first.as_ref().is_none_or(is_advised), "{first:?}");
            }
        }
    }
}
