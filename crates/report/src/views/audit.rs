//! An audit of a model's step. It is not part of an analysis, so it is not among the views.

use analysis::audit::{Audited, Details, Finding, FindingKind, place};
use analysis::finding::Standing;
use analysis::phrases::maybe;
use analysis::words::{capital, counted, times};

use crate::answer::{Answer, Line, Remark};
use crate::render::brief::cut;

/// Columns that the other figures of a finding leave for what it changed.
const OF_CHANGE: usize = 38;
/// Maximum number of findings in the verdict.
const IN_VERDICT: usize = 2;

pub fn answer(audited: &Audited) -> Answer {
    let findings = &audited.findings;
    let file = audited.file.rsplit('/').next().unwrap_or_default();
    Answer {
        subject: format!(
            "{}{file}, {}",
            maybe(audited.part.as_ref(), |part| format!("{part} of ")),
            audited.interface
        ),
        effort: format!("{}, twice", counted(audited.steps as usize, "step")),
        standing: match (findings.is_empty(), audited.system_calls_seen) {
            (false, _) => Standing::Bad,
            (true, true) => Standing::Good,
            (true, false) => Standing::Open,
        },
        verdict: verdict(audited),
        lines: findings.iter().map(line).collect(),
        remarks: remarks(audited),
    }
}

pub(crate) fn verdict(audited: &Audited) -> String {
    let findings = &audited.findings;
    if findings.is_empty() {
        return nothing_found(audited);
    }
    let first = findings.iter().take(IN_VERDICT).map(|found| found.in_words(audited.steps));
    let more = findings.len().saturating_sub(IN_VERDICT);
    let more = (more > 0).then(|| format!("{more} more"));
    capital(&first.chain(more).collect::<Vec<String>>().join("; ")) + "."
}

/// Says what the absence of findings means: what was not watched may be there.
fn nothing_found(audited: &Audited) -> String {
    let place = if audited.is_program { " from outside" } else { "" };
    match &audited.not_seen[..] {
        [] => format!("Nothing found{place}: no step does what a real-time step must not."),
        not_seen => format!("Nothing found{place}; not watched: {}.", not_seen.join("; ")),
    }
}

fn line(found: &Finding) -> Line {
    let ratio = maybe(found.times_as_long, |ratio| format!("x {}", times(ratio)));
    let detail = match (&found.details, found.places.first()) {
        (Details::Changed { what, .. }, _) => cut(what, OF_CHANGE),
        (_, Some(at)) => place(at),
        (_, None) if found.kind == FindingKind::SystemCall => String::new(),
        (_, None) => found.names.first().cloned().unwrap_or_default(),
    };
    Line { what: found.name().to_owned(), figures: vec![found.when(), ratio, detail] }
}

fn remarks(audited: &Audited) -> Vec<Remark> {
    let first = audited.findings.first();
    let first = first.map(|first| Remark::new(Remark::FIX_FIRST, first.kind.remedy()));
    let calls: u64 = audited.concurrent.iter().map(|one| one.count).sum();
    let beside = (calls > 0).then(|| {
        let calls = counted(calls as usize, "call");
        let words = format!("the model's own threads made {calls} during its steps (not a fault).");
        Remark::new("Threads", words)
    });
    let printed = (!audited.printed.is_empty())
        .then(|| Remark::new("It printed", audited.printed.join(" | ")));
    // Without findings, the verdict says so.
    let is_said = audited.findings.is_empty() || audited.not_seen.is_empty();
    let not_seen =
        (!is_said).then(|| Remark::new("Not watched", format!("{}.", audited.not_seen.join("; "))));
    [printed, first, beside, not_seen].into_iter().flatten().collect()
}
