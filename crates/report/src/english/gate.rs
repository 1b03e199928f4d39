//! The English text about gates.

use analysis::effect::POWER;
use analysis::finding::{AboutGate as About, RatioToA};
use analysis::gate::{Difference, FigureDiffers, NotMeasured, RowAnswer, RowDiffers, SetupDiffers};
use analysis::words::{self, counted, percent, times};

use super::parts::{joined, maybe, some};
use super::said::{Label, Said};

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::Passes(ratio) => "Answer".good(format!(
            "PASSES: {}, within the margin of {}.",
            to_a(ratio),
            percent(ratio.margin)
        )),
        About::Fails(ratio) => "Answer".bad(format!(
            "FAILS: {}, beyond the margin of {}.",
            to_a(ratio),
            percent(ratio.margin)
        )),
        About::Undecided { ratio, more_ns } => "Answer".says({
            let (margin, more) = (percent(ratio.margin), would_decide(*more_ns));
            format!("UNDECIDED: {}, and the margin is {margin}; {more}.", to_a(ratio))
        }),
        About::Unsteady { row, figure, again, margin } => "Answer".says(format!(
            "UNDECIDED: A differs from itself by more than the margin of {} ({figure} of {row}: \
             {}); find out why with `steadfast doctor`, or use longer runs.",
            percent(*margin),
            gate_times(*again)
        )),
        About::NotMeasured { row, why } => {
            "Answer".says(format!("NOT MEASURED: {row}: {}.", not_measured(why)))
        }
        About::Sides { runs: [a, b], rounds, left_out } => "Runs".says({
            let left_out = maybe(some(*left_out), |runs| {
                format!("; {} left out, in incomplete rounds", counted(runs, "run"))
            });
            let rounds = counted(*rounds, "complete round");
            let sides = if a == b { format!("A and B: {a}") } else { format!("A: {a}. B: {b}") };
            format!("{rounds} of A, A again and B{left_out}. {sides}.")
        }),
        About::Rates { wrong, false_alarms, detectable } => "Evidence".says(format!(
            "an answer is wrong in at most {} of gates; {} of {} gates of A against A, resampled \
             from these runs, would fail. {} of such gates would find a ratio of {}.",
            percent(*wrong),
            if *false_alarms == 0.0 { "none".to_owned() } else { percent(*false_alarms) },
            words::grouped(stats::RESAMPLED as u64),
            percent(POWER),
            times(*detectable)
        )),
        About::Equal { baseline, runs, rows } => "Answer".good(format!(
            "PASSES: {} of {} have exactly the samples of baseline `{baseline}`, or differ as \
             allowed.",
            counted(*rows, "row"),
            counted(*runs, "run")
        )),
        About::RunDiffers { run, kernel, difference } => {
            "Answer".bad(format!("FAILS: {run} on {kernel}: {}.", differs(difference)))
        }
        About::NotMade { run, why } => "Answer".says(format!("NOT MEASURED: {run}: {why}.")),
        About::Allowed { run, reason } => "Allowed".says(format!("{run}: {reason}.")),
        About::SetupDiffers { facts } => "Setup".says({
            let fact =
                |fact: &SetupDiffers| format!("{}: {}, was {}", fact.what, fact.now, fact.was);
            format!("{}.", joined(facts.iter().map(fact), "; "))
        }),
    }
}

/// Rows and figures of a run that a sentence names.
const MOST_ROWS: usize = 2;
const MOST_FIGURES: usize = 3;

fn differs(Difference { rows, first }: &Difference) -> String {
    let row = |row: &RowDiffers| {
        let figures = row.figures.iter().take(MOST_FIGURES).map(figure);
        format!("{}: {}", row.label, joined(figures, ", "))
    };
    let more = some(rows.len().saturating_sub(MOST_ROWS));
    let more = more.map(|more| format!("and {}", counted(more, "more row")));
    let first = first.as_ref().map(|first| {
        let by = maybe(first.instructions, |by| format!(" by {by:+} instructions"));
        format!(
            "first difference: sample {} of {} in {}{by}",
            first.index, first.column, first.track
        )
    });
    joined(rows.iter().take(MOST_ROWS).map(row).chain(more).chain(first), "; ")
}

/// `median +35 instructions (1200 to 1235)`, `skipped +1 (0 to 1)`.
fn figure(FigureDiffers { figure, was, now, is_in_instructions }: &FigureDiffers) -> String {
    let unit = if *is_in_instructions { " instructions" } else { "" };
    format!("{figure} {:+}{unit} ({was} to {now})", now - was)
}

fn to_a(ratio: &RatioToA) -> String {
    format!("{} of {} in B is {} that in A", ratio.figure, ratio.row, gate_times(ratio.times))
}

/// `1.02x (1.01x to 1.03x)`, with more digits near 1.
pub(crate) fn gate_times([lower, estimate, upper]: [f64; 3]) -> String {
    // A margin is a few per cent, so a ratio near 1 needs its thousandths.
    let precise =
        |ratio| if (0.5..2.0).contains(&ratio) { format!("{ratio:.3}") } else { times(ratio) };
    let [lower, estimate, upper] = [lower, estimate, upper].map(precise);
    format!("{estimate}x ({lower}x to {upper}x)")
}

fn would_decide(more_ns: Option<u64>) -> String {
    match more_ns {
        None => "they are too close to decide it in reasonable time, so choose another --margin"
            .to_owned(),
        Some(more_ns) => {
            let time = match more_ns.div_ceil(1_000_000_000) {
                seconds @ ..=90 => counted(seconds as usize, "more second"),
                seconds => counted(seconds.div_ceil(60) as usize, "more minute"),
            };
            format!("{time} would decide")
        }
    }
}

fn not_measured(why: &NotMeasured) -> String {
    match why {
        NotMeasured::TooFewRounds { rounds } => {
            format!("{} is too few; increase --budget", counted(*rounds, "complete round"))
        }
        NotMeasured::OnOneSide => "only one side has this row".to_owned(),
        NotMeasured::Unavailable { needs } => words::unavailable(needs).to_owned(),
        NotMeasured::TooFewSamples => "a run has too few samples for this figure".to_owned(),
    }
}

pub(crate) fn gate_answer(answer: &RowAnswer) -> String {
    match answer {
        RowAnswer::Passes => "passes".to_owned(),
        RowAnswer::Fails => "FAILS".to_owned(),
        RowAnswer::Undecided { more_ns } => format!("undecided: {}", would_decide(*more_ns)),
        RowAnswer::Unsteady => "undecided: A differs from itself".to_owned(),
        RowAnswer::NotMeasured { why } => format!("not measured: {}", not_measured(why)),
    }
}
