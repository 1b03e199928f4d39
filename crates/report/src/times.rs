//! Times that no run of this program took, as a table in the terminal.

use analysis::quantiles::supported;
use analysis::times::Times;
use analysis::words;
use comfy_table::{CellAlignment, ColumnConstraint};

use crate::render::terminal::{RULED, block, finished, table};

const HEAD: [&str; 5] = ["average", "p99", "p99.9", "worst", "samples"];

/// A table under the title, and below it the words; at most 100 columns wide,
/// without colour.
#[must_use]
pub fn times(times: &Times) -> String {
    let mut table = table(RULED);
    table.set_header([times.title.as_str()].into_iter().chain(HEAD));
    for (name, times) in &times.rows {
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
    let blocks = times.words.iter().map(|(title, words)| block(title, words));
    finished(&table) + "\n" + &blocks.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use stats::{Distribution, Sample};

    #[test]
    fn a_line_tells_the_average_and_the_worst() {
        let samples = [1_000, 3_000].map(|value_ns| Sample {
            value_ns,
            index: 0,
            at_ns: 0,
        });
        let made_up = Times {
            title: "times".into(),
            rows: vec![("yield".into(), Distribution::of(samples).unwrap())],
            words: vec![("Note".into(), vec!["Another clock.".into()])],
            json: Value::Null,
        };
        let text = times(&made_up);
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
