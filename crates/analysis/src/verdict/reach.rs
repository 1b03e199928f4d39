//! How far results reach: what so many samples, on this machine, can tell.

use crate::frontier::Frontier;
use crate::self_test;
use crate::standards::Limits;
use crate::survey::{System, steal_ns};
use crate::{clock, words};
use plan::fact;

type Sentence = fn(&System, &[&Frontier], &Limits) -> Option<String>;

const REACH: &[Sentence] = &[
    |system, _, _| self_test::sentence(system),
    |system, _, _| span(system),
    |system, _, _| tails(system),
    |_, frontiers, limits| misses(frontiers, limits),
    |system, _, _| stamps(system),
    |system, _, _| stolen(system),
];

/// What holds for the runs of one machine.
pub(super) fn of(system: &System, frontiers: &[&Frontier], limits: &Limits) -> Vec<String> {
    let told = REACH.iter();
    let told = told.filter_map(|reach| reach(system, frontiers, limits));
    told.collect()
}

/// What holds for any measurement, once there is one.
pub(super) fn always(runs: usize) -> Vec<String> {
    const ALWAYS: [&str; 2] = [
        "The worst case seen is not the worst case possible: it grows with the time measured, and \
         with loads that were not tried.",
        "Averages and extremes are exact. Quantiles come from a histogram and lie at most 0.1 % \
         above the true value; a quantile that no sample exceeds is not shown.",
    ];
    if runs == 0 {
        return Vec::new();
    }
    ALWAYS.map(str::to_owned).to_vec()
}

fn span(system: &System) -> Option<String> {
    let starts = || system.outcomes.iter().map(|o| o.header.started_unix_ns);
    let (first, last) = (starts().min()?, starts().max()?);
    let runs = words::counted(system.outcomes.len(), "run");
    let invalid = system.outcomes.len() - system.valid().count();
    let invalid = match invalid {
        0 => String::new(),
        count => format!(", {count} of them INVALID and not used"),
    };
    if first == last {
        return Some(format!("{runs}{invalid}, started at {}.", words::moment(first)));
    }
    Some(format!(
        "{runs}{invalid}, started within {} of one another from {}: what happens more rarely is \
         not in them.",
        words::time((last - first) as f64),
        words::moment(first),
    ))
}

fn tails(system: &System) -> Option<String> {
    let headlines = system.of("wakeup").filter(|series| series.headline);
    let samples = headlines.filter_map(|s| Some(s.latency.as_ref()?.count()));
    let fewest = samples.min()?;
    Some(format!(
        "Each wake-up figure rests on {} samples or more. What happened in none of them may \
         still, at 95 % confidence, happen in up to {} of cases (rule of three).",
        words::grouped(fewest),
        words::percent(3.0 / fewest as f64),
    ))
}

fn misses(frontiers: &[&Frontier], limits: &Limits) -> Option<String> {
    let lines = frontiers.iter().flat_map(|frontier| &frontier.grid.lines);
    let clean = lines.filter_map(|line| line.sizes.get(&line.first_miss().held?));
    let fewest = clean.map(|size| size.deadlines.due).min()?;
    Some(format!(
        "No miss in {} steps means, at 95 % confidence, that at most {} of steps miss (rule of \
         three), not that none ever does. A size is said to hold where its steps without a miss \
         take {}.",
        words::grouped(fewest),
        words::percent(3.0 / fewest as f64),
        limits.shown_in_words(),
    ))
}

fn stamps(system: &System) -> Option<String> {
    let series = system.of("clock_overhead").find(|s| s.headline)?;
    let cost = words::time(series.mean(&fact::STAMP_COST_NS)?);
    let resolution = match series.mean(&fact::RESOLUTION_NS) {
        Some(ns) => format!(" and tells times {} apart", words::time(ns)),
        None => String::new(),
    };
    Some(format!(
        "One stamp costs {cost}{resolution}. Every latency contains that cost; it is not \
         subtracted."
    ))
}

fn stolen(system: &System) -> Option<String> {
    let virtual_machine = system.machine.hypervisor.is_some();
    if clock::counts_instructions(system.machine) {
        return None;
    }
    (virtual_machine || system.valid().any(|outcome| steal_ns(outcome) > 0)).then(|| {
        "A virtual machine sees stolen time only as the host reports it, often in steps of 10 ms: \
         shorter stalls look like the kernel's own."
            .to_owned()
    })
}
