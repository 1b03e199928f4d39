//! The comparison of recorded outputs with a reference.

use serde::{Deserialize, Serialize};

use crate::words::{counted, grouped, quantity};

/// The comparison of recorded outputs with a reference, row by row of equal time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    /// Path of the reference.
    pub reference: String,
    /// Allowed difference, as typed.
    pub tolerance: String,
    /// Outputs that were compared.
    pub outputs: usize,
    /// Outputs that the reference lacks.
    pub not_compared: Vec<String>,
    /// Recorded rows at a time at which the reference has a row.
    pub rows: usize,
    /// Recorded rows in the time that both cover.
    pub recorded_rows: usize,
    /// Rows of the reference in the time that both cover.
    pub reference_rows: usize,
    /// Values that were compared.
    pub values: usize,
    /// Values that differ by more than is allowed.
    pub differing: usize,
    /// The first value that differs; null if none does.
    pub first: Option<Difference>,
}

/// The first value that differs from its reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// Time of the model, in seconds.
    pub time_s: f64,
    /// Number of the recorded row, from 1.
    pub row: usize,
    /// Number of the row of the reference, from 1.
    pub reference_row: usize,
    /// Name of the output.
    pub output: String,
    /// The recorded value.
    pub value: String,
    /// The value of the reference.
    pub reference: String,
    /// The value minus that of the reference; null for texts.
    pub difference: Option<f64>,
    /// Largest allowed difference; null for texts.
    pub allowed: Option<f64>,
}

impl Checked {
    /// Whether all compared values agree, and enough were compared.
    pub fn is_equal(&self) -> bool {
        self.first.is_none() && !self.is_undecided()
    }

    /// Whether too few rows of the run have a counterpart in the reference to say that they agree:
    /// less than half of the rows of that with fewer.
    pub fn is_undecided(&self) -> bool {
        let fewer = self.recorded_rows.min(self.reference_rows);
        self.first.is_none() && (self.values == 0 || 2 * self.rows < fewer)
    }

    /// Returns how the outputs of a run compare with their reference.
    pub fn words(&self) -> String {
        let file = &self.reference;
        let missing = match &*self.not_compared {
            [] => String::new(),
            names => format!(" Not compared: {}.", names.join(", ")),
        };
        if let Some(first) = &self.first {
            let (differing, values) = (grouped(self.differing as u64), grouped(self.values as u64));
            return format!(
                "{}; {differing} of {values} values differ.{missing}",
                first.words(file)
            );
        }
        if self.outputs == 0 {
            return format!(
                "not decided: {file} has no column with the name of an output.{missing}"
            );
        }
        let rows = counted(self.rows, "row");
        if self.is_undecided() {
            let (recorded, other) =
                (self.recorded_rows as u64, grouped(self.reference_rows as u64));
            return format!(
                "not decided: {rows} of {} at times at which {file} has values, which has {other} in \
                 the same time; use its steps as --rate.{missing}",
                grouped(recorded)
            );
        }
        let outputs = counted(self.outputs, "output");
        format!("equal to {file} within {}: {outputs} in {rows}.{missing}", self.tolerance)
    }
}

impl Difference {
    fn words(&self, file: &str) -> String {
        let Self { time_s, row, reference_row, output, value, reference, .. } = self;
        let by = self.difference.zip(self.allowed).map(|(difference, allowed)| {
            format!(", {} off where {} is allowed", short(difference.abs()), short(allowed))
        });
        format!(
            "differs from {file} first at {time_s} s (row {row}, there {reference_row}): `{output}` is \
             {value} instead of {reference}{}",
            by.unwrap_or_default()
        )
    }
}

/// Returns a number with three digits.
fn short(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        1e-3..1e6 => quantity(number),
        _ => format!("{number:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Checked {
        Checked {
            reference: "m_ref.csv".to_owned(),
            tolerance: "1e-4".to_owned(),
            outputs: 2,
            not_compared: Vec::new(),
            rows: 101,
            recorded_rows: 1001,
            reference_rows: 101,
            values: 202,
            differing: 0,
            first: None,
        }
    }

    #[test]
    fn agreement_and_the_first_difference_are_named() {
        let equal = "equal to m_ref.csv within 1e-4: 2 outputs in 101 rows.";
        assert_eq!(found().words(), equal);
        let lacking = Checked { not_compared: vec!["v".to_owned()], ..found() };
        assert_eq!(lacking.words(), format!("{equal} Not compared: v."));
        let first = Difference {
            time_s: 0.3,
            row: 301,
            reference_row: 31,
            output: "h".to_owned(),
            value: "1.0".to_owned(),
            reference: "1.25".to_owned(),
            difference: Some(-0.25),
            allowed: Some(2e-4),
        };
        assert_eq!(
            Checked { first: Some(first), differing: 3, ..found() }.words(),
            "differs from m_ref.csv first at 0.3 s (row 301, there 31): `h` is 1.0 instead of 1.25, \
             0.25 off where 2.00e-4 is allowed; 3 of 202 values differ."
        );
    }

    #[test]
    fn too_few_rows_of_equal_time_decide_nothing() {
        let few = Checked { rows: 2, values: 4, ..found() }.words();
        assert!(few.starts_with("not decided: 2 rows of 1 001 at times"), "{few}");
        let none = Checked { outputs: 0, values: 0, ..found() }.words();
        assert!(none.starts_with("not decided: m_ref.csv has no column"), "{none}");
    }
}
