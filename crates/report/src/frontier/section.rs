//! The largest size that holds, for each number of threads.

use analysis::capacity::{Line, Size};
use analysis::finding::{bracket, labelled};
use analysis::frontier::{Frontier, foremost};
use analysis::lists::{each_once, groups};
use analysis::{Analysis, words};
use stats::frontier::Criterion;

use super::figure::{HeldSize, HeldSizes, Probes, held_sizes, share_missed};
use crate::document::{Block, Cell, Section, Table, TableOf};
use crate::figure::Figure;

const INTRODUCTION: &str = "The largest size that meets its deadlines is between the \
    largest one that is shown to hold, below every size that missed, and the smallest one that is \
    shown not to. A question mark means: too few deadlines to show it yet. A miss counts \
    whatever its cause. The next columns show the edge if the platform (hypervisor, firmware) had \
    never stood still, and up to which size a step usually fits its period if single stalls \
    are ignored.";

/// Returns the section; with `size`, it includes how much longer a step of that size can take.
pub(crate) fn section(
    frontiers: &[&Frontier],
    analysis: &Analysis,
    size: Option<u64>,
) -> Option<Section> {
    frontiers.first()?;
    let (several, standards) = (analysis.systems.len() > 1, analysis.standards);
    let mut blocks = Vec::new();
    let by_axis = groups(frontiers.iter().copied(), |a, b| a.grid.axis == b.grid.axis);
    for (place, alike) in by_axis.iter().enumerate() {
        blocks.push(Block::Table(edges(alike, several)));
        let id = if place == 0 { "frontier".to_owned() } else { format!("frontier-{}", place + 1) };
        blocks.extend(chart(&id, alike, several).map(Block::Figure));
    }
    for frontier in frontiers {
        let lines = || frontier.grid.lines.iter();
        let mut found = vec![frontier.edge()];
        found.extend(lines().flat_map(|line| frontier.details(line)));
        found.extend(lines().filter_map(|line| frontier.headroom(line, size?)));
        found.dedup();
        blocks.push(Block::notes(name(frontier, several), labelled(&found)));
    }
    blocks.extend(frontiers.iter().map(|frontier| Block::Table(sizes(frontier, several))));
    let title = format!("The frontier of {}", standards.limits.words(standards.strictness));
    Some(Section::of("frontier", title, INTRODUCTION, blocks))
}

fn name(frontier: &Frontier, several: bool) -> String {
    let title = frontier.grid.title();
    if several { format!("{}: {title}", frontier.grid.system) } else { title }
}

fn edges(frontiers: &[&Frontier], several: bool) -> Table {
    let unit = frontiers.first().map(|first| first.grid.axis.unit(2)).unwrap_or_default();
    let mut rows: Vec<(&Frontier, &Line)> = Vec::new();
    for frontier in frontiers {
        rows.extend(frontier.grid.lines.iter().map(|line| (*frontier, line)));
    }
    let edge = |criterion| {
        move |(frontier, line): &(&Frontier, &Line)| {
            let ends = frontier.ends(line, criterion);
            Cell::number(bracket(&frontier.grid.axis, ends.held(), ends.missed()), "")
        }
    };
    TableOf::of(&rows)
        .text("Rate and conditions", |(frontier, _)| name(frontier, several))
        .number("Threads", |(_, line)| Cell::count(line.threads))
        .number("Sizes tried", |(_, line)| Cell::count(line.sizes.len() as u64))
        .number("Holds .. misses", edge(Criterion::InDeadlines))
        .number("Without platform stalls", edge(Criterion::ButForPlatform))
        .number("A step usually fits", edge(Criterion::InSteps))
        .table(format!("Where the edge is, in {unit}"))
}

/// A number of threads, a size that was tried on them, and its headroom at p99 and of the worst
/// step.
type Tried<'f, 'a> = (u64, u64, &'f Size<'a>, [Option<i64>; 2]);

