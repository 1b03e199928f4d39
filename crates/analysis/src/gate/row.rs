//! The answer of one row of a gate.

use record::{GateSide, Outcome, Row};
use serde::{Serialize, Serializer};
use stats::{Calibrated, Round as Logs};

use crate::effect::{Effect, Evidence, Figure, POWER};
use crate::finding::{NotMeasured, RowAnswer};
use crate::lists::each_once;
use crate::survey::Series;

/// The highest rate of wrong answers: failing within the margin, or passing beyond it.
pub const WRONG: f64 = 0.05;

/// Gates that rarely find a ratio of this many times the margin's depend on chance more than on B.
const COARSEST: f64 = 2.0;

/// Longer gates than this many times the rounds are not proposed.
const MOST_TIMES: f64 = 200.0;

/// The runs of a round, in the order of [`GateSide::ALL`].
pub(super) type Round<'a> = [&'a Outcome; 3];

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateRow {
    /// Label of the row.
    pub label: String,
    /// Answer of the row: passes, fails, undecided, unsteady (A differs from itself) or
    /// not_measured.
    pub answer: RowAnswer,
    /// B's figure divided by A's; null if the row was not measured.
    pub compared: Option<Compared>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// Ratio: lower end of the interval, estimate, upper end; null if an end is unbounded.
    #[serde(rename = "times", serialize_with = "times")]
    #[cfg_attr(feature = "schema", schemars(with = "[Option<f64>; 3]"))]
    pub effect: Effect,
    /// Ratio of A's second runs to its first ones: lower end of the interval, estimate, upper end; null
    /// if an end is unbounded.
    #[cfg_attr(feature = "schema", schemars(with = "[Option<f64>; 3]"))]
    pub a_vs_a: [f64; 3],
    /// Share of gates of A against itself, resampled from its runs, that would fail.
    pub false_alarms: f64,
    /// Smallest ratio that 80 % of such gates would detect; null if there is none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub detectable: f64,
}

fn times<S: Serializer>(effect: &Effect, serializer: S) -> Result<S::Ok, S::Error> {
    effect.times.serialize(serializer)
}

impl GateRow {
    pub(super) fn severity(&self) -> f64 {
        let upper = self.compared.map_or(0.0, |compared| compared.effect.times[2].atan());
        f64::from(self.answer.kind() as u8) * 2.0 + upper
    }

    fn not_measured(label: &str, why: NotMeasured) -> Self {
        let answer = RowAnswer::NotMeasured { why };
        Self { label: label.to_owned(), answer, compared: None }
    }
}

pub(super) fn gate_rows(rounds: &[Round], figure: &'static Figure, margin: f64) -> Vec<GateRow> {
    let Some(first) = rounds.first() else {
        return vec![GateRow::not_measured("all rows", NotMeasured::TooFewRounds { rounds: 0 })];
    };
    let pairs = pairs(first);
    // The level is divided by the number of rows that could fail.
    let level = WRONG / pairs.len().max(1) as f64;
    let row = |names: &Names| {
        let label = if names[0] == names[2] { names[0] } else { "the only row" };
        match compared(rounds, names, figure, margin, level) {
            Ok((answer, compared)) => {
                GateRow { label: label.to_owned(), answer, compared: Some(compared) }
            }
            Err(why) => GateRow::not_measured(label, why),
        }
    };
    pairs.iter().map(row).collect()
}

/// The name of a row on each side of a round.
type Names<'a> = [&'a str; GateSide::ALL.len()];

/// Rows with equal names, or the only rows, whose names may contain what B changes.
fn pairs<'a>(round: &Round<'a>) -> Vec<Names<'a>> {
    let has_figure = |row: &&Row| row.latency.is_some() || row.unavailable.is_some();
    let names = round.map(|run| {
        run.rows.iter().filter(has_figure).map(|row| row.label.as_str()).collect::<Vec<&str>>()
    });
    if let [[a], [again], [b]] = names.each_ref().map(Vec::as_slice)
        && a != b
    {
        return vec![[*a, *again, *b]];
    }
    let labels = each_once(names.into_iter().flatten());
    labels.into_iter().map(|label| [label; GateSide::ALL.len()]).collect()
}

