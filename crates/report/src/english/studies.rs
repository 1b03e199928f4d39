//! English of the findings of published studies and of their verdicts.

use std::array;

use analysis::effect::FALSE_DISCOVERIES;
use analysis::finding::AboutStudies as About;
use analysis::studies::{
    Estimate, Judged, Measured, Missing, Undecided, Unit, Unmeasured, Verdict,
};
use analysis::words::{capital, counted, percent, quantity, time, times};

use super::label::Label;
use analysis::finding::Said;
use analysis::phrases::{joined, maybe, some};

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::StudiesJudged {
            findings,
            holds,
            reversed,
            undecided,
            not_measured,
            not_testable,
        } => {
            let counts = [*holds, *reversed, *undecided, *not_measured, *not_testable];
            let [hold, _, undecided, not_measured, not_testable] = study_verdicts(counts);
            let (all, are) =
                (counted(*findings, "finding"), if *reversed == 1 { "is" } else { "are" });
            "Answer".plain(format!(
                "Of {all}: {hold}, {reversed} {are} reversed, {undecided}, {not_measured}, {not_testable}."
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
        Verdict::NotMeasured(_) => "not measured yet",
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
        Verdict::Undecided(Undecided::Sittings) => {
            "the sides were not measured in turns, and sittings may differ by this much".to_owned()
        }
        Verdict::Undecided(Undecided::MoreRuns(factor)) => {
            format!("about {} times as many runs would decide", quantity(*factor))
        }
        Verdict::Undecided(Undecided::NoFigure(side)) => format!("its runs do not have: {side}"),
        Verdict::NotMeasured(Unmeasured::NoRuns) => "there are no runs".to_owned(),
        Verdict::NotMeasured(Unmeasured::NotYet) => {
            "a side has no valid run yet; the same command continues".to_owned()
        }
        Verdict::NotMeasured(Unmeasured::Side(side)) => format!("no valid run has: {side}"),
        Verdict::NotTestable(Missing::Known(reason)) => reason.clone(),
        Verdict::NotTestable(Missing::System(side)) => {
            format!("no run is of the system of: {side}")
        }
        Verdict::NotTestable(Missing::Plan(side)) => {
            format!("no plan measures on these machines: {side}")
        }
        Verdict::NotTestable(Missing::Incomparable(system)) => format!(
            "{system} was measured on another kind of machine, so its times are not comparable"
        ),
    })
}

/// Returns how many findings hold, are reversed, are undecided, are not measured yet and are not
/// testable here.
pub(crate) fn study_verdicts(counts: [usize; 5]) -> [String; 5] {
    let hold = if counts[0] == 1 { "holds" } else { "hold" };
    let words = [hold, "reversed", "undecided", "not measured yet", "not testable here"];
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
    let source = maybe(one.source.as_ref(), |source| format!(" of {source}"));
    format!("{}{source}: {figures}{quantities}", figure_name(&one.figure))
}

/// Names of figures that are not facts of a row.
const FIGURES: [(&str, &str); 13] = [
    ("mean", "average"),
    ("range", "longest less shortest"),
    ("spread", "p99 less p1"),
    ("first_missed", "smallest size with a miss"),
    ("first_not_soft", "smallest size that is not soft real time"),
    ("first_many", "smallest size with many misses"),
    ("sizes_with_many", "sizes with many misses"),
    ("band_width", "ratio of the sizes with many and with a first miss"),
    ("no_switch", "share without a switch"),
    ("near_median", "share near the median"),
    ("preempted", "share preempted"),
    ("missed", "share missed"),
    ("worst_by_handler", "worst by the worst of its handler"),
];

fn figure_name(figure: &str) -> String {
    let known = FIGURES.iter().find(|(name, _)| *name == figure).map(|(_, words)| *words);
    let plain = || figure.strip_suffix("_ns").unwrap_or(figure).replace('_', " ");
    known.map_or_else(plain, str::to_owned)
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
