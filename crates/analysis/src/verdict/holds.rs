//! What a machine holds: one function for each kind of finding, in the order of the results.

use record::fact;
use stats::frontier::Criterion;

use super::frames;
use crate::capacity::{self, Line, SIMULATED_STEPS};
use crate::finding::{AboutCapacity, AboutDeadlines, Finding, Met, Size, Sizes};
use crate::frontier::Frontier;
use crate::lists::{each_once, groups};
use crate::real_time::{RealTime, misses};
use crate::services::services;
use crate::standards::Limits;
use crate::survey::{Series, System, loads};
use crate::{best_effort, mix, own_model, words};

pub(super) fn what_holds(
    system: &System,
    frontiers: &[&Frontier],
    limits: &Limits,
) -> Vec<Finding> {
    let of_sizes = frontiers.iter().filter(|frontier| frontier.grid.is_shown_by_size());
    let mut found: Vec<Finding> = of_sizes.map(|frontier| sizes(frontier)).collect();
    found.extend(fastest_tire(system));
    found.extend(own_models(system, limits));
    found.extend(frames::held(system, limits));
    found.extend(wakeups(system));
    found.extend(interrupts(system));
    found.extend(switches(system));
    found.extend(locks(system));
    found.extend(mixes(system));
    found
}

/// What holds on the best number of threads, what was tried beyond it, and the others.
fn sizes(frontier: &Frontier) -> Finding {
    let grid = &frontier.grid;
    let of = Sizes {
        measurement: grid.spec.measurement.clone(),
        noun: grid.axis.noun(),
        rate: grid.rate(),
        conditions: grid.conditions(),
    };
    let Some((line, ends)) = frontier.best() else {
        let smallest = |line: &Line| Some(size(frontier, line, *line.sizes.keys().next()?, false));
        return Finding::Capacity(AboutCapacity::NoSize {
            of,
            smallest: grid.lines.iter().find_map(smallest),
        });
    };
    let shown = ends.shown.held.is_some();
    let held = ends.shown.held.or(ends.so_far.held).unwrap_or_default();
    let edge = line.first_miss();
    let beyond = edge.held.filter(|clean| *clean > held).into_iter().chain(edge.missed);
    let others = grid.lines.iter().filter(|other| other.threads != line.threads).map(|other| {
        let ends = frontier.ends(other, Criterion::InDeadlines);
        match ends.held() {
            Some(end) => size(frontier, other, end.size, end.shown),
            None => Size { threads: other.threads, size: None, shown: false, met: None },
        }
    });
    Finding::Capacity(AboutCapacity::Sizes {
        best: size(frontier, line, held, shown),
        shown,
        beyond: beyond.map(|beyond| size(frontier, line, beyond, false)).collect(),
        others: others.collect(),
        of,
    })
}

fn size(frontier: &Frontier, line: &Line, size: u64, shown: bool) -> Size {
    Size {
        threads: line.threads,
        size: Some(frontier.grid.size_in_words(size)),
        shown,
        met: Some(Met::from(&frontier.held(line, size))),
    }
}

fn fastest_tire(system: &System) -> Option<Finding> {
    let finding = |(updates_per_s, series): (f64, &Series)| {
        let masses = series.count(&fact::MASSES);
        Finding::Capacity(AboutCapacity::FastestTire {
            updates_per_s,
            masses,
            threads: series.count(&fact::THREADS),
            solver: series.spec.parameters.solver().to_owned(),
            takes_ns: masses as f64 * SIMULATED_STEPS / updates_per_s * 1e9,
        })
    };
    capacity::fastest_tire(system).map(finding)
}

fn own_models(system: &System, limits: &Limits) -> Vec<Finding> {
    let all: Vec<&Series> = system.of(own_model::MEASUREMENT).collect();
    let finding = |series: &&Series| {
        let real_time = RealTime::of_series(series, limits)?;
        Some(Finding::Deadlines(AboutDeadlines::OwnModel {
            model: own_model::name_among(&all, series),
            rate: words::value(series.spec.parameters.get("rate")?),
            met: Met::from(&real_time.held),
            period_ns: real_time.period.0,
        }))
    };
    all.iter().filter_map(finding).collect()
}

/// Reports the conditions with the worst wake-up, for each policy.
fn wakeups(system: &System) -> Vec<Finding> {
    let timed = system.headlines("wakeup").filter(|series| series.latency.is_some());
    let groups = groups(timed, |a, b| a.spec.asked.policy == b.spec.asked.policy);
    // Of equal ones, the first.
    let worst = groups.iter().filter_map(|alike| alike.iter().rev().max_by_key(|s| s.max_ns()));
    worst.filter_map(|series| wakeup(series)).collect()
}

fn wakeup(series: &Series) -> Option<Finding> {
    let latency = series.latency.as_ref()?;
    let asked = &series.spec.asked;
    let share = match latency.count() {
        1000.. => 0.999,
        100..1000 => 0.99,
        _ => 1.0,
    };
    Some(Finding::Deadlines(AboutDeadlines::WorstWakeup {
        policy: asked.policy.to_string(),
        period_ns: series.spec.parameters.period().0,
        loads: loads(asked),
        samples: latency.count(),
        share,
        within_ns: latency.quantile_ns(share),
        worst_ns: latency.max.value_ns,
        worst_at_ns: latency.max.at_ns,
        skipped: series.skipped(),
        due: series.due(),
    }))
}

fn interrupts(system: &System) -> Vec<Finding> {
    let is_part = |series: &&Series| series.label.contains(": ");
    let all = system.of("interrupt").filter(|series| !is_part(series));
    let finding = |series: &Series| {
        Some(Finding::Deadlines(AboutDeadlines::InterruptsMissed {
            source: words::label(series.label),
            conditions: series.conditions(&[]),
            missed: misses(series).filter(|missed| *missed > 0)?,
            due: series.due(),
        }))
    };
    all.filter_map(finding).collect()
}

fn switches(system: &System) -> Option<Finding> {
    let times = |(name, series): (String, &Series)| {
        let latency = series.latency.as_ref()?;
        Some((name, latency.mean_ns(), latency.max.value_ns as f64))
    };
    let services: Vec<_> = services(system).filter_map(times).collect();
    (!services.is_empty()).then_some(Finding::Deadlines(AboutDeadlines::ServiceTimes { services }))
}

fn locks(system: &System) -> Option<Finding> {
    let series = system.of("priority_inversion");
    let safe = series.filter(|series| series.any(&fact::VULNERABLE) == Some(false));
    let locks = each_once(safe.map(|series| series.word(&fact::LOCK).to_owned()));
    (!locks.is_empty()).then_some(Finding::Deadlines(AboutDeadlines::NoInversion { locks }))
}

/// Empty if best-effort work was tried, which has separate findings.
fn mixes(system: &System) -> Vec<Finding> {
    if !best_effort::best_effort_of_mixes(system).is_empty() {
        return Vec::new();
    }
    let all = mix::mix_results(&system.outcomes);
    let valid = all.iter().filter(|mix| mix.valid);
    let finding = |mix: &mix::Mix| {
        Finding::Deadlines(AboutDeadlines::MixResult {
            members: mix.paced().map(|member| member.name.clone()).collect(),
            missed: mix.paced().map(|member| member.missed).sum(),
            due: mix.paced().map(|member| member.due).sum(),
        })
    };
    valid.map(finding).collect()
}
