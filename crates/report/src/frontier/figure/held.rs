//! The largest size that met every deadline, by number of threads.

use crate::document::{Axis, GREY, Kind, Look, Mark, Panel, Series, Unit};
use crate::figure::{Figure, span};
use analysis::published::Threshold;
use analysis::words;

/// The largest sizes of one system by number of threads: shown to hold, or the largest tried.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeldSizes {
    pub name: String,
    pub points: Vec<HeldSize>,
    pub is_published: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldSize {
    pub threads: u64,
    pub held: u64,
    /// The smallest size with too many misses, if a bar should reach up to it.
    pub missed: Option<u64>,
}

impl HeldSizes {
    /// Returns a published size that was held on a known number of threads.
    pub(crate) fn published(threshold: &Threshold) -> Option<Self> {
        let threads = threshold.threads.parse().ok()?;
        (threshold.property == "hard_real_time_up_to").then(|| Self {
            name: format!(
                "{}, {}, 100 Hz, {} model, as published ({})",
                threshold.system, threshold.scheduler, threshold.model, threshold.source
            ),
            points: vec![HeldSize { threads, held: threshold.masses, missed: None }],
            is_published: true,
        })
    }
}

const HEIGHT: usize = 280;

pub(crate) fn held_sizes(
    name: &str,
    caption: &str,
    over: &record::Axis,
    all: &[HeldSizes],
) -> Option<Figure> {
    let points = || all.iter().flat_map(|held| &held.points);
    let sizes = points().flat_map(|point| [Some(point.held), point.missed]);
    let threads = || points().map(|point| point.threads as f64);
    let sizes = span(sizes.flatten().map(|size| over.number(size.max(1))))?;
    let x = axis("threads", span(threads())?, 1.1).ticks(threads().collect());
    let y = axis(&format!("{} without too many misses", over.unit(2)), sizes, 1.2);
    let panel = Panel::new(x, y, all.iter().enumerate().map(|held| line(over, held)));
    Some(Figure::new(name, caption, HEIGHT, panel))
}

/// Returns an axis from 0, or a logarithmic one if the values are far apart, as published ones
/// often are.
fn axis(title: &str, [least, most]: [f64; 2], room: f64) -> Axis {
    const FAR: f64 = 8.0;
    match most / least {
        FAR.. if least > 0.0 => Axis::log(title, Unit::Count, [least / room, most * room]),
        _ => Axis::linear(title, Unit::Count, [least.min(0.0) * room, most.max(0.0) * room]),
    }
}

fn line(over: &record::Axis, (index, held): (usize, &HeldSizes)) -> Series {
    let mark = |point: &HeldSize| {
        let threads = words::counted(point.threads as usize, "thread");
        let missed = point.missed.map_or_else(String::new, |missed| {
            format!("; first miss at {}", words::bare(over, missed))
        });
        let size = words::place(over, point.held);
        let hover = format!("{}\n{threads}: {size}{missed}", held.name);
        Mark {
            to: point.missed.map(|missed| over.number(missed)),
            ..Mark::at(point.threads as f64, over.number(point.held)).hover(hover)
        }
    };
    let look = Look::points(index);
    let look = if held.is_published { Look { colour: GREY, open: true, ..look } } else { look };
    Series::new(&held.name, Kind::Line, look, held.points.iter().map(mark).collect())
}
