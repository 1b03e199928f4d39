//! Gates. On hardware: whether side B is worse than side A by more than a margin. Both sides were
//! measured in the same rounds, and A twice in each, which calibrates how often equal sides differ.
//! In the lab ([`Exact`]): whether all samples are those of a baseline, or over several draws, whether
//! a typical time is longer.

mod drawn;
mod exact;
#[cfg(test)]
mod exact_tests;
mod findings;
mod moved;
mod row;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use record::{GateRun, GateSide, Outcome, RunSpec};
use serde::Serialize;

pub use exact::{Allowance, Exact, ExactAnswer, ExactRun, Sampled};
pub use moved::Moved;
pub use row::{Compared, GateRow, WRONG};

use self::row::Round;
use crate::effect::{FIGURES, Figure};
use crate::finding::GateAnswer;
use crate::survey::System;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// Name of the machine.
    pub system: String,
    /// Runs of A and B, as text.
    pub runs: [String; 2],
    /// Figure compared.
    pub figure: &'static str,
    /// Margin by which B may be worse, as a share of A's figure.
    pub margin: f64,
    /// Complete rounds: A, A again and B, all valid.
    pub rounds: usize,
    /// Valid runs left out because their round is not complete.
    pub left_out: usize,
    /// Worst answer of all rows.
    pub answer: GateAnswer,
    /// Rows, the deciding one first.
    pub rows: Vec<GateRow>,
}

pub fn system_gates(system: &System) -> Vec<Gate> {
    let mut gates: BTreeMap<&str, Vec<(&GateRun, &Outcome)>> = BTreeMap::new();
    for run in &system.outcomes {
        if let Some(gate) = &run.header.spec.gate {
            gates.entry(&gate.id).or_default().push((gate, run));
        }
    }
    gates.into_values().filter_map(|runs| of_runs(&system.name, &runs)).collect()
}

fn of_runs(system: &str, runs: &[(&GateRun, &Outcome)]) -> Option<Gate> {
    let (asked, _) = runs.first()?;
    let figure: &Figure = FIGURES.iter().find(|figure| figure.name == asked.figure)?;
    let margin = f64::from(asked.margin_ppm) / 1e6;
    let title = |side: GateSide| {
        let run = runs.iter().find(|(gate, _)| gate.side == side);
        let title = |run: &Outcome| RunSpec { gate: None, ..run.header.spec.clone() }.title();
        run.map(|(_, run)| title(run)).unwrap_or_default()
    };
    let rounds = complete(runs);
    let valid = runs.iter().filter(|(_, run)| run.is_valid()).count();
    let mut rows = row::gate_rows(&rounds, figure, margin);
    rows.sort_by(|a, b| b.severity().total_cmp(&a.severity()));
    let worst = rows.iter().map(|row| row.answer.kind()).max();
    Some(Gate {
        system: system.to_owned(),
        runs: [title(GateSide::A), title(GateSide::B)],
        figure: figure.in_words,
        margin,
        rounds: rounds.len(),
        left_out: valid - GateSide::ALL.len() * rounds.len(),
        answer: worst.unwrap_or(GateAnswer::NotMeasured),
        rows,
    })
}

/// Returns the rounds in which every run is valid. A round ends where a side comes again.
fn complete<'a>(runs: &[(&GateRun, &'a Outcome)]) -> Vec<Round<'a>> {
    let mut rounds: Vec<BTreeMap<u8, &Outcome>> = Vec::new();
    for (gate, run) in runs {
        match rounds.last_mut().filter(|round| !round.contains_key(&(gate.side as u8))) {
            Some(round) => {
                round.insert(gate.side as u8, run);
            }
            None => rounds.push(BTreeMap::from([(gate.side as u8, *run)])),
        }
    }
    let valid = |round: BTreeMap<u8, &'a Outcome>| {
        Vec::from_iter(round.into_values().filter(|run| run.is_valid())).try_into().ok()
    };
    rounds.into_iter().filter_map(valid).collect()
}
