//! English of the findings of published studies and of their verdicts.

use std::array;

use analysis::effect::FALSE_DISCOVERIES;
use analysis::finding::AboutStudies as About;
use analysis::studies::{Estimate, Judged, Measured, Missing, Undecided, Unit, Verdict};
use analysis::words::{capital, counted, percent, quantity, time, times};

use super::parts::{joined, maybe, some};
use super::said::{Label, Said};

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::StudiesJudged { findings, holds, reversed, undecided, not_testable } => {
            let [hold, _, undecided, not_testable] =
                study_verdicts([*holds, *reversed, *undecided, *not_testable]);
            let (all, are) =
                (counted(*findings, "finding"), if *reversed == 1 { "is" } else { "are" });
            "Answer".plain(format!(
                "Of {all}: {hold}, {reversed} {are} reversed, {undecided}, {not_testable}."
            ))
        }
        About::StudiesEvidence => "Evidence".says(format!(
            "False-discovery rate of the verdicts: {}; unit of analysis: the run.",
            percent(FALSE_DISCOVERIES)
        )),
        About::StudyReversed { id, statement, reason } => "Reversed".says({
            let reason = maybe(some(reason.as_str()), |why| format!(" A known reason: {why}."));
            format!("{id}: {statement}.{reason}")
        }),
    }
}

pub fn study_verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Reversed => "reversed",
        Verdict::Undecided(_) => "undecided",
        Verdict::NotTestable(_) => "not testable here",
    }
}

/// Returns what would decide a finding, or what is missing to test it; `None` if it is decided.
pub fn study_open(verdict: &Verdict) -> Option<String> {
    Some(match verdict {
        Verdict::Holds | Verdict::Reversed => return None,
        Verdict::Undecided(Undecided::OneRun) => {
            "one run per side says nothing about run-to-run variation; repeat the plan".to_owned()
        }
        Verdict::Undecided(Undecided::AtBound) => "the quantity is at the bound".to_owned(),
        Verdict::Undecided(Undecided::MoreRuns(factor)) => {
            format!("about {} times as many runs would decide", quantity(*factor))
        }
        Verdict::NotTestable(Missing::Known(reason)) => reason.clone(),
        Verdict::NotTestable(Missing::NoRuns) => "there are no runs".to_owned(),
        Verdict::NotTestable(Missing::NotYet) => {
            "a side has no valid run yet; the same command continues".to_owned()
        }
        Verdict::NotTestable(Missing::Side(side)) => format!("no run has: {side}"),
        Verdict::NotTestable(Missing::Incomparable(system)) => format!(
            "{system} was measured on another kind of machine, so its times are not comparable"
        ),
        Verdict::NotTestable(Missing::Figure) => "a figure is missing".to_owned(),
    })
}

/// Returns how many findings hold, are reversed, are undecided and are not testable here.
pub(crate) fn study_verdicts(counts: [usize; 4]) -> [String; 4] {
    let hold = if counts[0] == 1 { "holds" } else { "hold" };
    let words = [hold, "reversed", "undecided", "not testable here"];
    array::from_fn(|at| format!("{} {}", counts[at], words[at]))
}

/// Returns for each condition the figures of the sides, if they are of interest, then what decides
/// with its interval.
pub(crate) fn study_measured(judged: &Judged) -> String {
    joined(judged.measured.iter().map(measured), "; ")
}

fn measured(one: &Measured) -> String {
    let words = |number| in_unit(one.unit_of_quantity, number);
    let interval = |ends: [f64; 2]| format!(" ({})", ends.map(words).join(" to "));
    let estimate =
        |estimate: &Estimate| words(estimate.value) + &maybe(estimate.interval, interval);
    let quantities = joined(one.quantities.iter().map(estimate), ", ");
    let figures = one.figures.iter().map(|figure| in_unit(one.unit, *figure));
    let figures = maybe(some(joined(figures, ", ")), |figures| figures + ": ");
    figures + &quantities
}

fn in_unit(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Nanoseconds => time(number),
        Unit::Share => percent(number),
        Unit::Ratio => format!("{}x", times(number)),
        Unit::Number => quantity(number),
    }
}

/// Returns what a reader must know to understand a verdict.
pub(crate) fn study_notes(judged: &Judged) -> Vec<String> {
    let Judged { finding, is_exact, .. } = judged;
    let exact = is_exact.then(|| "exact for one list of runs, no interval".to_owned());
    let noted = |label: &str, words: &str| some(words).map(|words| format!("{label}: {words}"));
    let differs = noted("known reason for a different result", &finding.differs);
    let contradicts = noted("contradicted by", &finding.contradicts);
    [exact, differs, contradicts].into_iter().flatten().collect()
}

/// Returns the verdict, the finding, what was measured and published, and why it is open.
pub fn study_finding(judged: &Judged) -> String {
    let finding = &judged.finding;
    let open = study_open(&judged.verdict).unwrap_or_default();
    let parts =
        [("Measured", &study_measured(judged)), ("Published", &finding.published), ("Open", &open)];
    let parts = parts.into_iter().filter(|(_, words)| !words.is_empty());
    let parts = parts.map(|(label, words)| format!(" {label}: {words}."));
    // That it is exact comes last here.
    let mut notes = study_notes(judged);
    notes.rotate_left(usize::from(judged.is_exact));
    let notes = notes.iter().map(|note| format!(" {}.", capital(note)));
    let verdict = study_verdict(&judged.verdict).to_uppercase();
    format!("{verdict}. {}.{}", finding.statement, joined(parts.chain(notes), ""))
}
