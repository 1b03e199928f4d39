//! Differences between systems: their setups, every row with its intervals, and overlaid
//! histograms.

use analysis::comparison::{Comparison, Contrasts, Pair, Row, RowWorst};
use analysis::effect::{Effect, Unit};
use analysis::lists::each_once;
use analysis::survey::System;
use analysis::words;
use stats::Superiority;

use super::columns::brief_range;
use super::drawn::{self, title};
use crate::document::{Block, Cell, Form, Section, Table, TableOf};
use crate::figure;

/// Returns a section on the differences between the setups, then a section per pair.
pub(crate) fn shown(comparison: &Comparison) -> Vec<Section> {
    let contrasts = &comparison.contrasts;
    let mut sections = Vec::from_iter(differences(comparison));
    let pairs = contrasts.pairs.iter().filter(|pair| !pair.rows.is_empty());
    sections.extend(pairs.enumerate().map(|(number, pair)| of_pair(number, pair, contrasts)));
    sections.extend(over_each_other(contrasts, &comparison.systems));
    sections
}

pub(crate) fn differences(comparison: &Comparison) -> Option<Section> {
    let (systems, differing) = (&comparison.systems, &comparison.differences);
    if systems.len() < 2 || differing.is_empty() {
        return None;
    }
    let table = TableOf::of(differing)
        .text("", |fact| {
            let (form, mark) = if fact.is_important { (Form::Case, "!") } else { (Form::Text, "") };
            Cell::text(format!("{mark}{}", fact.what)).of_form(form)
        })
        .each(systems.iter().enumerate(), |table, (place, system)| {
            table.text(&system.name, move |fact| &fact.values[place])
        })
        .marked(|fact| fact.is_important)
        .note("Everything else that is known of the systems is the same on all.")
        .table("What differs between the systems; ! is known to decide much");
    Some(Section::of(
        "differs",
        "What else differs: fingerprints and conditions",
        "Conditions requested and found on each system, as far as they are not the same. Any of \
         these lines may cause a difference in the figures.",
        vec![Block::Table(table)],
    ))
}

/// Returns every figure of every row with its exact values, for programs.
pub(crate) fn figures(comparison: &Comparison) -> Table {
    let mut rows: Vec<(&Pair, &Row, &Effect)> = Vec::new();
    for (pair, row) in comparison.contrasts.rows() {
        rows.extend(row.effects.iter().map(|effect| (pair, row, effect)));
    }
    let end =
        |effect: &Effect, place: usize| exact(effect.interval().map(|interval| interval[place]));
    TableOf::of(&rows)
        .text("reference_system", |(pair, ..)| &pair.names[0])
        .text("other_system", |(pair, ..)| &pair.names[1])
        .text("measurement", |(_, row, _)| &row.measurement)
        .text("row", |(_, row, _)| &row.label)
        .text("conditions", |(_, row, _)| &row.conditions)
        .text("reference_runs", |(_, row, _)| row.runs[0].to_string())
        .text("other_runs", |(_, row, _)| row.runs[1].to_string())
        .text("figure", |(.., effect)| effect.figure.name)
        .text("unit", |(.., effect)| if effect.figure.unit == Unit::Time { "ns" } else { "share" })
        .text("reference", |(.., effect)| exact(Some(effect.values[0])))
        .text("other", |(.., effect)| exact(Some(effect.values[1])))
        .text("threshold_ns", |(.., effect)| exact(effect.threshold_ns))
        .text("ratio", move |(.., effect)| end(effect, 1))
        .text("lower", move |(.., effect)| end(effect, 0))
        .text("upper", move |(.., effect)| end(effect, 2))
        .text("p", |(.., effect)| exact(effect.chance))
        .text("shown", |(.., effect)| effect.is_shown.to_string())
        .table("")
}

