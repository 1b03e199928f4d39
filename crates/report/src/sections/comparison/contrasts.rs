//! What tells systems apart: what else differs, every row with its intervals, and
//! histograms over each other.

use crate::document::{Block, Cell, Column, Line, Section, Table};
use stats::Superiority;

use crate::figure::{self, Ratio};
use crate::sections::metrics;
use analysis::comparison::{Compared, Comparison, Contrasts, Differing, Pair, Row};
use analysis::survey::{Series, System};
use analysis::words;

/// A section on what else differs, then one a pair.
pub(crate) fn shown(comparison: &Comparison) -> Vec<Section> {
    let (systems, contrasts) = (&*comparison.systems, &comparison.contrasts);
    let differences = differences(comparison);
    let pairs = contrasts.pairs.iter().filter(|pair| !pair.rows.is_empty());
    let pairs = pairs.enumerate();
    let pairs = pairs.map(|(number, pair)| of_pair(number, pair, contrasts));
    differences.into_iter().chain(pairs).chain(over_each_other(contrasts, systems)).collect()
}

/// What else differs between systems; `None` where nothing is known to.
pub(crate) fn differences(comparison: &Comparison) -> Option<Section> {
    let (systems, differing) = (&comparison.systems, &comparison.differences);
    let line = |one: &Differing| {
        let (class, mark) = if one.is_important { ("case", "!") } else { ("", "") };
        let what = Cell { class, ..Cell::text(format!("{mark}{}", one.what)) };
        let values = one.values.iter().map(Cell::text);
        Line {
            class: if one.is_important { "ours" } else { "" },
            cells: std::iter::once(what).chain(values).collect(),
        }
    };
    let names = systems.iter().map(|system| Column::words(&system.name));
    let table = Table {
        caption: "What is not the same on all systems; ! is known to decide much".to_owned(),
        columns: std::iter::once(Column::words("")).chain(names).collect(),
        rows: differing.iter().map(line).collect(),
        note: "Everything else that is known of the systems is the same on all.".to_owned(),
        ..Table::default()
    };
    (systems.len() > 1 && !differing.is_empty()).then(|| {
        Section::of(
            "differs",
            "What else differs: fingerprints and conditions",
            "What was asked and what was found on each system, as far as it is not the \
                       same. A difference in the figures may come from any line of this.",
            vec![Block::Table(table)],
        )
    })
}

fn of_pair(number: usize, pair: &Pair, contrasts: &Contrasts) -> Section {
    let [reference, other] = &pair.names;
    let introduction = introduction(pair, contrasts);
    let figures = DRAWN.iter().filter_map(|(name, title)| {
        let id = format!("ratios-{name}-{}", number + 1);
        let ratios = ratios(pair, name);
        let caption = format!("{title}: {other} against {reference}.");
        let drawn = figure::ratios(&id, &caption, title, contrasts.margin.share(), &ratios)?;
        Some(match ratios.len() {
            ..=MOST_DRAWN => Block::Figure(drawn),
            rows => {
                let title = format!("Of {rows} rows: {title}");
                Block::folded(title, vec![Block::Figure(drawn)])
            }
        })
    });
    let table = Block::Table(rows(pair));
    let table = match contrasts.is_overview() {
        true => Block::folded("Every row", vec![table]),
        false => table,
    };
    Section::of(
        format!("contrast-{}", number + 1),
        format!("{other} against {reference}: every row"),
        introduction,
        figures.chain([table]).chain(unmatched(pair)).collect(),
    )
}

fn introduction(pair: &Pair, contrasts: &Contrasts) -> String {
    let [reference, other] = &pair.names;
    let above = format!("Above 1: {other} takes longer, or is late more often, than {reference}.");
    let margin = contrasts.margin;
    match pair.is_exact() {
        true => format!(
            "{above} A dot is the ratio, which is exact: equal runs of the lab are equal to the \
             nanosecond. Broken lines are {margin} from 1; grey lies between them."
        ),
        false => format!(
            "{above} A dot is the ratio, the line its interval at {} confidence, which is what is \
             left for each of {} comparisons; broken lines are {margin} from 1. Where the whole \
             line lies beyond one of them, a difference is shown. Grey shows none.",
            words::percent(contrasts.confidence()),
            contrasts.comparisons,
        ),
    }
}

