//! What explains changes between kernels, with sources.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{AtlasKernel, AtlasRow, Figure};

const CAUSES: &str = include_str!("../../published/kernel_changes.csv");
/// Matches every value of a column.
const ANY: &str = "*";

/// An explanation of changes between kernels: a row of the table. A column with `*` matches every value, one with `A|B` for each of these,
/// and `conditions` for a part of the row's.
#[derive(Debug, Deserialize)]
pub struct Cause {
    line: String,
    from: String,
    to: String,
    measurement: String,
    row: String,
    conditions: String,
    load: String,
    figure: String,
    /// What changed in the kernel, or in its configuration.
    pub cause: String,
    /// The commit, configuration or page that says so.
    pub source: String,
}

static ALL: LazyLock<Vec<Cause>> = LazyLock::new(|| {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(CAUSES.as_bytes());
    reader.deserialize().map(|cause| cause.expect("the table of causes is well formed")).collect()
});

impl Cause {
    fn explains(&self, row: &AtlasRow, figure: Figure, [from, to]: [&AtlasKernel; 2]) -> bool {
        [
            (&self.line, from.line.name()),
            (&self.from, &from.series),
            (&self.to, &to.series),
            (&self.measurement, &row.measurement),
            (&self.row, &row.row),
            (&self.load, &row.load),
            (&self.figure, figure.name()),
        ]
        .into_iter()
        .all(|(wanted, value)| wanted == ANY || wanted.split('|').any(|word| word == value))
            && (self.conditions == ANY || row.conditions.contains(&self.conditions))
    }
}

/// Returns the first cause in the table that explains a change. All were found on x86-64.
#[must_use]
pub fn cause(row: &AtlasRow, figure: Figure, kernels: [&AtlasKernel; 2]) -> Option<&'static Cause> {
    let is_known = kernels.iter().all(|kernel| kernel.architecture == "x86_64");
    ALL.iter().filter(|_| is_known).find(|cause| cause.explains(row, figure, kernels))
}

#[cfg(test)]
mod tests {
    use super::super::{Atlas, between_neighbours};
    use super::*;

    #[test]
    fn every_cause_explains_only_changes_that_were_seen_and_has_a_source() {
        let atlas = Atlas::committed();
        let changes = between_neighbours(&atlas).found;
        for cause in ALL.iter() {
            let explained = changes
                .iter()
                .filter(|change| change.cause.is_some_and(|used| std::ptr::eq(used, cause)));
            let words =
                [&cause.line, &cause.load, &cause.figure].map(|column| column.split('|').count());
            assert_eq!(explained.count(), words.iter().product::<usize>(), "{cause:?}");
            assert!(!cause.cause.is_empty() && !cause.source.is_empty(), "{cause:?}");
        }
    }
}
