//! Times that no run of this program took, as a table of their own.

use comfy_table::{CellAlignment, ColumnConstraint};
use stats::Distribution;

use crate::quantiles::supported;
use crate::terminal::{RULED, block, finished, table};
use crate::words;

const HEAD: [&str; 5] = ["average", "p99", "p99.9", "worst", "samples"];

/// A table under a title, a line for each name with its times, and below it each
/// heading with its sentences; at most 100 columns wide, without colour.
#[must_use]
pub fn times(title: &str, rows: &[(&str, Distribution)], words: &[(&str, Vec<String>)]) -> String {
    let mut table = table(RULED);
    table.set_header([title].into_iter().chain(HEAD));
    for (name, times) in rows {
        let shown = |ns: Option<f64>| ns.map_or_else(|| "–".to_owned(), words::time);
        table.add_row([
            format!("  {name}"),
            words::time(times.mean_ns()),
            shown(supported(times, 0.99)),
            shown(supported(times, 0.999)),
            words::time(times.max.value_ns as f64),
            words::grouped(times.count()),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    let blocks = words.iter().map(|(heading, words)| block(heading, words));
    finished(&table) + "\n" + &blocks.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Sample;

    #[test]
    fn a_line_tells_the_average_and_the_worst() {
        let samples = [1_000, 3_000].map(|value_ns| Sample {
            value_ns,
            index: 0,
            at_ns: 0,
        });
        let row = ("yield", Distribution::of(samples).unwrap());
        let words = [("Note", vec!["Another clock.".to_owned()])];
        let text = times("times", &[row], &words);
        let line = text.lines().find(|line| line.contains("yield")).unwrap();
        let cells: Vec<&str> = line
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .collect();
        assert_eq!(cells, ["yield", "2 µs", "–", "–", "3 µs", "2"]);
        assert!(text.contains("\nNote\n -  Another clock."), "{text}");
    }
}
