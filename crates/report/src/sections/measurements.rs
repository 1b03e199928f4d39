//! The sections on measurements: one entry per section, in page order. The general section shows
//! measurements that no other section names.

use analysis::Analysis;
use analysis::lists::each_once;
use analysis::standards::Limits;
use analysis::survey::{System, on_all};

use super::measured::Measured;
use super::{
    causes, claims, clock, frames, general, interrupt, latency, locks, merit, messages, mix,
    own_model, platform, rhealstone, self_test, solvers, step_time, tire, wakeup,
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

/// Returns every section that has something to show; the figures of merit come last, because they
/// sum up the others.
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
        .filter_map(|section| {
            Section::of(section.id, section.title, section.introduction, blocks(section)).filled()
        });
    let others = without_section(systems).into_iter().map(|name| {
        let mut shown = general::shown(systems, name);
        shown.blocks.extend(carried(systems, &[name], limits));
        shown
    });
    own.chain(others)
        .chain(causes::shown(systems))
        .chain(self_test::shown(systems))
        .chain(merit::shown(analysis))
        .collect()
}

/// Returns the statistical claims of a section's data, measurement by measurement.
fn carried(systems: &[System], measurements: &[&str], limits: &Limits) -> Vec<Block> {
    let of_one = |name: &&str| {
        let series = on_all(systems, name);
        claims::real_time(&series, limits).into_iter().chain(claims::of(&series))
    };
    measurements.iter().flat_map(of_one).collect()
}

/// Returns measurements that no section names, in the order of their first run.
fn without_section<'a>(systems: &[System<'a>]) -> Vec<&'a str> {
    let series = systems.iter().flat_map(|system| &system.series);
    let mut others = each_once(series.map(|series| series.spec.measurement.as_str()));
    others.retain(|name| !SECTIONS.iter().any(|section| section.measurements.contains(name)));
    others
}
