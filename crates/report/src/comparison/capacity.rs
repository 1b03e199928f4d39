//! The tire sizes that each system holds, and its speed, in pictures.

use analysis::Analysis;
use analysis::capacity::{Line, is_real_time};
use analysis::comparison::Comparison;
use analysis::frontier::Frontier;
use analysis::phrases::maybe;
use analysis::survey::{distinct, on_all};
use record::Axis;

use crate::document::{Block, Section};
use crate::figure::{self, Figure};
use crate::frontier::{HeldSize, HeldSizes, held_sizes, map_figures};
use crate::measurements::tire::curves;

/// Draws the tires of several systems. Kernels of the lab mostly have one size, for which tables
/// are better.
pub(super) fn shown(analysis: &Analysis, comparison: &Comparison) -> Option<Section> {
    let mut real_fast = on_all(&comparison.systems, "tire");
    real_fast.retain(|(_, series)| !is_real_time(series));
    let curves = curves(&real_fast);
    let mut pictures = Vec::from_iter(against_threads(&analysis.frontiers, comparison));
    if !comparison.contrasts.is_overview() || curves.iter().any(|curve| curve.points.len() > 1) {
        pictures.extend(figure::real_fast("real-fast", &curves));
    }
    pictures.extend(map_figures(&analysis.frontiers, analysis.standards));
    Section::of(
        "capacity",
        "The tire: largest sizes without a miss, speed, missed deadlines",
        "The largest tire that was tried and missed no deadline, where no smaller one did either; a \
         finer grid of sizes may find a larger one, and more steps a miss.",
        pictures.into_iter().map(Block::Figure).collect(),
    )
    .filled()
}

/// Draws a line for each system and set of conditions with several sizes.
fn against_threads(maps: &[Frontier], comparison: &Comparison) -> Option<Figure> {
    let mut grids: Vec<_> = maps.iter().map(|map| &map.grid).collect();
    grids.retain(|grid| grid.axis == Axis::Masses && grid.distinct_sizes().len() > 1);
    let over = &grids.first()?.axis;
    let rates = distinct(grids.iter().map(|grid| grid.rate()));
    let measured = grids.iter().map(|grid| {
        let rate = maybe(grid.rate().filter(|_| rates > 1), |rate| format!("{rate}, "));
        let point = |line: &Line| {
            let held = line.first_miss().held.unwrap_or(0);
            HeldSize { threads: line.threads, held, missed: None }
        };
        HeldSizes {
            name: format!("{}, {rate}{}", grid.system, grid.conditions()),
            points: grid.lines.iter().map(point).collect(),
            is_published: false,
        }
    });
    let published = comparison.published_sizes();
    let published = published.iter().filter_map(HeldSizes::published);
    let caption = "Every point is one size of the grid that was tried; 0 where the smallest one \
                   missed a deadline already. The maps and tables have the number of steps of each \
                   size: few show little.";
    let all: Vec<HeldSizes> = measured.chain(published).collect();
    held_sizes("held", caption, over, &all)
}
