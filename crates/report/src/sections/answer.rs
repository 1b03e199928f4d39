//! The answer at first glance, as the terminal shows it, with one figure.

use std::collections::BTreeSet;

use analysis::Analysis;
use analysis::answer::Line as Figures;
use analysis::survey::{Series, distinct, on_all};

use super::general::distributions;
use super::verdict::alarming;
use super::{experiment, frontier, wakeup};
use crate::document::{Block, Cell, Line, Section, Table, Tone};
use crate::figure::{self, Figure};

/// Lines of the figure.
const MOST_LINES: usize = 6;

/// The first section of a page: the verdict, its figures, what else there is to know but for what stands above as an
/// alarm, one figure.
pub(crate) fn glance(analysis: &Analysis) -> Section {
    let answer = &analysis.answer;
    let alarms: Vec<&String> = alarming(&analysis.verdict).collect();
    let remarks = answer.remarks.iter();
    let remarks = remarks.filter(|remark| !alarms.contains(&&remark.words));
    let remarks = remarks.map(|remark| (remark.name, remark.words.as_str()));
    let remarks: Vec<(&str, &str)> = remarks.collect();
    let blocks = [
        figures(&answer.lines).map(Block::Table),
        (!remarks.is_empty()).then(|| Block::entries("", remarks)),
        drawn(analysis).map(Block::Figure),
    ];
    Section {
        id: "answer".to_owned(),
        title: answer.verdict.clone(),
        tone: Tone::Answer,
        standing: answer.standing,
        blocks: blocks.into_iter().flatten().collect(),
        ..Section::default()
    }
}

/// The lines of the answer; its last figure takes what is left of a line.
fn figures(lines: &[Figures]) -> Option<Table> {
    let most = lines.iter().map(|line| line.figures.len()).max()?;
    let line = |line: &Figures| {
        let mut cells = vec![Cell::text(&line.what)];
        cells.extend(line.figures.iter().map(Cell::text));
        let left = most - line.figures.len();
        cells.iter_mut().last()?.more_columns = left;
        Some(Line::of(cells))
    };
    Some(Table { rows: lines.iter().filter_map(line).collect(), ..Table::default() })
}

/// The wake-ups around the worst case; without any the sizes that hold.
fn drawn(analysis: &Analysis) -> Option<Figure> {
    let experiment = || experiment::forest(analysis.experiment.as_ref()?);
    let drawn = wakeups(analysis).or_else(|| frontier::drawn(analysis)).or_else(experiment)?;
    Some(Figure { name: "answer".to_owned(), ..drawn })
}

/// Histograms of the wake-ups in the worst case, of real-time threads where there are any: of one machine a line
/// a load, of several a line a machine.
fn wakeups(analysis: &Analysis) -> Option<Figure> {
    let mut series = on_all(&analysis.systems, wakeup::MEASUREMENT);
    series.retain(|(_, series)| series.headline);
    if series.iter().any(|(_, series)| is_real_time(series)) {
        series.retain(|(_, series)| is_real_time(series));
    }
    series.sort_by_key(|(_, series)| std::cmp::Reverse(worst(series)));
    let (_, latest) = *series.first()?;
    let mut seen = BTreeSet::new();
    let machines = distinct(series.iter().map(|(system, _)| &system.name));
    series.retain(|(system, series)| match machines {
        1 => latest.is_alike_but_for_load(series),
        _ => seen.insert(&system.name),
    });
    series.truncate(MOST_LINES);
    let whose = match (machines, series.len()) {
        (1, 1) => "Wake-ups in the worst case.",
        (1, _) => "Wake-ups in the worst case, and under other loads.",
        _ => "Wake-ups in the worst case of each machine.",
    };
    let mut drawn = figure::histogram("", wakeup::AXIS, &distributions(&series))?;
    drawn.caption = format!("{whose} {}", drawn.caption);
    Some(drawn)
}

fn is_real_time(series: &Series) -> bool {
    series.spec.asked.policy.is_real_time()
}

fn worst(series: &Series) -> Option<i64> {
    series.latency.as_ref().map(|latency| latency.max.value_ns)
}
