//! Validity of results: what this number of samples, on this machine, can show.

use base::Observed;
use record::fact;

use crate::finding::{AboutDeadlines, AboutMachine, Finding};
use crate::frontier::Frontier;
use crate::standards::Limits;
use crate::survey::{System, steal_ns};
use crate::{clock, self_test};

pub(super) fn notes_on_reach(
    system: &System,
    frontiers: &[&Frontier],
    limits: &Limits,
) -> Vec<Finding> {
    let found = [
        self_test::tested(system),
        span(system),
        fewest_wakeups(system),
        fewest_steps(frontiers, limits),
        stamp_cost(system),
        steal_hidden(system),
    ];
    found.into_iter().flatten().collect()
}

/// Returns what applies to any measurement, once there is one.
pub(super) fn always(runs: usize) -> Vec<Finding> {
    let all = [AboutMachine::WorstMayBeWorse, AboutMachine::Exactness].into_iter();
    all.filter(|_| runs > 0).map(Finding::Machine).collect()
}

fn span(system: &System) -> Option<Finding> {
    let starts = || system.outcomes.iter().filter_map(|run| run.header.known_start_unix_ns());
    let (runs, invalid) = (system.outcomes.len(), system.invalid().count());
    let (first_unix_ns, last_unix_ns) = (starts().min()?, starts().max()?);
    Some(Finding::Deadlines(AboutDeadlines::Span { runs, invalid, first_unix_ns, last_unix_ns }))
}

fn fewest_wakeups(system: &System) -> Option<Finding> {
    let samples = system.headlines("wakeup").filter_map(|s| Some(s.latency.as_ref()?.count()));
    Some(Finding::Deadlines(AboutDeadlines::FewestWakeups { samples: samples.min()? }))
}

fn fewest_steps(frontiers: &[&Frontier], limits: &Limits) -> Option<Finding> {
    let lines = frontiers.iter().flat_map(|frontier| &frontier.grid.lines);
    let clean = lines.filter_map(|line| line.sizes.get(&line.first_miss().held?));
    let steps = clean.map(|size| size.deadlines.due).min()?;
    Some(Finding::Deadlines(AboutDeadlines::FewestSteps { steps, to_show: limits.proof() }))
}

fn stamp_cost(system: &System) -> Option<Finding> {
    let series = system.headlines("clock_overhead").next()?;
    let cost_ns = series.mean(&fact::STAMP_COST_NS)?;
    let resolution_ns = series.mean(&fact::RESOLUTION_NS);
    Some(Finding::Machine(AboutMachine::StampCost { cost_ns, resolution_ns }))
}

fn steal_hidden(system: &System) -> Option<Finding> {
    let is_virtual = system.machine.hypervisor.is_some();
    let is_real = !clock::counts_instructions(system.machine);
    let steal_ns = steal_ns(system.valid());
    let is_stolen = is_virtual || matches!(steal_ns, Observed::Seen(1..));
    let is_reported = !matches!(steal_ns, Observed::Hidden(_));
    (is_real && is_stolen).then_some(Finding::Machine(AboutMachine::StealHidden { is_reported }))
}
