//! An audit of a model's step. It is not part of an analysis, so it is not among the views.

use analysis::audit::{Audited, Details, Finding, FindingKind, place};
use analysis::phrases::maybe;
use analysis::words::{counted, times};

use crate::answer::{Answer, Line, Remark};
use crate::render::brief::cut;

/// Columns that the other figures of a finding leave for what it changed.
const OF_CHANGE: usize = 38;

pub fn audit_answer(audited: &Audited) -> Answer {
    let verdict = audited.verdict();
    let file = audited.file.rsplit('/').next().unwrap_or_default();
    Answer {
        subject: format!(
            "{}{file}, {}",
            maybe(audited.part.as_ref(), |part| format!("{part} of ")),
            audited.interface
        ),
        effort: format!("{}, twice", counted(audited.steps as usize, "step")),
        standing: verdict.standing,
        verdict: verdict.words,
        lines: audited.findings.iter().map(line).collect(),
        remarks: audited.remarks().into_iter().map(Remark::from).collect(),
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