/// Figures of more rows are longer than a screen, and are folded.
const MOST_DRAWN: usize = 40;
/// Figures that are drawn, and what their axis shows.
const DRAWN: &[(&str, &str)] = &[
    ("average", "how many times the average is"),
    ("late", "how many times the odds of passing the common high threshold are"),
];

fn ratios(pair: &Pair, name: &str) -> Vec<Ratio> {
    let ratio = |row: &Row| {
        let compared = row.named(name)?;
        Some(Ratio { name: title(row), interval: compared.interval?, is_shown: compared.is_shown })
    };
    pair.rows.iter().filter_map(ratio).collect()
}

fn title(row: &Row) -> String {
    let test = row.measurement.replace('_', " ");
    format!("{test}: {} ({})", words::label(&row.label), row.conditions)
}

/// A column of a pair's table: its head, and the figure of a row.
type Figure = (&'static str, fn(&Row) -> Cell);

const FIGURES: &[Figure] = &[
    ("Average, µs", |row| both(row.named("average"), metrics::in_micros)),
    ("Times", |row| times(row.named("average"))),
    ("Median, times", |row| times(row.named("median"))),
    ("p99, times", |row| times(row.named("p99"))),
    ("Late, times the odds", |row| {
        let cell = times(row.named("late"));
        let Some(late) = row.named("late") else {
            return Cell::none("needs 1000 samples a run");
        };
        let [one, other] = late.values.map(words::percent);
        let threshold = words::time(late.threshold_ns.unwrap_or_default());
        Cell {
            title: format!("{one} / {other} take longer than {threshold}; {}", cell.title),
            ..cell
        }
    }),
    (MISSED, |row| both(row.named("missed"), share)),
    ("Takes longer, of pairs", |row| {
        row.superiority.map_or_else(|| Cell::none("no sample"), of_pairs)
    }),
    ("Worst, µs", |row| {
        let worst = row.worst.map(|worst| worst.map(|(ns, _)| words::brief_micros(ns as f64)));
        let [one, other] = worst.map(|worst| worst.unwrap_or_else(|| "–".to_owned()));
        Cell::number(format!("{one} / {other}"), "maxima are shown, not compared")
    }),
    ("Shown", |row| Cell::text(row.says())),
];
/// Columns for which a terminal has no room.
const DETAILS: [&str; 5] = ["p99, times", MISSED, "Takes longer, of pairs", "Worst, µs", "Shown"];
/// A column that is there where any deadline was missed.
const MISSED: &str = "Missed deadlines, share";

fn rows(pair: &Pair) -> Table {
    let [reference, other] = &pair.names;
    let any_missed = pair.rows.iter().any(|row| row.named("missed").is_some());
    let figures: Vec<&Figure> =
        FIGURES.iter().filter(|(head, _)| any_missed || *head != MISSED).collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut current = String::new();
    for row in &pair.rows {
        let test = format!("{} ({})", row.measurement.replace('_', " "), row.conditions);
        if test != current {
            lines.push(Line {
                class: "machine",
                cells: vec![Cell { more_columns: figures.len(), ..Cell::text(&test) }],
            });
            current = test;
        }
        lines.push(line(row, &figures));
    }
    let head = |(head, _): &&Figure| match DETAILS.contains(head) {
        true => Column::numbers(head).in_detail(),
        false => Column::numbers(head),
    };
    let heads = figures.iter().map(head);
    Table {
        caption: format!(
            "{other} against {reference}; two figures are those of {reference} / {other}"
        ),
        columns: std::iter::once(Column::words("Row")).chain(heads).collect(),
        rows: lines,
        note: "Averages are geometric means over runs. Late is what passes one threshold, the \
               same on both sides, which 1 of 100 or of 1000 samples of both pass. Of pairs: how \
               often a sample of the other side takes longer than one of the first; 50 % is neither. \
               The worst case of each is shown; no test compares two maxima."
            .to_owned(),
        folded: false,
    }
}

fn line(row: &Row, figures: &[&Figure]) -> Line {
    let [one, other] = row.runs;
    let first =
        Cell { title: format!("{one} / {other} runs"), ..Cell::text(words::label(&row.label)) };
    let cells = figures.iter().map(|(_, figure)| figure(row));
    Line {
        class: if row.differs() { "ours" } else { "" },
        cells: std::iter::once(first).chain(cells).collect(),
    }
}

fn of_pairs(superiority: Superiority) -> Cell {
    let interval = superiority.interval.map_or_else(
        || "needs several runs for an interval".to_owned(),
        |[lower, upper]| format!("{} to {}", words::percent(lower), words::percent(upper)),
    );
    Cell::number(format!("{:.0} %", superiority.chance * 100.0), interval)
}

fn both(compared: Option<&Compared>, cell: fn(f64) -> Cell) -> Cell {
    let Some(compared) = compared else {
        return Cell::none("not to be had on both sides");
    };
    let [one, other] = compared.values.map(cell);
    let trimmed = |text: String| text.trim_end_matches('\u{2007}').to_owned();
    Cell::number(
        format!("{} / {}", trimmed(one.text), trimmed(other.text)),
        format!("{} / {}", one.title, other.title),
    )
}

fn share(share: f64) -> Cell {
    Cell::number(words::percent(share), share.to_string())
}

fn times(compared: Option<&Compared>) -> Cell {
    let Some(compared) = compared else {
        return Cell::none("not to be had on both sides");
    };
    let Some(interval) = compared.interval else {
        return Cell::none("one run a side, and nothing tells how far runs differ");
    };
    let [lower, ratio, upper] = interval.map(words::times);
    let cell = match compared.chance {
        // A narrow column breaks before the interval, and not within it.
        Some(p) => {
            Cell::number(format!("{ratio} ({lower}–\u{2060}{upper})"), format!("p = {p:.2e}"))
        }
        None => Cell::number(ratio, "exact: equal runs are equal"),
    };
    match compared.is_shown {
        true => cell.judged(!compared.is_worse()),
        false => cell,
    }
}

/// What stands on one side alone.
fn unmatched(pair: &Pair) -> Option<Block> {
    let sides = pair.names.iter().zip(&pair.unmatched);
    let sentences = sides.flat_map(|(name, titles)| {
        titles.iter().map(move |title| format!("{name} alone: `{title}`"))
    });
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| Block::Notes {
        title: "Left out: no equal specification on the other side".to_owned(),
        sentences,
    })
}

