//! Figures of a file that contradict each other.

use record::{Fact, Row, fact};

use crate::stated::Stated;

/// What contradicts what, and whether it does in a row.
type Contradiction = (&'static str, fn(&Row) -> bool);

const CONTRADICTIONS: [Contradiction; 6] = [
    ("the smallest value is above the largest", |row| {
        is_above(row, fact::FILE_MIN_NS, fact::FILE_MAX_NS)
    }),
    ("the average is above the largest value", |row| {
        is_above(row, fact::FILE_MEAN_NS, fact::FILE_MAX_NS)
    }),
    ("the average is below the smallest value", |row| {
        is_above(row, fact::FILE_MIN_NS, fact::FILE_MEAN_NS)
    }),
    ("the bins count more samples than the file states", |row| {
        whole(row, fact::FILE_SAMPLES).zip(counted(row)).is_some_and(|(stated, all)| all > stated)
    }),
    ("the bins count fewer samples than the file states", |row| {
        whole(row, fact::FILE_SAMPLES).zip(counted(row)).is_some_and(|(stated, all)| all < stated)
    }),
    ("samples are above the histogram, but the largest value is in a bin", |row| {
        let beyond = whole(row, fact::BEYOND_BINS).unwrap_or(0);
        let bins = row.file_bins().unwrap_or_default();
        let last = bins.iter().rfind(|(_, count)| *count > 0).map(|(ns, _)| *ns as f64);
        let max = number(row, fact::FILE_MAX_NS);
        beyond > 0 && last.zip(max).is_some_and(|(last, max)| max < last)
    }),
];

fn number(row: &Row, fact: Fact) -> Option<f64> {
    row.fact(&fact)?.as_f64()
}

/// Whether a figure is above another, if both are known.
fn is_above(row: &Row, low: Fact, high: Fact) -> bool {
    let pair = number(row, low).zip(number(row, high));
    pair.is_some_and(|(low, high)| low > high)
}

fn whole(row: &Row, fact: Fact) -> Option<u64> {
    row.fact(&fact)?.as_u64()
}

/// Returns how many samples are in the bins or above them.
fn counted(row: &Row) -> Option<u64> {
    let beyond = whole(row, fact::BEYOND_BINS).unwrap_or(0);
    row.file_bins()?.iter().try_fold(beyond, |all, (_, count)| all.checked_add(*count))
}

/// Adds a trap for each contradiction, which names the first row that has it.
pub(crate) fn warn(stated: &mut Stated) {
    for (what, is_in) in CONTRADICTIONS {
        let label = stated.rows.iter().find(|row| is_in(row)).map(|row| row.label.clone());
        if let Some(label) = label {
            stated.warn(
                format!("the file contradicts itself: {what} ({label})"),
                "measure again, or use only figures that you can check",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Unit;

    fn traps(line: &str) -> Vec<String> {
        let stated = crate::read(line.as_bytes(), Unit::Microseconds).unwrap();
        let traps = stated.traps.into_iter().map(|trap| trap.what);
        traps.filter(|what| what.contains("contradicts itself")).collect()
    }

    #[test]
    fn contradictions_are_named_with_their_row() {
        let line = |figures: &str| format!("T: 0 ( 7) P:80 I:1000 C: 10 {figures}\n");
        assert!(traps(&line("Min: 5 Act: 6 Avg: 7 Max: 9")).is_empty());
        let above = traps(&line("Min: 5 Act: 6 Avg: 10 Max: 9"));
        assert_eq!(
            above,
            ["the file contradicts itself: the average is above the largest value (thread 0)"]
        );
        assert_eq!(traps(&line("Min: 50 Act: 6 Avg: 10 Max: 9")).len(), 3);
    }

    #[test]
    fn files_of_the_tools_do_not_contradict_themselves() {
        let folder = format!("{}/tests/files", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "md") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(traps(&text), [""; 0], "{}", path.display());
        }
    }
}
