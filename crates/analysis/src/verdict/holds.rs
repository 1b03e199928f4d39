//! What a machine holds: one function a sentence or two, in the order of the
//! table.

use plan::fact;
use stats::frontier::Criterion;

use super::frames;
use crate::best_effort;
use crate::capacity::{self, Line, SIMULATED_STEPS};
use crate::frontier::Frontier;
use crate::mix;
use crate::own_model;
use crate::real_time::{RealTime, misses};
use crate::standards::Limits;
use crate::survey::{Series, System, loads};
use crate::words;

type Sentences = fn(&System, &Limits) -> Vec<String>;

const HOLDS: &[Sentences] = &[
    |system, _| real_fast_tire(system),
    own_models,
    frames::held,
    |system, _| wakeups(system),
    |system, _| interrupts(system),
    |system, _| switches(system),
    |system, _| locks(system),
    |system, _| mixes(system),
];

/// Everything that the valid runs of a machine show it to hold.
pub(super) fn of(system: &System, frontiers: &[&Frontier], limits: &Limits) -> Vec<String> {
    let of_sizes = frontiers.iter().filter(|one| one.grid.is_of_sizes());
    let sizes = of_sizes.map(|frontier| held(frontier));
    let others = HOLDS.iter().flat_map(|holds| holds(system, limits));
    sizes.chain(others).collect()
}

/// What the frontier of hard real time says: what is shown to hold on the threads that hold
/// most, what was tried beyond it, and the other numbers of threads.
fn held(frontier: &Frontier) -> String {
    let Some((best, ends)) = frontier.best() else {
        return nothing_met(frontier);
    };
    let place = format!("{}on {}", at_rate(frontier), of_threads(best.threads));
    let conditions = frontier.grid.conditions();
    let counted = |size| counted(frontier, best, size, "steps");
    let mut sentence = match (ends.shown.held, ends.so_far.held.unwrap_or_default()) {
        (Some(size), _) => format!(
            "Holds {} {place} ({conditions}): {} in {}; {}.",
            frontier.grid.size_in_words(size),
            counted(size),
            words::counted(best.sizes[&size].deadlines.runs as usize, "run"),
            beyond(frontier, best, size),
        ),
        (None, tried) => format!(
            "No {} of the {} is shown to hold {place} ({conditions}): {}; {}.",
            frontier.grid.axis.noun(),
            frontier.grid.spec.measurement,
            of_size(frontier, best, tried, "steps"),
            beyond(frontier, best, tried),
        ),
    };
    for other in frontier.grid.lines.iter().filter(|l| l.threads != best.threads) {
        let ends = frontier.ends(other, Criterion::InDeadlines);
        let size = match (ends.shown.held, ends.so_far.held) {
            (Some(size), _) => format!("{} hold", frontier.grid.size_in_words(size)),
            (None, Some(size)) => of_size(frontier, other, size, "steps"),
            (None, None) => format!("no measured {}", frontier.grid.axis.noun()),
        };
        sentence.push_str(&format!(" On {}: {size}.", of_threads(other.threads)));
    }
    sentence
}

fn nothing_met(frontier: &Frontier) -> String {
    let smallest = |line: &Line| {
        let size = *line.sizes.keys().next()?;
        let counted = of_size(frontier, line, size, "steps");
        Some(format!(": {counted} on {}", of_threads(line.threads)))
    };
    format!(
        "Holds no measured {} of the {} {}({}){}.",
        frontier.grid.axis.noun(),
        frontier.grid.spec.measurement,
        at_rate(frontier),
        frontier.grid.conditions(),
        frontier.grid.lines.iter().find_map(smallest).unwrap_or_default()
    )
}

/// What was tried above a size: the largest without a miss, and the first with one.
fn beyond(frontier: &Frontier, line: &Line, size: u64) -> String {
    let edge = line.first_miss();
    let told = edge.held.filter(|clean| *clean > size).into_iter().chain(edge.missed);
    let told: Vec<String> = told.map(|size| of_size(frontier, line, size, "")).collect();
    match told.as_slice() {
        [] => match frontier.grid.axis.size() {
            Some(_) => "no larger size was measured".to_owned(),
            None => "nothing beyond was measured".to_owned(),
        },
        told => told.join("; "),
    }
}

/// `57 000 masses missed none of 200 steps (fewer than 1 in 67)`.
fn of_size(frontier: &Frontier, line: &Line, size: u64, steps: &str) -> String {
    let counted = counted(frontier, line, size, steps);
    format!("{} {counted}", frontier.grid.size_in_words(size))
}

fn counted(frontier: &Frontier, line: &Line, size: u64, steps: &str) -> String {
    frontier.held(line, size).counted(steps)
}

