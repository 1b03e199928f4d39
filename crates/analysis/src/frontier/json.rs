//! Frontiers as JSON.

use serde::Serializer;
use serde_json::{Value, json as value};
use stats::frontier::Criterion;

use super::Frontier;
use crate::capacity::{End, Line, Size, conditions};
use crate::held::{Held, name};

/// Every frontier that several sizes tell of.
///
/// # Errors
/// Those of the serializer.
pub fn searched<S: Serializer>(all: &[Frontier], serializer: S) -> Result<S::Ok, S::Error> {
    let searched = all.iter().filter(|frontier| frontier.is_searched());
    serializer.collect_seq(searched.map(one))
}

fn one(frontier: &Frontier) -> Value {
    let lines = frontier.grid.lines.iter();
    value!({
        "machine_id": frontier.grid.machine_id,
        "rate_hz": 1e9 / frontier.period().0 as f64,
        "model": frontier.grid.spec.parameters.word("model"),
        "conditions": conditions(frontier.grid.spec),
        "strictness": frontier.strictness,
        "most_missed": frontier.demand(Criterion::InDeadlines).most,
        "held_for_ns": frontier.limits.held_for.0.0,
        "lines": lines.map(|line| of_line(frontier, line)).collect::<Value>(),
    })
}

fn of_line(frontier: &Frontier, line: &Line) -> Value {
    let ends = |criterion| {
        let ends = frontier.ends(line, criterion);
        let end = |end: Option<End>| {
            end.map(|End { size, shown }| value!({ "masses": size, "shown": shown }))
        };
        value!({
            "held": end(ends.held()),
            "missed": end(ends.missed()),
            "held_above": ends.shown.held_above,
        })
    };
    let size = |(count, size): (&u64, &Size)| of_size(frontier, line, *count, size);
    value!({
        "threads": line.threads,
        "frontier": ends(Criterion::InDeadlines),
        "but_for_platform": ends(Criterion::ButForPlatform),
        "steps_fit": ends(Criterion::InSteps),
        "sizes": line.sizes.iter().map(size).collect::<Value>(),
    })
}

fn of_size(frontier: &Frontier, line: &Line, count: u64, size: &Size) -> Value {
    let Held {
        tries,
        bound,
        standing,
    } = frontier.held(line, size);
    let [p99, worst] = size.headroom_ns(frontier.period());
    value!({
        "masses": count,
        "runs": tries.runs,
        "due": tries.due,
        "missed": tries.missed,
        "missed_while_platform_stood_still": size.excused,
        "steps": size.steps.due,
        "steps_overran": size.steps.missed,
        "standing": name(standing),
        "rate_lower": bound.lower,
        "rate_upper": bound.upper,
        "runs_differ": tries.runs_differ(),
        "bad_runs_upper": tries.bad_runs(line.claims()),
        "headroom_p99_ns": p99,
        "headroom_worst_ns": worst,
        "steal_ns": size.steal_ns,
    })
}
