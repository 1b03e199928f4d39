//! Statements about gates.

mod difference;
mod moved;
mod row_answer;

use super::said::statements;
use crate::effect::POWER;
use crate::phrases::{joined, maybe, some};
use crate::words::{counted, grouped, percent, times};
use serde::Serialize;

pub use difference::{FigureDiffers, FirstDiffering, RowDiffers, RunDifference, SetupDiffers};
pub use moved::{PathMoved, RowMoved};
pub use row_answer::{GateAnswer, NotMeasured, RowAnswer};

pub(crate) use difference::LONGEST;
use difference::differs;
use moved::paths_moved;
use row_answer::would_decide;

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
    RunDiffers { run: String, kernel: String, difference: RunDifference }
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

/// `1.02x (1.01x to 1.03x)`, with more digits near 1.
pub fn gate_times([lower, estimate, upper]: [f64; 3]) -> String {
    // A margin is a few per cent, so a ratio near 1 needs its thousandths.
    let precise =
        |ratio| if (0.5..2.0).contains(&ratio) { format!("{ratio:.3}") } else { times(ratio) };
    let [lower, estimate, upper] = [lower, estimate, upper].map(precise);
    format!("{estimate}x ({lower}x to {upper}x)")
}
