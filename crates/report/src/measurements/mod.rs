//! The sections on measurements: one entry per section, in page order. The general section shows
//! measurements that no other section names.

mod causes;
mod claims;
mod clock;
pub(crate) mod frames;
mod interrupt;
mod latency;
mod locks;
#[cfg(test)]
mod made_up;
pub(crate) mod merit;
mod messages;
mod own_model;
mod platform;
mod rhealstone;
mod step_time;
pub(crate) mod tire;
pub(crate) mod wakeup;

use analysis::Analysis;
use analysis::lists::each_once;
use analysis::standards::Limits;
use analysis::survey::{System, on_all};

use crate::document::{Block, Section};
use crate::sections::general;
use crate::sections::measured::Measured;
use crate::{mix, self_test, solvers};
pub(crate) use own_model::of_own_models;

const SECTIONS: &[Measured] = &[
    latency::SECTION,
    wakeup::SECTION,
    platform::SECTION,
    frames::SECTION,
    interrupt::SECTION,
    own_model::SECTION,
    mix::section::SECTION,
    tire::SECTION,
    step_time::SECTION,
    solvers::section::SECTION,
    locks::SECTION,
    messages::SECTION,
    rhealstone::SECTION,
    clock::SECTION,
    #[cfg(test)]
    made_up::SECTION,
];

/// Returns every section that has something to show; the figures of merit come last, because they
/// sum up the others.
pub(crate) fn measured(analysis: &Analysis) -> Vec<Section> {
    let systems = &analysis.systems;
    let measured = |name: &str| systems.iter().any(|system| system.of(name).next().is_some());
    let limits = &analysis.standards.limits;
    let mut all = Vec::new();
    for &Measured { id, title, introduction, measurements, blocks } in SECTIONS {
        if !measurements.iter().any(|name| measured(name)) {
            continue;
        }
        let mut section = Section::of(id, title, introduction, blocks(analysis));
        if !section.blocks.is_empty() {
            let is_own = |name: &&str| section_of(name).is_some_and(|first| first.id == id);
            let named_here = measurements.iter().copied().filter(is_own);
            section.blocks.extend(named_here.flat_map(|name| carried(systems, name, limits)));
            all.push(section);
        }
    }
    // In the order of their first run.
    let series = systems.iter().flat_map(|system| &system.series);
    for name in each_once(series.map(|series| series.spec.measurement.as_str())) {
        if section_of(name).is_none() {
            let mut section = general::shown(systems, name);
            section.blocks.extend(carried(systems, name, limits));
            all.push(section);
        }
    }
    all.extend(causes::shown(systems));
    all.extend(self_test::section::shown(systems));
    all.extend(merit::shown(analysis));
    all
}

/// Returns the first section that names a measurement, which has its claims.
fn section_of(measurement: &str) -> Option<&'static Measured> {
    SECTIONS.iter().find(|section| section.measurements.contains(&measurement))
}

/// Returns the statistical claims of a measurement's data.
fn carried(systems: &[System], measurement: &str, limits: &Limits) -> Vec<Block> {
    let series = on_all(systems, measurement);
    claims::real_time(&series, limits).into_iter().chain(claims::claim_blocks(&series)).collect()
}