/// Formats a number with the digits of the JSON output; empty if it is missing.
fn exact(number: Option<f64>) -> String {
    let number = number.and_then(serde_json::Number::from_f64);
    number.map_or_else(String::new, |number| number.to_string())
}

fn of_pair(number: usize, pair: &Pair, contrasts: &Contrasts) -> Section {
    let [reference, other] = &pair.names;
    let mut blocks = vec![Block::Table(rows(pair))];
    if contrasts.is_overview() {
        blocks = vec![Block::folded("Every row", blocks)];
    }
    blocks.extend(unmatched(pair));
    blocks.extend(drawn::of_pair(number, pair, contrasts));
    let title = format!("{other} against {reference}: every row");
    Section::of(format!("contrast-{}", number + 1), title, introduction(pair, contrasts), blocks)
}

fn introduction(pair: &Pair, contrasts: &Contrasts) -> String {
    let [reference, other] = &pair.names;
    let above = format!("Above 1: {other} takes longer, or is late more often, than {reference}.");
    let margin = contrasts.margin;
    if pair.is_exact() {
        return format!(
            "{above} A dot is the ratio, which is exact: equal runs of the lab are equal to the \
             nanosecond. Broken lines are {margin} from 1; grey lies between them."
        );
    }
    format!(
        "{above} A dot is the ratio, the line its interval at {} confidence, which is what is left for \
         each of {} comparisons; broken lines are {margin} from 1. Where the whole line lies beyond one \
         of them, a difference is shown. Grey shows none.",
        words::percent(contrasts.confidence()),
        contrasts.comparisons,
    )
}

fn rows(pair: &Pair) -> Table {
    let [reference, other] = &pair.names;
    let test = |row: &Row| format!("{} ({})", row.measurement.replace('_', " "), row.conditions);
    let note = "Late is what passes one threshold, the same \
        on both sides, which 1 of 100 or of 1000 samples of both pass. Of pairs: how often a \
        sample of the other side takes longer than one of the first; 50 % is neither. The \
        worst case of each is shown; no test compares two maxima.";
    let any_missed = pair.rows.iter().any(|row| row.named("missed").is_some());
    TableOf::of(&pair.rows)
        .grouped(test)
        .text("Row", |row| {
            let [a, b] = row.runs;
            Cell::text(words::label(&row.label)).titled(format!("{a} / {b} runs"))
        })
        .number("Geometric mean of runs, µs", |row| both(row.named("average"), Cell::micros))
        .number("Times", |row| times(row.named("average")))
        .number("Median, times", |row| times(row.named("median")))
        .number("p99, times", |row| times(row.named("p99")))
        .detail()
        .number("Late, times the odds", late)
        .each(any_missed.then_some("Missed deadlines, share"), |table, head| {
            table.number(head, |row| both(row.named("missed"), Cell::share)).detail()
        })
        .number("Takes longer, of pairs", |row| Cell::or(row.superiority, "no sample", of_pairs))
        .detail()
        .number("Worst, µs", |row| {
            let [a, b] = row.worst.each_ref().map(|side| worst(side.as_ref()));
            let title = format!("{} / {}: maxima are shown, not compared", a.title, b.title);
            Cell::number(format!("{} / {}", a.text, b.text), title)
        })
        .detail()
        .text("Shown", Row::decided_in_words)
        .detail()
        .marked(Row::differs)
        .note(note)
        .table(format!(
            "{other} against {reference}; two figures are those of {reference} / {other}"
        ))
}

/// Returns the worst case of a side; over draws, the shortest and the longest.
fn worst(worst: Option<&RowWorst>) -> Cell {
    Cell::or(worst, "no sample", |worst| {
        let shortest_ns = worst.of_draws_ns.iter().copied().fold(worst.longest_ns, i64::min);
        brief_range([shortest_ns, worst.longest_ns].map(|ns| ns as f64), worst.of_draws_ns.len())
    })
}