fn compared(
    rounds: &[Round],
    names: &Names,
    figure: &'static Figure,
    margin: f64,
    level: f64,
) -> Result<(RowAnswer, Compared), NotMeasured> {
    let logs = logs(rounds, names, figure)?;
    let too_few = NotMeasured::TooFewRounds { rounds: rounds.len() };
    let gate = Calibrated::of(&logs, level).ok_or(too_few)?;
    let [lower, ratio, upper] = gate.interval();
    let limit = 1.0 + margin;
    let again = gate.interval_again();
    let detectable = gate.detectable(margin, POWER);
    let is_fine = detectable <= COARSEST * limit || lower > detectable;
    let answer = if again[0] > limit || again[2] < 1.0 / limit {
        RowAnswer::Unsteady
    } else if lower > limit && is_fine {
        RowAnswer::Fails
    } else if upper < limit {
        RowAnswer::Passes
    } else {
        let times = gate.times_as_many(margin, POWER);
        let more = time_of(rounds) * (times - 1.0);
        RowAnswer::Undecided { more_ns: (times <= MOST_TIMES).then_some(more as u64) }
    };
    let mean = |side: usize| logs.iter().map(|round| round[side]).sum::<f64>() / logs.len() as f64;
    let reference = f64::midpoint(mean(0), mean(1)).exp();
    let effect = Effect {
        times: [lower, ratio, upper],
        level: 2.0 * level,
        is_decided: true,
        is_shown: answer == RowAnswer::Fails,
        ..Effect::new(figure, [reference, mean(2).exp()], Evidence::Tested(gate.contrast))
    };
    let compared =
        Compared { effect, a_vs_a: again, false_alarms: gate.false_alarms(margin), detectable };
    Ok((answer, compared))
}

fn logs(rounds: &[Round], names: &Names, figure: &Figure) -> Result<Vec<Logs>, NotMeasured> {
    let side = |side: GateSide| side_of(rounds, names[side as usize], side as usize);
    let [a, again, b] = [side(GateSide::A)?, side(GateSide::AAgain)?, side(GateSide::B)?];
    let values = |other: &Series| (figure.of)([&a, other]).ok_or(NotMeasured::TooFewSamples);
    let (with_again, with_b) = (values(&again)?.runs, values(&b)?.runs);
    let sides = [with_again.reference, with_again.other, with_b.other];
    if sides.iter().any(|runs| runs.len() != rounds.len()) {
        return Err(NotMeasured::TooFewSamples);
    }
    Ok((0..rounds.len()).map(|round| sides.each_ref().map(|runs| runs[round])).collect())
}

fn side_of<'a>(rounds: &[Round<'a>], label: &str, side: usize) -> Result<Series<'a>, NotMeasured> {
    let row = |run: &'a Outcome| run.rows.iter().find(|row| row.label == label);
    let rows: Option<Vec<&Row>> = rounds.iter().map(|round| row(round[side])).collect();
    let rows = rows.ok_or(NotMeasured::OnOneSide)?;
    if let Some(needs) = rows.iter().find_map(|row| row.unavailable.clone()) {
        return Err(NotMeasured::Unavailable { needs });
    }
    let (spec, label) = (&rounds[0][side].header.spec, &rows[0].label);
    Ok(Series { rows, ..Series::bare(spec, label) })
}

/// Returns how long the rounds took, in nanoseconds.
fn time_of(rounds: &[Round]) -> f64 {
    let starts = || rounds.iter().flatten().map(|run| run.header.started_unix_ns);
    let (Some(first), Some(last)) = (starts().min(), starts().max()) else { return 0.0 };
    let runs = (rounds.len() * GateSide::ALL.len()) as f64;
    (last - first) as f64 * runs / (runs - 1.0)
}