/// Histograms of wake-ups and of first rows that differ, a line a system.
fn over_each_other(contrasts: &Contrasts, systems: &[System]) -> Option<Section> {
    let mut places: Vec<usize> = Vec::new();
    let pairs = contrasts.pairs.iter().filter(|pair| pair.reference == 0);
    for row in pairs.flat_map(|pair| &pair.rows) {
        let [place, _] = row.places;
        let is_wanted = row.measurement == "wakeup" || row.differs();
        if systems[0].series[place].headline && is_wanted && !places.contains(&place) {
            places.push(place);
        }
    }
    let figures = places.iter().filter_map(|place| histogram(*place, contrasts, systems));
    let blocks: Vec<Block> = figures.map(Block::Figure).collect();
    (!blocks.is_empty()).then(|| {
        Section::of(
            "histograms",
            "Histograms over each other",
            "Wake-ups, and whatever else differs: all samples of all runs of each system.",
            blocks,
        )
    })
}

/// One row of the first system with all its counterparts.
fn histogram(place: usize, contrasts: &Contrasts, systems: &[System]) -> Option<figure::Figure> {
    let own: &Series = &systems[0].series[place];
    let pairs = contrasts.pairs.iter().filter(|pair| pair.reference == 0);
    let counterparts = pairs.filter_map(|pair| {
        let row = pair.rows.iter().find(|row| row.places[0] == place)?;
        Some((pair.other, &systems[pair.other].series[row.places[1]], row))
    });
    let counterparts: Vec<(usize, &Series, &Row)> = counterparts.collect();
    let (_, _, row) = counterparts.first()?;
    let others = counterparts.iter().map(|(system, series, _)| (*system, *series));
    let lines = std::iter::once((0, own)).chain(others);
    let lines = lines.filter_map(|(system, series)| {
        Some((systems[system].name.clone(), series.latency.as_ref()?))
    });
    let lines: Vec<_> = lines.collect();
    let name = format!("over-each-other-{place}");
    figure::histogram(&name, &title(row), &lines)
}
