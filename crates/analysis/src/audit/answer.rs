//! The answer at first glance.

use super::audited::Audited;
use super::finding::{Finding, told_place};
use super::kind::FindingKind;
use crate::answer::{Answer, Line, Remark, Standing};
use crate::words;

/// Findings that the verdict tells.
const IN_VERDICT: usize = 2;

pub(super) fn of(audited: &Audited) -> Answer {
    let findings = &audited.findings;
    let (standing, verdict) = match (findings.is_empty(), audited.system_calls_seen) {
        (false, _) => (Standing::Bad, verdict(findings)),
        (true, true) => (
            Standing::Good,
            "Nothing found: no step does what a real-time step must not.".to_owned(),
        ),
        (true, false) => {
            (Standing::Open, "Nothing found, but system calls could not be watched.".to_owned())
        }
    };
    let file = audited.file.rsplit('/').next().unwrap_or_default();
    Answer {
        subject: format!("{file}, {}", audited.interface),
        effort: format!("{}, twice", words::counted(audited.steps as usize, "step")),
        standing,
        verdict,
        lines: findings.iter().map(line).collect(),
        remarks: remarks(audited),
    }
}

fn verdict(findings: &[Finding]) -> String {
    let told: Vec<&str> = findings.iter().take(IN_VERDICT).map(|one| one.told.as_str()).collect();
    let more = match findings.len().saturating_sub(IN_VERDICT) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    words::capital(&format!("{}{more}.", told.join("; ")))
}

fn line(finding: &Finding) -> Line {
    let what = match (finding.kind, finding.names.first()) {
        (FindingKind::SystemCall, Some(name)) => name.clone(),
        (kind, _) => kind.name().to_owned(),
    };
    let times = finding.times_as_long.map(|times| format!("x {}", words::times(times)));
    Line { what, figures: vec![finding.when.clone(), times.unwrap_or_default(), detail(finding)] }
}

/// Where it comes from, or what it is about.
fn detail(finding: &Finding) -> String {
    let place = finding.places.first().map(told_place);
    let named = || match finding.kind {
        FindingKind::SystemCall => None,
        _ => finding.names.first().cloned(),
    };
    place.or_else(named).unwrap_or_default()
}

fn remarks(audited: &Audited) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if let Some(first) = audited.findings.first() {
        remarks.push(Remark::new("Do first", first.remedy));
    }
    if !audited.beside.is_empty() {
        let calls: u64 = audited.beside.iter().map(|one| one.count).sum();
        let calls = words::counted(calls as usize, "call");
        remarks.push(Remark::new(
            "Beside",
            format!("threads of the model made {calls} while it was stepped, which are no fault of the step."),
        ));
    }
    if !audited.not_seen.is_empty() {
        remarks.push(Remark::new("Not seen", format!("{}.", audited.not_seen.join("; "))));
    }
    remarks
}
