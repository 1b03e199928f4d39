//! How much best-effort work fits next to the rates of a mix, by how it is scheduled: each choice
//! is compared with runs without such work, which alternated with it.

mod choice;
mod findings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use base::{CpuSet, Nanos};
use record::{Outcome, RunSpec};
use serde::Serialize;

pub use choice::{Choice, Interval, NONE};
pub use findings::findings;

use crate::comparison::Contrasts;
use crate::effect::share_of_tail;
use crate::mix::MEASUREMENT;
use crate::survey::{System, of_no_duration};

/// The choices that were tried for one mix on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestEffort {
    /// Name of the machine.
    pub system: String,
    /// Members with a rate, fastest first.
    pub rates: Vec<String>,
    /// Unit in which the work is counted.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["steps", "mass updates"])))]
    pub unit: String,
    /// Share of samples below the end of the tail that is compared; null if the runs are too short.
    pub tail_share: Option<f64>,
    /// Number of figures compared.
    pub comparisons: usize,
    /// Confidence of the intervals, adjusted for the number of comparisons.
    pub confidence: f64,
    /// Ways to schedule the work: `none` first, then by increasing work.
    pub choices: Vec<Choice>,
}

/// Returns the mixes of a machine that ran both without and with best-effort work.
pub fn best_effort_of_mixes(system: &System) -> Vec<BestEffort> {
    let mut kinds: BTreeMap<String, Runs> = BTreeMap::new();
    let mixes = system.outcomes.iter();
    for run in mixes.filter(|run| run.header.spec.measurement == MEASUREMENT) {
        let runs = kinds.entry(identity(&run.header.spec)).or_default();
        runs.entry(choice::name(&run.header.spec)).or_default().push(run);
    }
    kinds.into_values().filter_map(|runs| of_kind(system, runs)).collect()
}

type Runs<'a> = BTreeMap<String, Vec<&'a Outcome>>;

/// Returns a key that is equal for mixes that differ only in best-effort work and duration.
fn identity(spec: &RunSpec) -> String {
    let mut spec = of_no_duration(spec);
    spec.members.retain(|member| !member.best_effort);
    for run in spec.members.iter_mut().map(|member| &mut member.run) {
        run.asked.duration = Nanos(0);
        run.parameters.set_steps(0);
    }
    spec.asked.cpus = CpuSet::default();
    spec.files.clear();
    spec.key()
}

/// Returns `None` without a choice, or without runs that have no best-effort work.
fn of_kind(system: &System, mut runs: Runs) -> Option<BestEffort> {
    let without = runs.remove(NONE)?;
    let spec = &without.first()?.header.spec;
    let rates = rates(spec);
    let unit = runs.values().flatten().map(|run| choice::unit(&run.header.spec)).max()?;
    let fastest = rates.first()?;
    let named = [(NONE.to_owned(), without)].into_iter().chain(runs);
    let mut systems: Vec<System> =
        named.filter_map(|(name, runs)| System::named(name, runs)).collect();
    for system in &mut systems {
        // Best-effort work affects the highest rate most.
        system.series.retain(|series| series.label == fastest);
    }
    let contrasts = Contrasts::of_neighbours(&systems, "cpus");
    let rows = contrasts.pairs.iter().map(|pair| pair.rows.first());
    let choices = systems.iter().zip([None].into_iter().chain(rows));
    let choice = |(system, row)| Choice::of(system, row, systems.len());
    let mut choices: Vec<Choice> = choices.map(choice).collect();
    choices[1..].sort_by(|a, b| a.throughput().total_cmp(&b.throughput()));
    Some(BestEffort {
        system: system.name.clone(),
        rates,
        unit: unit.to_owned(),
        tail_share: share_of_tail(systems.iter().flat_map(|system| &system.series)),
        comparisons: contrasts.comparisons,
        confidence: contrasts.confidence(),
        choices,
    })
}

fn rates(spec: &RunSpec) -> Vec<String> {
    let mut paced = Vec::from_iter(spec.members.iter().filter(|member| !member.best_effort));
    paced.sort_by_key(|member| member.run.parameters.rate_period());
    paced.iter().map(|member| member.name.clone()).collect()
}
