//! The contrasts in the terminal: words, what else differs, then a table a pair.

use crate::render::terminal::{RULED, block, finished, table};
use analysis::comparison::{Comparison, Contrasts, beside, differing};
use analysis::comparison::{Pair, Row, answer_contrasts as answer};
use analysis::published::Latency;
use analysis::survey::System;
use analysis::{clock, samples, words};

/// The answer in words and tables, at most 100 columns wide.
pub(super) fn terminal(comparison: &Comparison, contrasts: &Contrasts) -> String {
    let systems = &comparison.systems;
    let before = [
        ("ERROR", samples::conflicts(comparison.outcomes())),
        ("WARNING", Vec::from_iter(clock::differ(systems))),
        ("The answer", answer(contrasts, comparison)),
    ];
    let before = before.iter().map(|(title, words)| block(title, words));
    let pairs = contrasts.pairs.iter().filter(|pair| !pair.rows.is_empty());
    let pairs = pairs.map(|pair| rows(contrasts, pair, systems));
    before
        .chain([differences(systems)])
        .chain(pairs)
        .chain([published(comparison)])
        .chain([block(clock::TITLE, &clock::in_short(systems))])
        .collect()
}

/// What else is not the same, a column a system.
fn differences(systems: &[System]) -> String {
    let differing = differing(systems);
    if differing.is_empty() {
        return match systems {
            [_, _, ..] => "\nNothing else differs that is known of these systems.\n".to_owned(),
            _ => String::new(),
        };
    }
    let mut table = table(RULED);
    let names = systems.iter().map(|system| system.name.clone());
    table.set_header([String::new()].into_iter().chain(names));
    for one in differing {
        let mark = if one.is_important { "!" } else { "" };
        let what = format!("{mark}{}", one.what);
        table.add_row([what].into_iter().chain(one.values));
    }
    format!(
        "\nWhat else differs; ! is known to decide much\n{}\n",
        finished(&table)
    )
}

/// A line a row, below a line for each measurement under equal conditions.
fn rows(contrasts: &Contrasts, pair: &Pair, systems: &[System]) -> String {
    let [reference, other] = [pair.reference, pair.other].map(|place| systems[place].name.as_str());
    let mut lines = vec![
        String::new(),
        format!(
            "{other} against {reference}: how many times each figure is; ! where a difference is shown"
        ),
        laid(
            [
                "",
                "average, µs",
                "times",
                "median, times",
                "late, times the odds",
            ]
            .map(str::to_owned),
        ),
        "─".repeat(WIDTHS.iter().sum()),
    ];
    let mut current = String::new();
    for row in &pair.rows {
        let title = format!("{} ({})", row.measurement, row.conditions);
        if title != current {
            lines.push(title.clone());
            current = title;
        }
        lines.push(line(contrasts, row));
    }
    lines.join("\n") + "\n"
}

/// Widths of the columns in characters.
const WIDTHS: [usize; 5] = [24, 16, 19, 19, 19];

/// Cells beside one another: words left, figures right. Long words take a line of their
/// own.
fn laid(cells: [String; 5]) -> String {
    let [words, figures @ ..] = cells;
    let [of_words, widths @ ..] = WIDTHS;
    let figures = figures.iter().zip(widths);
    let figures: String = figures
        .map(|(figure, width)| format!(" {figure:>0$}", width - 1))
        .collect();
    let laid = match words.chars().count() < of_words {
        true => format!("{words:<of_words$}{figures}"),
        false => format!("{words}\n{:of_words$}{figures}", ""),
    };
    laid.trim_end().to_owned()
}

fn line(contrasts: &Contrasts, row: &Row) -> String {
    let average = row.named("average").map_or_else(String::new, |one| {
        let [one, other] = one.values.map(words::brief_micros);
        format!("{one} / {other}")
    });
    let times = |name: &str| {
        let one = row.named(name)?;
        let [lower, ratio, upper] = one
            .contrast?
            .interval(contrasts.confidence())
            .map(words::times);
        let mark = if one.is_shown { "!" } else { "" };
        Some(format!("{mark}{ratio} ({lower}–{upper})"))
    };
    let [of_average, of_median, late] =
        ["average", "median", "late"].map(|name| times(name).unwrap_or_else(|| "–".to_owned()));
    laid([
        format!("  {}", words::label(&row.label)),
        average,
        of_average,
        of_median,
        late,
    ])
}

/// A line a published test: measured systems, then published ones.
fn published(comparison: &Comparison) -> String {
    let (names, tests) = beside(comparison);
    if tests.is_empty() {
        return String::new();
    }
    let micros = |ns: f64| words::brief_micros(ns);
    let mut table = table(RULED);
    let own = comparison.systems.iter().map(|system| system.name.clone());
    table.set_header([String::new()].into_iter().chain(own).chain(names));
    for test in tests {
        let measured = test.measured.iter().map(|measured| match measured {
            Some([average, worst]) => format!("{} / {}", micros(*average), micros(*worst)),
            None => "–".to_owned(),
        });
        let published = test.published.iter().map(|published| {
            published
                .as_ref()
                .map_or_else(|| "–".to_owned(), Latency::in_words)
        });
        let name = test.test.replace('_', " ");
        table.add_row([name].into_iter().chain(measured).chain(published));
    }
    let title = "Beside published figures: average / worst, µs; without load";
    format!("\n{title}\n{}\n", finished(&table))
}
