//! Plans that ship with the program: the published studies.

use anyhow::{Result, bail};

/// A plan that ships with the program.
pub(super) struct Ready {
    pub(super) name: &'static str,
    /// What it repeats, in one line.
    summary: &'static str,
    /// The plan, in TOML.
    pub(super) text: &'static str,
}

macro_rules! ready {
    ($name:literal, $summary:literal) => {
        Ready {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../../../campaigns/", $name, ".toml")),
        }
    };
}

const READY: &[Ready] = &[
    ready!(
        "sae-micro",
        "micro-benchmarks of SAE 2014-01-0200 and MPE 2014, without load and under the CPU load"
    ),
    ready!(
        "sae-grid",
        "all configurations of masses and threads of SAE 2014-01-0200, a minute each: weeks"
    ),
    ready!(
        "sae-grid-thin",
        "the same grid, thinned to a few minutes: every 59th size, 1 to 36 threads"
    ),
    ready!(
        "mur-frames",
        "frames of Murray 2003 at 100 Hz: processes, affinity and timers, an hour each"
    ),
    ready!(
        "fra-latencies",
        "latencies of Franke 2007 under each load: activations, timer interrupts, a minute each"
    ),
    ready!(
        "tel-messages",
        "messages and switches of the TEL benchmark, without load and under CPU and disk loads"
    ),
];

/// The ready plan of that name.
pub(super) fn find(name: &str) -> Result<&'static Ready> {
    match READY.iter().find(|ready| ready.name == name) {
        Some(ready) => Ok(ready),
        None => {
            let names: Vec<&str> = READY.iter().map(|ready| ready.name).collect();
            bail!(
                "there is no ready plan `{name}`; there are {}; the name of a plan file ends in \
                 .toml",
                names.join(", ")
            )
        }
    }
}

/// All of them, a line each.
pub(super) fn list() -> String {
    let head = "Ready plans (steadfast campaign NAME; --show NAME prints one)\n\n";
    let line = |ready: &Ready| format!("  {:<15} {}\n", ready.name, ready.summary);
    let lines = READY.iter().map(line);
    [head.to_owned()].into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::campaign::file;
    use plan::RunSpec;
    use std::collections::BTreeSet;

    fn specs(name: &str) -> Vec<RunSpec> {
        let ready = find(name).unwrap();
        let plan = file::read(ready.name, ready.text).unwrap();
        plan.runs.into_iter().map(|run| run.spec).collect()
    }

    #[test]
    fn every_ready_plan_can_be_made_on_this_machine() {
        for ready in READY.iter().filter(|ready| ready.name != "sae-grid") {
            assert!(!specs(ready.name).is_empty(), "{}", ready.name);
        }
    }

    /// Masses and threads of every run of a grid.
    fn cells(name: &str) -> Vec<(u64, u64)> {
        let specs = specs(name).into_iter();
        let cell = |spec: RunSpec| {
            let count = |name| spec.parameters.count(name);
            (count("masses"), count("threads"))
        };
        specs.map(cell).collect()
    }

    #[test]
    fn the_grid_is_as_large_as_published() {
        let grid = cells("sae-grid");
        assert_eq!(grid.len(), 52_470);
        // A thread owns a mass of each quadrant at least.
        assert!(grid.iter().all(|(masses, threads)| masses / 4 >= *threads));
        let distinct: BTreeSet<(u64, u64)> = grid.into_iter().collect();
        assert_eq!(distinct.len(), 52_470);
        let thin = cells("sae-grid-thin");
        assert!(thin.iter().all(|cell| distinct.contains(cell)));
    }
}