fn late(row: &Row) -> Cell {
    Cell::or(row.named("late"), "needs 1000 samples per run", |late| {
        let cell = times(Some(late));
        let [a, b] = late.values.map(words::percent);
        let threshold = words::time(late.threshold_ns.unwrap_or_default());
        let title = format!("{a} / {b} take longer than {threshold}; {}", cell.title);
        cell.titled(title)
    })
}

fn of_pairs(superiority: Superiority) -> Cell {
    let interval = superiority.interval.map_or_else(
        || "needs several runs for an interval".to_owned(),
        |[lower, upper]| format!("{} to {}", words::percent(lower), words::percent(upper)),
    );
    Cell::number(format!("{:.0} %", superiority.chance * 100.0), interval)
}

fn both(compared: Option<&Effect>, cell: fn(f64) -> Cell) -> Cell {
    Cell::or(compared, "not measured on both sides", |compared| {
        let [a, b] = compared.values.map(cell);
        let trimmed = |text: String| text.trim_end_matches('\u{2007}').to_owned();
        let title = format!("{} / {}", a.title, b.title);
        Cell::number(format!("{} / {}", trimmed(a.text), trimmed(b.text)), title)
    })
}

fn times(compared: Option<&Effect>) -> Cell {
    let Some(compared) = compared else {
        return Cell::none("not measured on both sides");
    };
    let Some(interval) = compared.interval() else {
        return Cell::none("one run per side: run-to-run variation is unknown");
    };
    let [lower, mut ratio, upper] = interval.map(words::times);
    let mut title = "exact: equal runs are equal".to_owned();
    if let Some(p) = compared.chance {
        // A narrow column breaks before the interval, not within it.
        ratio += &format!(" ({lower}–\u{2060}{upper})");
        title = format!("p = {p:.2e}");
    }
    let cell = Cell::number(ratio, title);
    if compared.is_shown { cell.judged(!compared.is_worse()) } else { cell }
}

fn unmatched(pair: &Pair) -> Option<Block> {
    let sides = pair.names.iter().zip(&pair.unmatched);
    let sentences = sides.flat_map(|(name, titles)| {
        titles.iter().map(move |title| format!("{name} alone: `{title}`"))
    });
    let title = "Left out: no equal specification on the other side";
    Block::notes(title, sentences.collect()).filled()
}

/// Draws histograms of wake-ups and of first rows that differ, a line per system.
fn over_each_other(contrasts: &Contrasts, systems: &[System]) -> Option<Section> {
    let pairs = contrasts.pairs.iter().filter(|pair| pair.reference == 0);
    let rows = pairs.flat_map(|pair| &pair.rows);
    let wanted = rows.filter(|row| row.measurement == "wakeup" || row.differs());
    let mut places = each_once(wanted.map(|row| row.places[0]));
    places.retain(|place| systems[0].series[*place].headline());
    let figures = places.iter().filter_map(|place| histogram(*place, contrasts, systems));
    Section::of(
        "histograms",
        "Histograms over each other",
        "Wake-ups, and whatever else differs: all samples of all runs of each system.",
        figures.map(Block::Figure).collect(),
    )
    .filled()
}

/// Draws one row of the first system with all its counterparts.
fn histogram(place: usize, contrasts: &Contrasts, systems: &[System]) -> Option<figure::Figure> {
    let line = |number: usize, place: usize| {
        let system = &systems[number];
        let distribution = system.series[place].latency.as_ref()?;
        Some(figure::Line { name: system.name.clone(), place: number, distribution })
    };
    let mut lines = Vec::from_iter(line(0, place));
    let mut first = None;
    for pair in contrasts.pairs.iter().filter(|pair| pair.reference == 0) {
        if let Some(row) = pair.rows.iter().find(|row| row.places[0] == place) {
            first = first.or(Some(row));
            lines.extend(line(pair.other, row.places[1]));
        }
    }
    figure::histogram(&format!("over-each-other-{place}"), &title(first?), &lines)
}
