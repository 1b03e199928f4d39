//! Frontiers as JSON.

use plan::Axis;
use serde::Serializer;
use serde_json::{Map, Value, json as value};
use stats::frontier::{Criterion, Demands};

use super::Frontier;
use crate::capacity::{End, Line, Size, conditions};
use crate::held::{Held, name};
use crate::place;

/// Serializes every frontier that several sizes define.
///
/// # Errors
/// Returns the serializer's errors.
pub fn searched<S: Serializer>(all: &[Frontier], serializer: S) -> Result<S::Ok, S::Error> {
    let searched = all.iter().filter(|frontier| frontier.is_searched());
    serializer.collect_seq(searched.map(one))
}

fn one(frontier: &Frontier) -> Value {
    let (grid, lines) = (&frontier.grid, frontier.grid.lines.iter());
    let spec = grid.spec;
    let is_tire = grid.axis == Axis::Masses;
    let usual = grid.axis.place(spec);
    let mut told = value!({
        "machine_id": grid.machine_id,
        "rate_hz": grid.rate().map(|_| 1e9 / grid.period(usual).0 as f64),
        "model": match is_tire {
            true => spec.parameters.word("model").to_owned(),
            false => grid.model(),
        },
        "conditions": conditions(spec),
        "strictness": frontier.strictness,
        "most_missed": frontier.demands().of(usual).most,
        "held_for_ns": frontier.limits.held_for.0.0,
        "lines": lines.map(|line| of_line(frontier, line)).collect::<Value>(),
    });
    if !is_tire {
        told["over"] = value!(grid.axis);
    }
    told
}

fn of_line(frontier: &Frontier, line: &Line) -> Value {
    let axis = &frontier.grid.axis;
    let ends = |criterion| {
        let ends = frontier.ends(line, criterion);
        let end = |end: Option<End>| {
            end.map(|End { size, shown }| {
                let mut end = place::told(axis, size);
                end.insert("shown".to_owned(), value!(shown));
                end
            })
        };
        let above = ends.shown.held_above.iter();
        let above = above.map(|size| place::number(axis, *size));
        value!({
            "held": end(ends.held()),
            "missed": end(ends.missed()),
            "held_above": above.collect::<Value>(),
        })
    };
    let size = |(count, size): (&u64, &Size)| Value::from(of_size(frontier, line, *count, size));
    value!({
        "threads": line.threads,
        "frontier": ends(Criterion::InDeadlines),
        "but_for_platform": ends(Criterion::ButForPlatform),
        "steps_fit": ends(Criterion::InSteps),
        "sizes": line.sizes.iter().map(size).collect::<Value>(),
    })
}

fn of_size(frontier: &Frontier, line: &Line, count: u64, size: &Size) -> Map<String, Value> {
    let Held { tries, bound, standing } = frontier.held(line, count);
    let [p99, worst] = size.headroom_ns(frontier.grid.period(count));
    let told = value!({
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
    });
    let mut size = place::told(&frontier.grid.axis, count);
    size.extend(told.as_object().cloned().unwrap_or_default());
    size
}
