//! The largest size that holds, for each number of threads.

use crate::document::{self, Block, Cell, Column, Section, Table};
use stats::frontier::Criterion;
use units::Nanos;

use crate::figure::{self, Figure, HeldSize, HeldSizes};
use crate::sections::comparison::of_publication;
use crate::sections::metrics;
use analysis::Analysis;
use analysis::capacity::{Line, Size};
use analysis::frontier::{Frontier, caption, interval, notes, overall, room};
use analysis::published::{self, Threshold};
use analysis::words;
use plan::Axis;

const INTRODUCTION: &str = "The largest size that meets its deadlines lies between the \
    largest one that was shown to hold, below every size that was missed, and the smallest size \
    that was shown not to. A question mark: so it seems, but in too few deadlines to show it. A miss \
    counts whatever its cause. Beside it stands where the frontier would lie if the platform \
    (hypervisor, firmware) had never stood still, and up to which size a step usually fits into its \
    period, whatever stalls some of them.";

/// Of the publications' tires.
const PUBLISHED_PERIOD: Nanos = Nanos(10_000_000);

/// The section, where several sizes tell of a frontier.
pub(super) fn shown(analysis: &Analysis) -> Option<Section> {
    let frontiers = analysis.frontiers.iter();
    let searched = frontiers.filter(|frontier| frontier.is_searched());
    of(&searched.collect::<Vec<_>>(), analysis, None)
}

/// The section of whatever was tried; with `size`, how much longer a step of that size can
/// take. `None` without a run to tell of.
pub(crate) fn searched(analysis: &Analysis, size: Option<u64>) -> Option<Section> {
    of(&analysis.frontiers.iter().collect::<Vec<_>>(), analysis, size)
}

fn of(frontiers: &[&Frontier], analysis: &Analysis, size: Option<u64>) -> Option<Section> {
    frontiers.first()?;
    let (several, standards) = (analysis.systems.len() > 1, analysis.standards);
    let mut blocks = Vec::new();
    for (place, alike) in by_axis(frontiers).iter().enumerate() {
        blocks.push(Block::Table(table(alike, several)));
        let chart = chart(alike, several).map(|chart| Figure {
            name: match place {
                0 => chart.name,
                _ => format!("{}-{}", chart.name, place + 1),
            },
            ..chart
        });
        blocks.extend(chart.map(Block::Figure));
    }
    for frontier in frontiers {
        let mut sentences = vec![overall(frontier)];
        sentences.extend(notes(frontier));
        let asked = |line| size.and_then(|size| room(frontier, line, size));
        sentences.extend(frontier.grid.lines.iter().filter_map(asked));
        sentences.dedup();
        blocks.push(Block::notes(name(frontier, several), sentences));
    }
    let sizes = frontiers.iter().map(|frontier| sizes(frontier, several));
    blocks.extend(sizes.map(Block::Table));
    Some(Section::of(
        "frontier",
        format!("The frontier of {}", standards.limits.words(standards.strictness)),
        INTRODUCTION,
        blocks,
    ))
}

/// Those over the same beside each other.
fn by_axis<'f, 'a>(frontiers: &[&'f Frontier<'a>]) -> Vec<Vec<&'f Frontier<'a>>> {
    let mut all: Vec<Vec<&Frontier>> = Vec::new();
    for frontier in frontiers {
        match all.iter_mut().find(|own| own[0].grid.axis == frontier.grid.axis) {
            Some(own) => own.push(frontier),
            None => all.push(vec![frontier]),
        }
    }
    all
}

fn name(frontier: &Frontier, several: bool) -> String {
    match several {
        true => format!("{}: {}", frontier.grid.system, caption(frontier)),
        false => caption(frontier),
    }
}

fn table(frontiers: &[&Frontier], several: bool) -> Table {
    let unit = frontiers.first().map(|first| first.grid.axis.unit(2));
    let mut rows = Vec::new();
    for frontier in frontiers {
        for line in &frontier.grid.lines {
            let cell = |criterion| {
                Cell::number(interval(&frontier.grid.axis, &frontier.ends(line, criterion)), "")
            };
            let mut cells = vec![
                Cell::text(name(frontier, several)),
                Cell::number(line.threads.to_string(), ""),
                metrics::count(line.sizes.len() as u64),
            ];
            cells.extend(
                [Criterion::InDeadlines, Criterion::ButForPlatform, Criterion::InSteps].map(cell),
            );
            rows.push(document::Line::of(cells));
        }
    }
    let numbers = [
        "Threads",
        "Sizes tried",
        "Holds .. misses",
        "But for the platform",
        "A step usually fits",
    ];
    let mut columns = vec![Column::words("Rate and conditions")];
    columns.extend(numbers.map(Column::numbers));
    Table {
        caption: format!("Where the frontier lies, in {}", unit.unwrap_or_default()),
        columns,
        rows,
        ..Table::default()
    }
}

