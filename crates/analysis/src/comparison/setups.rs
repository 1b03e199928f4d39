//! Hashes of setups and samples of runs in the lab.

use record::RunSpec;

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
    let of_each = || vec![Vec::new(); systems.len()];
    let mut sittings: Vec<Sitting> = Vec::new();
    for (place, system) in systems.iter().enumerate() {
        for outcome in system.outcomes.iter().copied() {
            let Some(found) = &outcome.found.lab else { continue };
            let spec = &outcome.header.spec;
            let load = loads(&spec.asked);
            let new = || Sitting { load: load.clone(), setups: of_each(), runs: Vec::new() };
            let sitting = found_or_new(&mut sittings, |sitting| sitting.load == load, new);
            note(&mut sitting.setups[place], &found.setup_sha256);
            let new = || Made { spec, samples: of_each() };
            let run = found_or_new(&mut sitting.runs, |run| run.spec == spec, new);
            note(&mut run.samples[place], &found.samples_sha256);
        }
    }
    sittings
}

fn note<'a>(hashes: &mut Vec<&'a str>, hash: &'a str) {
    if !hashes.contains(&hash) {
        hashes.push(hash);
    }
}
