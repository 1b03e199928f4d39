//! What limits a machine, and what to change first: runs that came to nothing, then how
//! the machine is set up, in the order of the one advice, then what runs showed of programs
//! and loads.

use std::collections::BTreeSet;

use doctor::{Diagnosis, Finding, State};
use plan::{Outcome, Warning, fact};

use super::change::Change;
use crate::survey::{Series, System, loads};
use crate::{advice, clock, words};

/// A limit, and what removes it.
type Limit = (String, Change);

/// Every limit that applies, and the change that the first of them asks for.
pub(super) fn of(system: &System) -> (Vec<String>, Option<Change>) {
    let advice = advice::of(system);
    let findings = advice.findings.iter();
    let set_up = findings.filter(|finding| finding.state == State::Warning);
    let seen = [page_faults, inversion, load_sensitive];
    let all = refused(system)
        .into_iter()
        .chain(set_up.map(|finding| of_finding(finding, &advice)))
        .chain(seen.into_iter().filter_map(|limit| limit(system)));
    let (limits, changes): (Vec<String>, Vec<Change>) = all.unzip();
    (limits, changes.into_iter().next())
}

fn of_finding(finding: &Finding, advice: &Diagnosis) -> Limit {
    let found = capital(&finding.found);
    let at_boot = advice.kernel_parameters.as_deref();
    let asked = match (&finding.command, &finding.kernel_parameters, at_boot) {
        (Some(command), ..) => {
            let besides: Vec<&str> = finding.change.lines().skip(1).collect();
            let besides = match besides.as_slice() {
                [] => String::new(),
                besides => format!(" ({})", besides.join("; ")),
            };
            change(
                &format!("{found}. To change it{besides}:"),
                Some(command.as_str()),
            )
        }
        (None, Some(_), Some(parameters)) => {
            let words = format!(
                "{found}. On the kernel's command line: {}",
                advice.boot_in_words()
            );
            change(&words, Some(parameters))
        }
        _ => change(
            &format!("{found}. What it takes: {}.", finding.change),
            None,
        ),
    };
    (format!("{found}. {}", finding.why), asked)
}

fn change(words: &str, command: Option<&str>) -> Change {
    Change {
        words: words.to_owned(),
        command: command.map(str::to_owned),
    }
}

fn invalidating<'a>(system: &System<'a>) -> impl Iterator<Item = &'a Warning> {
    let warnings = system.outcomes.iter().flat_map(|outcome| &outcome.warnings);
    warnings.filter(|warning| warning.invalidates())
}

fn refused(system: &System) -> Option<Limit> {
    let invalid = system.outcomes.len() - system.valid().count();
    let first = invalidating(system).next()?;
    let limit = format!(
        "{} of {} INVALID and not used: {}.",
        invalid,
        words::counted(system.outcomes.len(), "run") + if invalid == 1 { " is" } else { " are" },
        first.cause(),
    );
    let remedy = format!("{}.", capital(&first.remedy()));
    Some((limit, change(&remedy, None)))
}

fn inversion(system: &System) -> Option<Limit> {
    let series = system.of("priority_inversion");
    let vulnerable: BTreeSet<String> = series
        .filter(|series| series.any(&fact::VULNERABLE) == Some(true))
        .map(|series| format!("`{}`", series.word(&fact::LOCK)))
        .collect();
    let vulnerable: Vec<String> = vulnerable.into_iter().collect();
    (!vulnerable.is_empty()).then(|| {
        let limit = format!(
            "Priority inversion with {}: a high-priority thread waits for as long as a medium one \
             runs.",
            words::listed(&vulnerable)
        );
        let asked = change(
            "Use priority-inheritance mutexes wherever threads of different priority share data:",
            Some("pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT)"),
        );
        (limit, asked)
    })
}

/// The largest growth of the worst wake-up from no load to a load, where the
/// rest is equal; of real-time policies, where there are any.
fn load_sensitive(system: &System) -> Option<Limit> {
    const NOTABLE: f64 = 3.0;
    let headlines = || system.of("wakeup").filter(|series| series.headline);
    let growth = |loaded: &Series| {
        let alike = |idle: &&Series| {
            let (one, other) = (&idle.spec.asked, &loaded.spec.asked);
            one.loads.is_empty()
                && (one.policy, &one.cpus) == (other.policy, &other.cpus)
                && idle.spec.parameters == loaded.spec.parameters
        };
        let before = worst(headlines().find(alike)?)?.max(1.0);
        Some((before, worst(loaded)?))
    };
    headlines()
        .filter(|series| !series.spec.asked.loads.is_empty())
        .filter_map(|loaded| Some((&loaded.spec.asked, growth(loaded)?)))
        .filter(|(_, (before, after))| after / before >= NOTABLE)
        .max_by(|(one, (a, b)), (other, (c, d))| {
            let real_time = (one.policy.is_real_time()).cmp(&other.policy.is_real_time());
            real_time.then((b / a).total_cmp(&(d / c)))
        })
        .map(|(asked, (before, after))| {
            let limit = format!(
                "The worst wake-up seen under `{}` grew from {} without load to {} with {}.",
                asked.policy,
                words::time(before),
                words::time(after),
                loads(asked),
            );
            (limit, keep_away(system))
        })
}

fn keep_away(system: &System) -> Change {
    match clock::counts_instructions(system.machine) {
        true => change(
            "See which kernel keeps that load away:",
            Some("steadfast lab compare"),
        ),
        false => change(
            "Keep background work on CPUs of its own:",
            Some("taskset --cpu-list CPUS COMMAND"),
        ),
    }
}

fn worst(series: &Series) -> Option<f64> {
    Some(series.latency.as_ref()?.max.value_ns as f64)
}

fn page_faults(system: &System) -> Option<Limit> {
    let faulted = |outcome: &&Outcome| {
        let mut warnings = outcome.warnings.iter();
        warnings.any(|warning| matches!(warning, Warning::PageFaults { .. }))
    };
    let runs = system.valid().filter(faulted).count();
    let limit = format!(
        "Measured threads took page faults in their loop in {}.",
        words::counted(runs, "run")
    );
    let asked = change(
        "Lock all memory (the default), and keep more of it free.",
        None,
    );
    (runs > 0).then_some((limit, asked))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
