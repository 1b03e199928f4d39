//! The sections on measurements: one entry a section, in the order of the page. A
//! measurement that no section names is shown by the general one.

use analysis::Analysis;
use analysis::standards::Limits;
use analysis::survey::{System, on_all};

use super::measured::Measured;
use super::{
    causes, claims, clock, experiment, frames, frontier, general, interrupt, latency, locks, map,
    merit, messages, mix, own_model, platform, rhealstone, self_test, solvers, step_time, tire,
    wakeup,
};
use crate::document::{Block, Section};

const SECTIONS: &[Measured] = &[
    latency::SECTION,
    wakeup::SECTION,
    platform::SECTION,
    frames::SECTION,
    interrupt::SECTION,
    own_model::SECTION,
    mix::SECTION,
    tire::SECTION,
    step_time::SECTION,
    solvers::SECTION,
    locks::SECTION,
    messages::SECTION,
    rhealstone::SECTION,
    clock::SECTION,
    #[cfg(test)]
    super::made_up::SECTION,
];

/// Every section that has something to show; the figures of merit, which sum
/// others up, stand last.
pub(crate) fn measured(analysis: &Analysis) -> Vec<Section> {
    let systems = &analysis.systems;
    let measured = |name: &str| systems.iter().any(|system| system.of(name).next().is_some());
    let limits = &analysis.standards.limits;
    let blocks = |section: &Measured| {
        let is_own = |name: &&&str| {
            let first = SECTIONS.iter().find(|other| other.measurements.contains(name));
            first.is_some_and(|first| first.id == section.id)
        };
        let own: Vec<&str> = section.measurements.iter().filter(is_own).copied().collect();
        let mut blocks = (section.blocks)(analysis);
        if !blocks.is_empty() {
            blocks.extend(carried(systems, &own, limits));
        }
        blocks
    };
    let own = SECTIONS
        .iter()
        .filter(|section| section.measurements.iter().any(|name| measured(name)))
        .map(|section| {
            Section::of(section.id, section.title, section.introduction, blocks(section))
        })
        .filter(|section| !section.blocks.is_empty());
    let others = without_section(systems).into_iter().map(|name| {
        let mut shown = general::shown(systems, name);
        shown.blocks.extend(carried(systems, &[name], limits));
        shown
    });
    let mut own: Vec<Section> = own.collect();
    // What sums the tire up stands before it.
    let tire = own.iter().position(|shown| shown.id == tire::SECTION.id);
    let tire = tire.unwrap_or(own.len());
    let frontier = frontier::shown(analysis);
    own.splice(tire..tire, frontier);
    own.splice(tire..tire, map::shown(&analysis.maps, analysis.standards));
    own.into_iter()
        .chain(others)
        .chain(causes::shown(systems))
        .chain(experiment::shown(analysis))
        .chain(self_test::shown(systems))
        .chain(merit::shown(analysis))
        .collect()
}

/// What the data of a section carry, measurement by measurement.
fn carried(systems: &[System], measurements: &[&str], limits: &Limits) -> Vec<Block> {
    let of_one = |name: &&str| {
        let series = on_all(systems, name);
        let graded = claims::real_time(&series, limits);
        graded.into_iter().chain(claims::of(&series)).map(Block::Table)
    };
    measurements.iter().flat_map(of_one).collect()
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
