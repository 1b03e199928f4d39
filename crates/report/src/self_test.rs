//! What a self-test found, for the terminal.

use analysis::self_test::{NOT_COVERED, TOO_BUSY, by_cause, certified};
use analysis::words;
use comfy_table::{CellAlignment, ColumnConstraint};
use plan::{Answer, Disturbed, SelfTest};

use crate::render::terminal::{RULED, block, finished, table};

const HEAD: [&str; 8] = [
    "disturbance",
    "injected",
    "spoilt",
    "seen",
    "blamed right",
    "injected time",
    "measured",
    "late without + host's",
];

/// The table of disturbances, then words.
#[must_use]
pub fn self_test(test: &SelfTest) -> String {
    let mut results = table(RULED);
    results.set_header(HEAD);
    results.add_rows(test.disturbances.iter().map(row));
    for (place, column) in results.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::ContentWidth);
        if place > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let found = &test.disturbances;
    let verdict = match test.answer {
        Answer::TooBusyToTell => TOO_BUSY.to_owned(),
        _ => format!(
            "What is measured on this machine is {}. It says nothing of how fit the machine is for \
             real-time work.",
            certified(&test.told())
        ),
    };
    let mut text = finished(&results) + "\n";
    for (title, sentences) in [
        ("Blamed on something else", by_cause(found, |d| &d.mistaken)),
        ("Late without injection", by_cause(found, |d| &d.elsewhere)),
        ("Not covered", vec![NOT_COVERED.to_owned()]),
        (
            "Its measurements are not certified because",
            test.reasons.clone(),
        ),
        ("Self-test", vec![verdict]),
    ] {
        text.push_str(&block(title, &sentences));
    }
    text
}

fn row(disturbed: &Disturbed) -> [String; 8] {
    let [of_kernel, of_host] = disturbed.late_elsewhere();
    let mut row: [String; 8] = Default::default();
    row[0].clone_from(&disturbed.name);
    if disturbed.not_injected.is_some() {
        "not injected".clone_into(&mut row[1]);
        return row;
    }
    if !disturbed.cause.is_empty() {
        let counts = [
            disturbed.injected,
            disturbed.spoilt,
            disturbed.seen,
            disturbed.blamed,
        ];
        let times = [disturbed.injected_ns, disturbed.measured_ns];
        let cells = counts
            .map(|count| count.to_string())
            .into_iter()
            .chain(times.map(|ns| words::time(ns as f64)));
        row[1..]
            .iter_mut()
            .zip(cells)
            .for_each(|(at, text)| *at = text);
    }
    row[7] = format!("{of_kernel} + {of_host}");
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test() -> SelfTest {
        let hog = Disturbed {
            name: "hog".into(),
            cause: "the hog".into(),
            injected: 40,
            seen: 40,
            blamed: 30,
            length_ratio: Some(1.0),
            ..Disturbed::default()
        };
        SelfTest::of("machine".into(), "9", 0, vec![hog])
    }

    #[test]
    fn reasons_are_told() {
        let text = self_test(&test());
        assert!(
            text.contains("not certified on") && text.contains("30 of 40"),
            "{text}"
        );
    }

    #[test]
    fn a_host_that_is_too_busy_has_its_own_answer() {
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.spoilt) = (5, 35);
        let text = self_test(&SelfTest::of("machine".into(), "9", 0, vec![hog]));
        assert!(text.contains("too busy to tell"), "{text}");
        assert!(!text.contains("is not certified"), "{text}");
    }
}