/// Every size with its headroom.
fn sizes(frontier: &Frontier, several: bool) -> Table {
    let grid = &frontier.grid;
    let row = |line: &Line, count: u64, size: &Size| {
        let [p99, worst] = size.headroom_ns(grid.period(count)).map(|ns| {
            ns.map_or_else(
                || Cell::none("too few steps"),
                |ns| metrics::in_micros(ns as f64).bad_if(ns < 0),
            )
        });
        let tries = size.deadlines;
        let cells = vec![
            metrics::count(line.threads),
            match grid.axis {
                Axis::Setting(_) => Cell::number(words::bare(&grid.axis, count), ""),
                _ => metrics::count(count),
            },
            metrics::count(tries.runs),
            metrics::count(tries.due),
            metrics::count(tries.missed).bad_if(tries.missed > 0),
            metrics::count(size.excused),
            metrics::count(size.steps.missed),
            p99,
            worst,
        ];
        document::Line::of(cells)
    };
    let of_line = |line| {
        let line: &Line = line;
        line.sizes.iter().map(move |(count, size)| row(line, *count, size))
    };
    let head = format!("{}, {}", words::capital(grid.axis.noun()), grid.axis.unit(2));
    let columns = [
        "Threads",
        &head,
        "Runs",
        "Deadlines",
        "Missed",
        "While the platform stood still",
        "Steps that overran",
        "Headroom at p99, µs",
        "Headroom of the worst, µs",
    ];
    Table {
        caption: format!("Every {} tried: {}", grid.axis.noun(), name(frontier, several)),
        columns: columns.map(Column::numbers).into(),
        rows: frontier.grid.lines.iter().flat_map(of_line).collect(),
        note:
            "Headroom: how much longer a step can take, counted from its due time, until 1 in 100 \
               (p99) or one as late as the worst misses."
                .to_owned(),
        folded: true,
    }
}

/// The chart of the frontiers that were searched for.
pub(super) fn drawn(analysis: &Analysis) -> Option<Figure> {
    let frontiers = analysis.frontiers.iter();
    let searched = frontiers.filter(|frontier| frontier.is_searched());
    let several = analysis.systems.len() > 1;
    let searched: Vec<_> = searched.collect();
    chart(by_axis(&searched).first()?, several)
}

/// One line a frontier, another where a step usually fits, and what was published at that
/// rate for the same model.
fn chart(frontiers: &[&Frontier], several: bool) -> Option<Figure> {
    let over = &frontiers.first()?.grid.axis;
    let mut all = Vec::new();
    for frontier in frontiers {
        for (criterion, words) in
            [(Criterion::InDeadlines, ""), (Criterion::InSteps, ", where a step usually fits")]
        {
            let points = frontier.grid.lines.iter();
            let points = points.filter_map(|line| point(frontier, line, criterion));
            all.push(HeldSizes {
                name: format!("{}{words}", name(frontier, several)),
                points: points.collect(),
                published: false,
            });
        }
    }
    let is_alike = |threshold: &Threshold| frontiers.iter().any(|f| is_published(f, threshold));
    let published = published::thresholds().into_iter().filter(is_alike);
    all.extend(published.filter_map(|threshold| of_publication(&threshold)));
    all.retain(|sizes| !sizes.points.is_empty());
    let caption = "Bars reach from the largest size that is shown to hold, or only seems to, to the smallest \
                   that missed. Which of both it is stands in the table.";
    figure::held_sizes("frontier", caption, over, &all)
}

fn point(frontier: &Frontier, line: &Line, criterion: Criterion) -> Option<HeldSize> {
    let ends = frontier.ends(line, criterion);
    Some(HeldSize {
        threads: line.threads,
        held: ends.held()?.size,
        missed: ends.missed().map(|end| end.size),
    })
}

/// Whether a published size is of the same rate and model.
fn is_published(frontier: &Frontier, threshold: &Threshold) -> bool {
    let grid = &frontier.grid;
    grid.axis == Axis::Masses
        && grid.period(0) == PUBLISHED_PERIOD
        && threshold.model == frontier.grid.spec.parameters.word("model")
}
