//! Frontiers as JSON.

use plan::Axis;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json as value};
use stats::frontier::{Criterion, Demands, claims};

use super::Frontier;
use crate::capacity::{End, Line, Size};
use crate::fields::properties;
use crate::held::{Held, name};
use crate::map::{Edges, PROPERTIES, Property, best_threads};
use crate::standards::Strictness;
use crate::survey;

/// The maps of all sizes, and every frontier that several sizes define.
#[derive(Serialize)]
struct Searches {
    maps: Vec<Value>,
    frontiers: Vec<Value>,
}

pub(crate) fn json<S: Serializer>(all: &[Frontier], serializer: S) -> Result<S::Ok, S::Error> {
    let frontiers = all.iter().filter(|frontier| frontier.is_searched()).map(one).collect();
    Searches { maps: all.iter().map(map).collect(), frontiers }.serialize(serializer)
}

fn map(frontier: &Frontier) -> Value {
    let Frontier { grid, limits, many, .. } = frontier;
    let (edges, lines) = (frontier.edges(), grid.lines.iter());
    let mut map = value!(**grid);
    map["soft_share"] = value!(limits.soft.share());
    map["many_share"] = value!(many.share());
    map["thresholds"] = edges.iter().map(|row| threshold(&grid.axis, row)).collect();
    map["best_threads"] = named(|property| value!(best_threads(&edges, property.of)));
    map["cells"] = lines.flat_map(|line| cells(frontier, line)).collect();
    map
}

fn named(of: impl Fn(&Property) -> Value) -> Value {
    PROPERTIES.iter().map(|property| (property.name, of(property))).collect()
}

fn threshold(axis: &Axis, row: &Edges) -> Value {
    let size = |property: &Property| value!((property.of)(row).map(|(size, _)| number(axis, size)));
    let mut threshold = named(size);
    threshold["threads"] = value!(row.threads);
    threshold["sizes"] = value!(row.sizes);
    threshold["sizes_missed"] = value!(row.missed);
    threshold["sizes_recovered"] = value!(row.recovered);
    threshold["band_width"] = value!(row.band_width());
    threshold
}

fn cells(frontier: &Frontier, line: &Line) -> Vec<Value> {
    let limits = &frontier.limits;
    let cell = |(count, size): (&u64, &Size)| {
        let demand = limits.demand(Strictness::Hard, frontier.grid.period(*count));
        let held = line.held(size, Criterion::InDeadlines, demand);
        let mut cell = told(&frontier.grid.axis, *count);
        cell.extend(properties(&value!({
            "threads": line.threads,
            "runs": held.tries.runs,
            "due": held.tries.due,
            "missed": held.tries.missed,
            "shown_to_hold": held.is_shown(),
        })));
        Value::from(cell)
    };
    line.sizes.iter().map(cell).collect()
}

fn one(frontier: &Frontier) -> Value {
    let (grid, lines) = (&frontier.grid, frontier.grid.lines.iter());
    let spec = grid.spec;
    let is_tire = grid.axis == Axis::Masses;
    let usual = grid.axis.place(spec);
    let mut told = value!({
        "machine_id": grid.machine_id,
        "rate_hz": grid.rate().map(|_| 1e9 / grid.period(usual).0 as f64),
        "model": if is_tire { spec.parameters.model().to_owned() } else { grid.model() },
        "conditions": grid.conditions(),
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
                let mut end = told(axis, size);
                end.insert("shown".to_owned(), value!(shown));
                end
            })
        };
        let above = ends.shown.held_above.iter().map(|size| number(axis, *size));
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
    let figures = value!({
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
        "bad_runs_upper": tries.bad_runs(claims(line.tried())),
        "headroom_p99_ns": p99,
        "headroom_worst_ns": worst,
        "steal_ns": survey::steal_ns(size.runs.iter().copied()).seen(),
    });
    let mut size = told(&frontier.grid.axis, count);
    size.extend(properties(&figures));
    size
}

/// A place under the name of its axis: `masses` of a tire, else `value`.
fn told(axis: &Axis, place: u64) -> Map<String, Value> {
    let name = if *axis == Axis::Masses { "masses" } else { "value" };
    Map::from_iter([(name.to_owned(), number(axis, place))])
}

fn number(axis: &Axis, place: u64) -> Value {
    match axis {
        Axis::Setting(_) => value!(axis.number(place)),
        _ => value!(place),
    }
}
