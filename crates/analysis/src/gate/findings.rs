//! Findings of a gate.

use super::row::GateRow;
use super::{Gate, WRONG};
use crate::finding::{AboutGate, Finding, GateAnswer, RatioToA, RowAnswer};

impl Gate {
    pub fn findings(&self) -> Vec<Finding> {
        let decides = |row: &&GateRow| row.answer.kind() == self.answer;
        let deciding = match self.answer {
            // Rows that pass are many, and the first is the nearest to the margin.
            GateAnswer::Passes => 1,
            _ => self.rows.len(),
        };
        let rows = self.rows.iter().filter(decides).take(deciding);
        let sides = AboutGate::Sides {
            runs: self.runs.clone(),
            rounds: self.rounds,
            left_out: self.left_out,
        };
        let all = rows.filter_map(|row| self.finding(row)).chain(self.rates()).chain([sides]);
        all.map(Finding::Gate).collect()
    }

    pub fn finding(&self, row: &GateRow) -> Option<AboutGate> {
        let ratio = || {
            Some(RatioToA {
                row: row.label.clone(),
                figure: self.figure,
                times: row.compared?.effect.times,
                margin: self.margin,
            })
        };
        Some(match &row.answer {
            RowAnswer::Passes => AboutGate::Passes(ratio()?),
            RowAnswer::Fails => AboutGate::Fails(ratio()?),
            RowAnswer::Undecided { more_ns } => {
                AboutGate::Undecided { ratio: ratio()?, more_ns: *more_ns }
            }
            RowAnswer::Unsteady => AboutGate::Unsteady {
                row: row.label.clone(),
                figure: self.figure,
                again: row.compared?.a_vs_a,
                margin: self.margin,
            },
            RowAnswer::NotMeasured { why } => {
                AboutGate::NotMeasured { row: row.label.clone(), why: why.clone() }
            }
        })
    }

    /// Returns the rates of the row that finds least.
    fn rates(&self) -> Option<AboutGate> {
        let compared = || self.rows.iter().filter_map(|row| row.compared);
        let detectable = compared().map(|row| row.detectable).max_by(f64::total_cmp)?;
        let false_alarms = compared().map(|row| row.false_alarms).sum::<f64>().min(1.0);
        Some(AboutGate::Rates { wrong: WRONG, false_alarms, detectable })
    }
}
