//! Hashes of setups and samples of runs in the lab.

use record::RunSpec;

use crate::lists::found_or_new;
use crate::survey::{System, loads};

/// The runs of the lab under one load.
pub struct LoadRuns<'a> {
    pub load: String,
    /// Hashes of the setups, for each system.
    pub setups: Vec<Vec<&'a str>>,
    pub runs: Vec<LabRun<'a>>,
}

/// A run of the lab, on every system that made it.
pub struct LabRun<'a> {
    pub spec: &'a RunSpec,
    /// Hashes of its samples, for each system; several if repeated runs gave different samples.
    pub samples: Vec<Vec<&'a str>>,
}

/// Returns every run of the lab, by its load; empty without runs of the lab.
pub fn lab_runs<'a>(systems: &[System<'a>]) -> Vec<LoadRuns<'a>> {
    let of_each = || vec![Vec::new(); systems.len()];
    let mut found: Vec<LoadRuns> = Vec::new();
    for (place, system) in systems.iter().enumerate() {
        for outcome in system.outcomes.iter().copied() {
            let Some(lab) = &outcome.found.lab else { continue };
            let spec = &outcome.header.spec;
            let load = loads(&spec.asked);
            let new = || LoadRuns { load: load.clone(), setups: of_each(), runs: Vec::new() };
            let of_load = found_or_new(&mut found, |runs| runs.load == load, new);
            note(&mut of_load.setups[place], &lab.setup_sha256);
            let new = || LabRun { spec, samples: of_each() };
            let run = found_or_new(&mut of_load.runs, |run| run.spec == spec, new);
            note(&mut run.samples[place], &lab.samples_sha256);
        }
    }
    found
}

fn note<'a>(hashes: &mut Vec<&'a str>, hash: &'a str) {
    if !hashes.contains(&hash) {
        hashes.push(hash);
    }
}
