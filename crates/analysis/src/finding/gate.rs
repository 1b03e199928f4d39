//! Statements about gates.

use super::said::statements;
use crate::effect::POWER;
use crate::gate::{
    Difference, FigureDiffers, NotMeasured, PathMoved, RowAnswer, RowDiffers, RowMoved,
    SetupDiffers,
};
use crate::phrases::{joined, maybe, some};
use crate::words::{counted, grouped, percent, times};
use serde::Serialize;

statements! { AboutGate {
    /// Every row of B is within the margin; this one is nearest to it.
    Passes(ratio: RatioToA)
        "Answer", Good: "PASSES: {}, within the margin of {}.", ratio.words(), percent(ratio.margin);

    Fails(ratio: RatioToA)
        "Answer", Bad: "FAILS: {}, beyond the margin of {}.", ratio.words(), percent(ratio.margin);

    /// The interval contains the margin; further rounds of `more_ns` would decide with 80 % probability.
    Undecided { #[serde(flatten)] ratio: RatioToA, more_ns: Option<u64> }
        "Answer": "UNDECIDED: {}, and the margin is {}; {}.",
            ratio.words(), percent(ratio.margin), would_decide(*more_ns);

    /// A's second runs, divided by its first ones, differ by more than the margin.
    Unsteady { row: String, figure: &'static str, again: [f64; 3], margin: f64 }
        "Answer": "UNDECIDED: A differs from itself by more than the margin of {} ({figure} of {row}: {}); find out \
            why with `steadfast doctor`, or use longer runs.",
            percent(*margin), gate_times(*again);

    NotMeasured { row: String, why: NotMeasured }
        "Answer": "NOT MEASURED: {row}: {why}.";

    Sides { runs: [String; 2], rounds: usize, left_out: usize }
        "Runs" = sides(runs, *rounds, *left_out);

    /// How often such a gate is wrong, and what it finds: the highest share of wrong answers, the share of resampled
    /// gates of A against itself that would fail, over all rows, and the ratio that would fail in 80 % of such gates.
    Rates { wrong: f64, false_alarms: f64, detectable: f64 }
        "Evidence": "an answer is wrong in at most {} of gates; {} of {} gates of A against A, resampled from these \
            runs, would fail. {} of such gates would find a ratio of {}.",
            percent(*wrong), if *false_alarms == 0.0 { "none".to_owned() } else { percent(*false_alarms) },
            grouped(stats::RESAMPLED as u64), percent(POWER), times(*detectable);

    /// Every run in the lab is equal to its baseline, or differs as allowed.
    Equal { baseline: String, runs: usize, rows: usize }
        "Answer", Good: "PASSES: {} of {} have exactly the samples of baseline `{baseline}`, or differ as allowed.",
            counted(*rows, "row"), counted(*runs, "run");

    /// A run in the lab differs from its baseline.
    RunDiffers { run: String, kernel: String, difference: Difference }
        "Answer", Bad: "FAILS: {run} on {kernel}: {}.", differs(difference);

    /// No typical time of a run in the lab is shown to be longer than in the baseline, over several draws.
    NoneLonger { baseline: String, runs: usize, rows: usize, draws: usize }
        "Answer", Good: "PASSES: no path is shown to be longer than in baseline `{baseline}`, by the median and the \
            shortest time of {} of {} in {draws} draws each (worst cases are a matter of chance).",
            counted(*rows, "row"), counted(*runs, "run");

    /// Paths that take longer than in the baseline, the largest ratio first.
    Longer { paths: Vec<PathMoved> }
        "Answer", Bad: "FAILS: {}.", paths_moved(paths, "longer");

    Shorter { paths: Vec<PathMoved> }
        "Shorter": "{}.", paths_moved(paths, "shorter");

    /// A run in the lab that was not made, or is INVALID.
    NotMade { run: String, why: String }
        "Answer": "NOT MEASURED: {run}: {why}.";

    /// A run in the lab differs from its baseline as it may.
    Allowed { run: String, reason: String }
        "Allowed": "{run}: {reason}.";

    /// The setup in the lab is not that of the baseline.
    SetupDiffers { facts: Vec<SetupDiffers> }
        "Setup": "{}.", joined(facts.iter().map(SetupDiffers::words), "; ");
}}

/// How many times A's figure that of B is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioToA {
    pub row: String,
    pub figure: &'static str,
    /// Lower end, estimate, upper end.
    pub times: [f64; 3],
    pub margin: f64,
}

impl RatioToA {
    fn words(&self) -> String {
        format!("{} of {} in B is {} that in A", self.figure, self.row, gate_times(self.times))
    }
}

fn sides([a, b]: &[String; 2], rounds: usize, left_out: usize) -> String {
    let left_out = maybe(some(left_out), |runs| {
        format!("; {} left out, in incomplete rounds", counted(runs, "run"))
    });
    let rounds = counted(rounds, "complete round");
    let sides = if a == b { format!("A and B: {a}") } else { format!("A: {a}. B: {b}") };
    format!("{rounds} of A, A again and B{left_out}. {sides}.")
}

/// Rows and figures of a run that a sentence names.
const MOST_ROWS: usize = 2;
const MOST_FIGURES: usize = 3;
/// Paths that a sentence names.
const MOST_MOVED: usize = 5;

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

/// `1 path is longer: median of fifo_write fifo:80, one task, on debian-6.12 +35 instructions (1160 before, 1195 now)`.
fn paths_moved(paths: &[PathMoved], how: &str) -> String {
    let range = |[least, greatest]: [i64; 2]| match least == greatest {
        true => least.to_string(),
        false => format!("{least} to {greatest}"),
    };
    let path = |PathMoved { run, kernel, row }: &PathMoved| {
        let (was, now, by) = (range(row.was), range(row.now), row.by());
        let RowMoved { label, figure, .. } = row;
        format!(
            "{figure} of {run}, {label}, on {kernel} {by:+} instructions ({was} before, {now} now)"
        )
    };
    let more = some(paths.len().saturating_sub(MOST_MOVED)).map(|more| format!("and {more} more"));
    let named = joined(paths.iter().take(MOST_MOVED).map(path).chain(more), "; ");
    let are = if paths.len() == 1 { "is" } else { "are" };
    format!("{} {are} {how}: {named}", counted(paths.len(), "path"))
}

/// `1.02x (1.01x to 1.03x)`, with more digits near 1.
pub fn gate_times([lower, estimate, upper]: [f64; 3]) -> String {
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

impl SetupDiffers {
    fn words(&self) -> String {
        format!("{}: {}, was {}", self.what, self.now, self.was)
    }
}

impl RowAnswer {
    /// Returns the answer as a part of a sentence: `passes`, `undecided: 30 more seconds would decide`.
    pub fn words(&self) -> String {
        match self {
            Self::Passes => "passes".to_owned(),
            Self::Fails => "FAILS".to_owned(),
            Self::Undecided { more_ns } => format!("undecided: {}", would_decide(*more_ns)),
            Self::Unsteady => "undecided: A differs from itself".to_owned(),
            Self::NotMeasured { why } => format!("not measured: {why}"),
        }
    }
}