/// `at 100 Hz ` where all sizes have that rate.
fn at_rate(frontier: &Frontier) -> String {
    let rate = frontier.grid.rate();
    rate.map_or_else(String::new, |rate| format!("at {rate} "))
}

fn of_threads(threads: u64) -> String {
    words::counted(threads as usize, "thread")
}

fn real_fast_tire(system: &System) -> Vec<String> {
    let speed = |series: &&Series| series.mean(&fact::MASS_UPDATES_PER_S).unwrap_or(0.0);
    let fastest = system
        .of("tire")
        .filter(|series| !capacity::is_real_time(series) && speed(series) > 0.0)
        .max_by(|one, other| speed(one).total_cmp(&speed(other)));
    let sentence = |series: &Series| {
        let masses = series.count(&fact::MASSES);
        let speed = speed(&series);
        format!(
            "Computed up to {} mass updates a second ({} masses on {}, {} solver): 60 s of that \
             tire take {}.",
            words::quantity(speed),
            words::grouped(masses),
            of_threads(series.count(&fact::THREADS)),
            series.spec.parameters.word("solver"),
            words::time(masses as f64 * SIMULATED_STEPS / speed * 1e9),
        )
    };
    fastest.into_iter().map(sentence).collect()
}

/// What the deadlines of each of a person's own models came to, and what became of its steps.
fn own_models(system: &System, limits: &Limits) -> Vec<String> {
    let sentence = |series: &Series| {
        let held = RealTime::of_series(series, limits)?;
        let remarks = own_model::remarks(series).into_iter();
        let remarks = remarks.filter(|(name, _)| *name != own_model::STEP);
        let remarks = remarks.map(|(name, words)| format!(" {name}: {words}."));
        Some(format!(
            "{} at {}: {}.{}",
            own_model::name(series),
            words::value(series.spec.parameters.get("rate")?),
            held.words(),
            remarks.collect::<String>()
        ))
    };
    let own = system.of(own_model::MEASUREMENT);
    own.filter_map(sentence).collect()
}

/// One sentence a policy, on the conditions under which it did worst.
fn wakeups(system: &System) -> Vec<String> {
    let mut worst: Vec<&Series> = Vec::new();
    let max = |series: &Series| series.latency.as_ref().map(|l| l.max.value_ns);
    for series in system.of("wakeup").filter(|s| s.headline && s.latency.is_some()) {
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
        "A thread under `{}` that asked for {} woke within {} in {cases}; worst {}, {} after the \
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

/// Interrupts that did not reach their thread in time.
fn interrupts(system: &System) -> Vec<String> {
    let is_part = |series: &&Series| series.label.contains(": ");
    let all = system.of("interrupt").filter(|series| !is_part(series));
    all.filter_map(|series| {
        let missed = misses(series).filter(|missed| *missed > 0)?;
        Some(format!(
            "`interrupt`, {} ({}): {} of {} were missed.",
            words::label(series.label),
            series.conditions(&[]),
            words::grouped(missed),
            words::counted(series.due() as usize, "interrupt"),
        ))
    })
    .collect()
}

fn switches(system: &System) -> Vec<String> {
    let tests = ["task_switch", "preemption", "semaphore_shuffle"];
    let figures: Vec<String> = tests
        .iter()
        .filter_map(|test| {
            let series = system.of(test).find(|s| s.headline && s.latency.is_some())?;
            let latency = series.latency.as_ref()?;
            let (average, worst) = (latency.mean_ns(), latency.max.value_ns as f64);
            let name = test.replace('_', " ");
            Some(format!("{name} {} ({})", words::time(average), words::time(worst)))
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
        let lock = format!("`{}`", series.word(&fact::LOCK));
        if series.any(&fact::VULNERABLE) == Some(false) && !safe.contains(&lock) {
            safe.push(lock);
        }
    }
    match safe.as_slice() {
        [] => Vec::new(),
        safe => vec![format!(
            "No priority inversion was seen with {}: no medium-priority thread held a \
             high-priority one up.",
            words::listed(safe)
        )],
    }
}

/// How much best-effort work fits where that was tried, else what each mix of models missed.
fn mixes(system: &System) -> Vec<String> {
    let tried = best_effort::of(system);
    if !tried.is_empty() {
        return tried.iter().map(best_effort::verdict).collect();
    }
    let all = mix::of(&system.outcomes);
    let valid = all.iter().filter(|mix| mix.valid);
    let told = valid.map(|mix| {
        let names = mix.members.iter().map(|member| member.name.clone());
        let names: Vec<String> = names.collect();
        format!("A mix of {}: {}", words::listed(&names), mix::verdict(mix))
    });
    told.collect()
}
