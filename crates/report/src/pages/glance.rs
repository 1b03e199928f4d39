//! The short answer, as in the terminal, with one figure.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use analysis::Analysis;
use analysis::survey::{Series, System, distinct, on_all};
use analysis::words::counted;

use super::verdict::alarming;
use crate::answer::Answer;
use crate::document::{Block, Section, Table, Tone};
use crate::figure::{self, Figure};
use crate::frontier::FrontierView;
use crate::measurements::wakeup;
use crate::sections::general::{distributions_among, with_deadlines};
use crate::view::View;

const MOST_LINES: usize = 6;
const PERIOD: &str = "period";

/// Returns the first section of a page: the verdict, its figures, the remarks (except the alarms
/// above it), and a picture: `picture`, or else the wake-ups around the worst case, or else the sizes
/// that hold.
pub(super) fn glance(analysis: &Analysis, answer: &Answer, picture: Option<Figure>) -> Section {
    let alarms = alarming(&analysis.verdict);
    let remarks = answer.remarks.iter().filter(|remark| !alarms.contains(&remark.words));
    let remarks = remarks.map(|remark| (remark.name, remark.words.as_str()));
    let lines = answer.lines.iter().map(|line| (line.what.as_str(), line.figures.as_slice()));
    let blocks = [Block::Table(Table::without_heads(lines)), Block::entries("", remarks)];
    let mut blocks = Block::all_filled(blocks);
    let picture = picture
        .or_else(|| wakeups(analysis))
        .or_else(|| FrontierView::AMONG_RESULTS.picture(analysis))
        .map(|picture| Block::Figure(Figure { name: "answer".to_owned(), ..picture }));
    blocks.extend(picture);
    Section {
        tone: Tone::Answer,
        standing: answer.standing,
        ..Section::of("answer", answer.verdict.clone(), "", blocks)
    }
}

/// Draws histograms of the wake-ups in the worst case, of real-time threads if there are any: for
/// one machine a line per rate and load, for several a line per machine.
fn wakeups(analysis: &Analysis) -> Option<Figure> {
    let all = on_all(&analysis.systems, wakeup::MEASUREMENT);
    let mut series = all.clone();
    series.retain(|(_, series)| series.headline());
    let headlines = series.len();
    if series.iter().any(|(_, series)| is_real_time(series)) {
        series.retain(|(_, series)| is_real_time(series));
    }
    series.sort_by_key(|(_, series)| Reverse(series.max_ns()));
    let (_, latest) = *series.first()?;
    let mut seen = BTreeSet::new();
    let machines = distinct(series.iter().map(|(system, _)| &system.name));
    series.retain(|(system, series)| match machines {
        1 => latest.is_alike_but_for_load_and(&[PERIOD], series),
        _ => seen.insert(&system.name),
    });
    let series = of_each_rate(series);
    let others = match headlines - series.len() {
        0 => String::new(),
        others => format!(" Not shown here: {}.", counted(others, "other case")),
    };
    let whose = match (machines, series.len()) {
        (1, 1) => "Wake-ups in the worst case.",
        (1, _) => "Wake-ups in the worst case, and at other rates or under other loads.",
        _ => "Wake-ups in the worst case of each machine.",
    };
    let mut drawn = figure::histogram("", wakeup::AXIS, &distributions_among(&all, &series))?;
    drawn.caption = format!("{whose}{others} {}", drawn.caption);
    Some(with_deadlines(drawn, &series))
}

/// Returns as many lines as a figure has room for, the fastest rate first, with the worst line of
/// each rate among them.
fn of_each_rate<'s, 'a>(
    worst_first: Vec<(&'s System<'a>, &'s Series<'a>)>,
) -> Vec<(&'s System<'a>, &'s Series<'a>)> {
    let period = |(_, series): &(&System, &Series)| series.spec.parameters.period();
    let mut seen = BTreeSet::new();
    let (mut kept, others): (Vec<_>, Vec<_>) =
        worst_first.into_iter().partition(|measured| seen.insert(period(measured)));
    kept.extend(others);
    kept.truncate(MOST_LINES);
    kept.sort_by_key(period);
    kept
}

fn is_real_time(series: &Series) -> bool {
    series.spec.asked.policy.is_real_time()
}
