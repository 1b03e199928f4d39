//! The sentence on recorded outputs and their reference.

use analysis::finding::{Checked, Difference};
use analysis::words::{counted, grouped, quantity};

/// Returns how the outputs of a run compare with their reference.
pub(crate) fn checked(found: &Checked) -> String {
    let file = &found.reference;
    let missing = match &*found.not_compared {
        [] => String::new(),
        names => format!(" Not compared: {}.", names.join(", ")),
    };
    if let Some(first) = &found.first {
        let (differing, values) = (grouped(found.differing as u64), grouped(found.values as u64));
        return format!(
            "{}; {differing} of {values} values differ.{missing}",
            differs(file, first)
        );
    }
    if found.outputs == 0 {
        return format!("not decided: {file} has no column with the name of an output.{missing}");
    }
    let rows = counted(found.rows, "row");
    if found.is_undecided() {
        let (own, other) = (found.recorded_rows as u64, grouped(found.reference_rows as u64));
        return format!(
            "not decided: {rows} of {} at times at which {file} has values, which has {other} in \
             the same time; use its steps as --rate.{missing}",
            grouped(own)
        );
    }
    let outputs = counted(found.outputs, "output");
    format!("equal to {file} within {}: {outputs} in {rows}.{missing}", found.tolerance)
}

fn differs(file: &str, first: &Difference) -> String {
    let Difference { time_s, row, reference_row, output, value, reference, .. } = first;
    let by = first.difference.zip(first.allowed).map(|(difference, allowed)| {
        format!(", {} off where {} is allowed", short(difference.abs()), short(allowed))
    });
    format!(
        "differs from {file} first at {time_s} s (row {row}, there {reference_row}): `{output}` is \
         {value} instead of {reference}{}",
        by.unwrap_or_default()
    )
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
        assert_eq!(checked(&found()), equal);
        let lacking = Checked { not_compared: vec!["v".to_owned()], ..found() };
        assert_eq!(checked(&lacking), format!("{equal} Not compared: v."));
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
            checked(&Checked { first: Some(first), differing: 3, ..found() }),
            "differs from m_ref.csv first at 0.3 s (row 301, there 31): `h` is 1.0 instead of 1.25, \
             0.25 off where 2.00e-4 is allowed; 3 of 202 values differ."
        );
    }

    #[test]
    fn too_few_rows_of_equal_time_decide_nothing() {
        let few = checked(&Checked { rows: 2, values: 4, ..found() });
        assert!(few.starts_with("not decided: 2 rows of 1 001 at times"), "{few}");
        let none = checked(&Checked { outputs: 0, values: 0, ..found() });
        assert!(none.starts_with("not decided: m_ref.csv has no column"), "{none}");
    }
}
