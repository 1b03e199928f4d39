//! Hashes of setups and samples of runs in the lab.

use plan::{Outcome, RunSpec};

use crate::lists::found_or_new;
use crate::survey::{System, loads};

pub struct Sitting<'a> {
    pub load: String,
    pub setups: Vec<Vec<&'a str>>,
    pub runs: Vec<Made<'a>>,
}

pub struct Made<'a> {
    pub spec: &'a RunSpec,
    /// Hashes of its samples, for each system; several if repeated runs gave different samples.
    pub samples: Vec<Vec<&'a str>>,
}

/// Returns every run of the lab, by its load; empty without runs of the lab.
pub fn sittings<'a>(systems: &[System<'a>]) -> Vec<Sitting<'a>> {
    let mut sittings: Vec<Sitting> = Vec::new();
    for (place, system) in systems.iter().enumerate() {
        for outcome in system.outcomes.iter().copied() {
            add(&mut sittings, outcome, place, systems.len());
        }
    }
    sittings
}

fn add<'a>(sittings: &mut Vec<Sitting<'a>>, outcome: &'a Outcome, system: usize, systems: usize) {
    let Some(found) = &outcome.found.lab else { return };
    let spec = &outcome.header.spec;
    let load = loads(&spec.asked);
    let sitting = found_or_new(
        sittings,
        |sitting| sitting.load == load,
        || Sitting { load: load.clone(), setups: vec![Vec::new(); systems], runs: Vec::new() },
    );
    note(&mut sitting.setups[system], &found.setup_sha256);
    let run = found_or_new(
        &mut sitting.runs,
        |run| run.spec == spec,
        || Made { spec, samples: vec![Vec::new(); systems] },
    );
    note(&mut run.samples[system], &found.samples_sha256);
}

fn note<'a>(hashes: &mut Vec<&'a str>, hash: &'a str) {
    if !hashes.contains(&hash) {
        hashes.push(hash);
    }
}
