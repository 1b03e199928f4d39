//! What a machine holds: one function a sentence or two, in the order of the
//! table.

use super::frames;
use crate::capacity::{self, Cell, Grid, SIMULATED_STEPS, Threshold};
use crate::survey::{Series, System, loads};
use crate::words;

const HOLDS: &[fn(&System) -> Vec<String>] = &[
    real_time_tire,
    real_fast_tire,
    frames::held,
    wakeups,
    switches,
    locks,
];

/// Everything that the valid runs of a machine show it to hold.
pub(super) fn of(system: &System) -> Vec<String> {
    HOLDS.iter().flat_map(|holds| holds(system)).collect()
}

fn real_time_tire(system: &System) -> Vec<String> {
    capacity::grids(system).iter().map(held).collect()
}

fn held(grid: &Grid) -> String {
    let thresholds = grid.thresholds();
    let best = thresholds
        .iter()
        .filter(|threshold| threshold.held.is_some())
        .max_by_key(|threshold| threshold.held.map(|(masses, _)| masses));
    let (rate, conditions) = (grid.rate(), grid.conditions());
    let Some(best) = best else {
        let first = thresholds.iter().find_map(|t| Some((t.threads, t.missed?)));
        let what = first.map_or_else(String::new, |(threads, (masses, cell))| {
            format!(": {} on {}", missed(masses, cell), of_threads(threads))
        });
        return format!("Holds no measured size of the tire at {rate} ({conditions}){what}.");
    };
    let (masses, cell) = best.held.unwrap_or_default();
    let mut sentence = format!(
        "Holds {} masses at {rate} on {} ({conditions}): no deadline missed in {}; {}.",
        words::grouped(masses),
        of_threads(best.threads),
        words::counted(cell.due as usize, "step"),
        beyond(best),
    );
    for other in thresholds.iter().filter(|t| t.threads != best.threads) {
        let size = match other.held {
            Some((masses, _)) => format!("{} masses", words::grouped(masses)),
            None => "no measured size".to_owned(),
        };
        sentence.push_str(&format!(" On {}: {size}.", of_threads(other.threads)));
    }
    sentence
}

fn beyond(threshold: &Threshold) -> String {
    match threshold.missed {
        Some((masses, cell)) => missed(masses, cell),
        None => "no larger size was measured".to_owned(),
    }
}

fn missed(masses: u64, cell: Cell) -> String {
    let (masses, due) = (words::grouped(masses), words::grouped(cell.due));
    format!(
        "{masses} masses missed {} of {due}",
        words::grouped(cell.missed)
    )
}

fn of_threads(threads: u64) -> String {
    words::counted(threads as usize, "thread")
}

fn real_fast_tire(system: &System) -> Vec<String> {
    let speed = |series: &&Series| series.mean("mass_updates_per_s").unwrap_or(0.0);
    let fastest = system
        .of("tire")
        .filter(|series| !capacity::is_real_time(series) && speed(series) > 0.0)
        .max_by(|one, other| speed(one).total_cmp(&speed(other)));
    let sentence = |series: &Series| {
        let masses = series.count("masses");
        let speed = speed(&series);
        format!(
            "Computes up to {} mass updates a second ({} masses on {}, {} solver): 60 s of that \
             tire take {}.",
            words::quantity(speed),
            words::grouped(masses),
            of_threads(series.count("threads")),
            series.spec.parameters.word("solver"),
            words::time(masses as f64 * SIMULATED_STEPS / speed * 1e9),
        )
    };
    fastest.into_iter().map(sentence).collect()
}

/// One sentence a policy, on the conditions under which it did worst.
fn wakeups(system: &System) -> Vec<String> {
    let mut worst: Vec<&Series> = Vec::new();
    let max = |series: &Series| series.latency.as_ref().map(|l| l.max.value_ns);
    for series in system
        .of("wakeup")
        .filter(|s| s.headline && s.latency.is_some())
    {
        let policy = series.spec.asked.policy;
        match worst.iter_mut().find(|s| s.spec.asked.policy == policy) {
            Some(so_far) if max(so_far) < max(series) => *so_far = series,
            Some(_) => {}
            None => worst.push(series),
        }
    }
    worst.into_iter().filter_map(wakeup).collect()
}

fn wakeup(series: &Series) -> Option<String> {
    let latency = series.latency.as_ref()?;
    let asked = &series.spec.asked;
    let (share, cases) = most_cases(latency.count());
    let skipped = match series.skipped() {
        0 => String::new(),
        skipped => format!(
            "; {} of {} periods were skipped",
            words::grouped(skipped),
            words::grouped(series.due())
        ),
    };
    Some(format!(
        "A thread under `{}` that asks for {} wakes within {} in {cases}; worst {}, {} after the \
         start ({}){skipped}.",
        asked.policy,
        words::time(series.spec.parameters.time("period").0 as f64),
        words::time(latency.quantile_ns(share) as f64),
        words::time(latency.max.value_ns as f64),
        words::time(latency.max.at_ns as f64),
        loads(asked),
    ))
}

/// The highest share that so many samples support, with its words.
fn most_cases(samples: u64) -> (f64, String) {
    match samples {
        1000.. => (0.999, "999 of 1000 cases".to_owned()),
        100..1000 => (0.99, "99 of 100 cases".to_owned()),
        _ => (1.0, format!("all {samples} cases")),
    }
}

fn switches(system: &System) -> Vec<String> {
    let tests = ["task_switch", "preemption", "semaphore_shuffle"];
    let figures: Vec<String> = tests
        .iter()
        .filter_map(|test| {
            let series = system
                .of(test)
                .find(|s| s.headline && s.latency.is_some())?;
            let latency = series.latency.as_ref()?;
            let (average, worst) = (latency.mean_ns(), latency.max.value_ns as f64);
            let name = test.replace('_', " ");
            Some(format!(
                "{name} {} ({})",
                words::time(average),
                words::time(worst)
            ))
        })
        .collect();
    match figures.as_slice() {
        [] => Vec::new(),
        figures => vec![format!("Average (and worst): {}.", words::listed(figures))],
    }
}

fn locks(system: &System) -> Vec<String> {
    let mut safe: Vec<String> = Vec::new();
    for series in system.of("priority_inversion") {
        let lock = format!("`{}`", series.word("lock"));
        if series.any("vulnerable") == Some(false) && !safe.contains(&lock) {
            safe.push(lock);
        }
    }
    match safe.as_slice() {
        [] => Vec::new(),
        safe => vec![format!(
            "No priority inversion with {}: a medium-priority thread does not hold up a \
             high-priority one.",
            words::listed(safe)
        )],
    }
}