fn sizes(frontier: &Frontier, several: bool) -> Table {
    let grid = &frontier.grid;
    let mut rows: Vec<Tried> = Vec::new();
    for line in &grid.lines {
        rows.extend(line.sizes.iter().map(|(place, size)| {
            (line.threads, *place, size, size.headroom_ns(grid.period(*place)))
        }));
    }
    let headroom = |which: usize| {
        move |(.., ns): &Tried| Cell::or(ns[which], "too few steps", |ns| Cell::micros(ns as f64))
    };
    let is_beyond = |which: usize| move |(.., ns): &Tried| ns[which].is_some_and(|ns| ns < 0);
    let head = format!("{}, {}", words::capital(grid.axis.noun()), grid.axis.unit(2));
    TableOf::of(&rows)
        .number("Threads", |(threads, ..)| Cell::count(*threads))
        .number(&head, |(_, place, ..)| Cell::place(&grid.axis, *place))
        .number("Runs", |(_, _, size, _)| Cell::count(size.deadlines.runs))
        .number("Deadlines", |(_, _, size, _)| Cell::count(size.deadlines.due))
        .number("Missed", |(_, _, size, _)| Cell::count(size.deadlines.missed))
        .bad_if(|(_, _, size, _)| size.deadlines.missed > 0)
        .number("While the platform stood still", |(_, _, size, _)| Cell::count(size.excused))
        .number("Steps that overran", |(_, _, size, _)| Cell::count(size.steps.missed))
        .number("Headroom at p99, µs", headroom(0))
        .bad_if(is_beyond(0))
        .number("Headroom of the worst, µs", headroom(1))
        .bad_if(is_beyond(1))
        .note(
            "Headroom: how much longer a step can take, counted from its due time, until 1 in 100 \
             (p99) or one as late as the worst misses.",
        )
        .table(format!("Every {} tried: {}", grid.axis.noun(), name(frontier, several)))
}

pub(crate) fn probes(frontiers: &[&Frontier]) -> Option<Figure> {
    let frontier = foremost(frontiers)?;
    let probes = |line: &Line| Probes {
        name: words::counted(line.threads as usize, "thread"),
        points: line.sizes.keys().map(|size| (*size, frontier.held(line, *size))).collect(),
        edge: frontier.ends(line, Criterion::InDeadlines).held(),
    };
    let probes: Vec<Probes> = frontier.grid.lines.iter().map(probes).collect();
    share_missed("", &frontier.grid.axis, &probes)
}

/// Draws a line per frontier, another where a step usually fits, and the sizes published for the
/// same rate and model.
fn chart(id: &str, frontiers: &[&Frontier], several: bool) -> Option<Figure> {
    let over = &frontiers.first()?.grid.axis;
    let mut all = Vec::new();
    for frontier in frontiers {
        for (criterion, words) in
            [(Criterion::InDeadlines, ""), (Criterion::InSteps, ", where a step usually fits")]
        {
            let lines = frontier.grid.lines.iter();
            all.push(HeldSizes {
                name: format!("{}{words}", name(frontier, several)),
                points: lines.filter_map(|line| point(frontier, line, criterion)).collect(),
                is_published: false,
            });
        }
    }
    let published = frontiers.iter().flat_map(|frontier| frontier.grid.published_sizes());
    all.extend(each_once(published).iter().filter_map(HeldSizes::published));
    all.retain(|sizes| !sizes.points.is_empty());
    let caption = "Bars reach from the largest size that is shown to hold, or only seems to (see the table), \
                   to the smallest that missed.";
    held_sizes(id, caption, over, &all)
}

fn point(frontier: &Frontier, line: &Line, criterion: Criterion) -> Option<HeldSize> {
    let ends = frontier.ends(line, criterion);
    Some(HeldSize {
        threads: line.threads,
        held: ends.held()?.size,
        missed: ends.missed().map(|end| end.size),
    })
}
