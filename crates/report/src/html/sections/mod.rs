//! The report's sections: one entry a section, in the order of the page. A
//! measurement that no section names is shown by the general one.

mod clock;
mod frames;
mod general;
mod interrupt;
mod latency;
mod locks;
mod merit;
mod messages;
mod platform;
mod rhealstone;
mod solvers;
mod tire;
mod wakeup;

use serde::Serialize;

use super::table::Table;
use crate::figure::Figure;
use crate::survey::System;
use crate::tolerance::Tolerance;

/// What a section shows and how.
struct Section {
    /// Anchor in the page.
    id: &'static str,
    title: &'static str,
    /// What the figures mean, in a sentence or two.
    introduction: &'static str,
    measurements: &'static [&'static str],
    blocks: fn(&[System]) -> Vec<Block>,
}

const SECTIONS: &[Section] = &[
    latency::SECTION,
    wakeup::SECTION,
    platform::SECTION,
    frames::SECTION,
    interrupt::SECTION,
    tire::SECTION,
    solvers::SECTION,
    locks::SECTION,
    messages::SECTION,
    rhealstone::SECTION,
    clock::SECTION,
];

/// One piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Block {
    Table(Table),
    Figure(Figure),
}

/// A section with its pieces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Shown {
    id: String,
    title: String,
    introduction: String,
    blocks: Vec<Block>,
}

/// Every section that has something to show; the figures of merit, which sum
/// others up, stand last.
pub(super) fn of(systems: &[System], tolerance: Tolerance) -> Vec<Shown> {
    let measured = |name: &str| {
        systems
            .iter()
            .any(|system| system.of(name).next().is_some())
    };
    let own = SECTIONS
        .iter()
        .filter(|section| section.measurements.iter().any(|name| measured(name)))
        .map(|section| Shown {
            id: section.id.to_owned(),
            title: section.title.to_owned(),
            introduction: section.introduction.to_owned(),
            blocks: (section.blocks)(systems),
        })
        .filter(|section| !section.blocks.is_empty());
    let others = without_section(systems);
    own.chain(others.into_iter().map(|name| general::shown(systems, name)))
        .chain(merit::shown(systems, tolerance))
        .collect()
}

/// Measurements that no section names, in the order of their first run.
fn without_section<'a>(systems: &[System<'a>]) -> Vec<&'a str> {
    let mut others = Vec::new();
    for series in systems.iter().flat_map(|system| &system.series) {
        let name = series.spec.measurement.as_str();
        let has_section = SECTIONS.iter().any(|s| s.measurements.contains(&name));
        if !has_section && !others.contains(&name) {
            others.push(name);
        }
    }
    others
}
