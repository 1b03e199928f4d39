//! The tire: its speed, and the size that meets every deadline.

use std::collections::BTreeMap;

use analysis::capacity::{self, SIMULATED_NS, SIMULATED_STEPS, is_real_time};
use analysis::phrases::{maybe, some};
use analysis::survey::{Series, System, distinct, on_all};
use analysis::{Analysis, words};
use record::fact;

use crate::document::{Block, Cell, Table, TableOf};
use crate::figure::{self, Curve, Figure};
use crate::sections::measured::Measured;
use crate::sections::metrics::{self, NOT_RECORDED};
use crate::sections::series::{Metric, of_series};

const MEASUREMENT: &str = "tire";

pub(super) const SECTION: Measured = Measured {
    id: "tire",
    title: "The tire: how fast, and which sizes meet their deadlines",
    introduction: "A ring of point masses, spring-dampers between them, falls on a floor; every \
                   step is the same work. Real-fast runs compute as fast as they can; real-time \
                   runs must end each step before the next is due.",
    measurements: &[MEASUREMENT],
    blocks,
};

const REAL_FAST: &[Metric] = &[
    metrics::STEP,
    Metric::Own("60 s simulated, take", |series| {
        Cell::or(simulated_minute(series), NOT_RECORDED, Cell::time)
    }),
    Metric::Own("Faster than time, times", |series| {
        let factor = simulated_minute(series).map(|ns| SIMULATED_NS / ns);
        Cell::or(factor, NOT_RECORDED, Cell::quantity)
    }),
    Metric::Own("Mass updates per second", |series| {
        Cell::or(series.mean(&fact::MASS_UPDATES_PER_S), NOT_RECORDED, |speed| {
            Cell::quantity(speed).titled(words::grouped(speed as u64))
        })
    }),
    Metric::Own("Final state", |series| {
        let hash = series.facts(&fact::STATE_HASH).next();
        let hash = hash.map_or_else(String::new, |hash| hash.to_string().replace('"', ""));
        Cell::number(hash.chars().take(8).collect::<String>(), hash)
    }),
];

/// Measured only where the processor's energy counters can be read.
const ENERGY: Metric = Metric::Own("Energy, nJ a mass update", |series| {
    let microjoules = series.mean(&fact::ENERGY_UJ);
    let updates = series.mean(&fact::MASS_UPDATES_PER_S);
    let seconds = series.mean(&fact::WALL_NS).map(|ns| ns / 1e9);
    let each = microjoules.zip(updates.zip(seconds));
    let each = each.map(|(uj, (updates, seconds))| uj * 1e3 / (updates * seconds));
    Cell::or(each, "not readable", Cell::quantity)
});

/// Returns the nanoseconds for 6000 steps, from the steps that were computed.
fn simulated_minute(series: &Series) -> Option<f64> {
    let steps = series.executed() as f64 / series.rows.len() as f64;
    let wall = series.mean(&fact::WALL_NS).filter(|ns| *ns > 0.0 && steps > 0.0)?;
    Some(wall / steps * SIMULATED_STEPS)
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let (real_time, real_fast): (Vec<_>, Vec<_>) =
        on_all(systems, MEASUREMENT).into_iter().partition(|(_, series)| is_real_time(series));
    let caption = "Real-time runs: when each step ended, counted from the time it was due";
    let table = Block::Table(of_series(caption, &real_time, metrics::DEADLINES)).filled();
    let mut blocks = Vec::from_iter(table);
    let pictures = timelines(&real_time).into_iter();
    let pictures = pictures.chain(figure::real_fast("real-fast", &curves(&real_fast)));
    blocks.extend(pictures.map(Block::Figure));
    let mut metrics = REAL_FAST.to_vec();
    if real_fast.iter().any(|(_, series)| series.mean(&fact::ENERGY_UJ).is_some()) {
        metrics.push(ENERGY);
    }
    let table = of_series("Real-fast runs", &real_fast, &metrics);
    let tables = [table, pacing(&real_time, &real_fast)];
    blocks.extend(Block::all_filled(tables.map(Block::Table)));
    blocks
}

/// Compares the same step run back to back and after its idle time: caches grow cold between paced
/// steps, so real-fast speed does not predict real-time capacity.
fn pacing<'s>(
    real_time: &[(&'s System, &'s Series<'s>)],
    real_fast: &[(&System, &Series)],
) -> Table {
    let key = |(system, series): &(&System, &Series)| {
        let axes = [series.count(&fact::MASSES), series.count(&fact::THREADS)];
        let model = series.spec.parameters.model().to_owned();
        (system.name.clone(), axes, model, capacity::solution(series.spec))
    };
    let row = |paced: &(&'s System, &'s Series<'s>)| {
        let (_, fast) = real_fast.iter().find(|fast| key(fast) == key(paced))?;
        let back_to_back = fast.latency.as_ref()?.mean_ns();
        Some((paced.1, back_to_back, paced.1.mean(&fact::STEP_RUN_NS)?))
    };
    let rows: Vec<(&Series, f64, f64)> = real_time.iter().filter_map(row).collect();
    TableOf::of(&rows)
        .text("Case", |(series, ..)| words::label(series.label))
        .text("Solver", |(series, ..)| capacity::solution(series.spec).join(", "))
        .number("Back to back, µs", |(_, back_to_back, _)| Cell::micros(*back_to_back))
        .number("After idle time, µs", |(.., after_idle)| Cell::micros(*after_idle))
        .number("Penalty, times", |(_, back_to_back, after_idle)| {
            Cell::quantity(after_idle / back_to_back)
        })
        .table("Pacing: the mean step back to back, and after its idle time")
}

/// Draws, for each solver, the timeline of the largest tire without a miss, or else of the smallest
/// with a miss.
fn timelines(real_time: &[(&System, &Series)]) -> Vec<Figure> {
    let fitness = |series: &Series| {
        let masses = series.count(&fact::MASSES) as i64;
        if series.total(&fact::MISSED) == Some(0) { (1, masses) } else { (0, -masses) }
    };
    let mut best: BTreeMap<&str, &Series> = BTreeMap::new();
    for (_, series) in real_time {
        let kept = best.entry(series.spec.parameters.solver()).or_insert(series);
        if fitness(series) >= fitness(kept) {
            *kept = series;
        }
    }
    let figure = |(solver, series): (&str, &Series)| {
        let blocks = series.facts(&fact::TIMELINE).find_map(serde_json::Value::as_array)?;
        let size = words::size(record::Size::MASSES, series.count(&fact::MASSES));
        let what = format!("{size}, {solver} solver");
        figure::timeline(&format!("timeline-{solver}"), &what, blocks)
    };
    best.into_iter().filter_map(figure).collect()
}

/// Returns a curve for each solver, number of threads, and any other condition that differs.
pub(crate) fn curves(series: &[(&System, &Series)]) -> Vec<Curve> {
    let all: Vec<[String; FACTS]> = series.iter().map(facts).collect();
    let tells = |slot: usize| ALWAYS.contains(&slot) || distinct(all.iter().map(|f| &f[slot])) > 1;
    let mut curves: Vec<Curve> = Vec::new();
    let (mut solvers, mut others) = (Vec::new(), Vec::new());
    for ((_, series), facts) in series.iter().zip(&all) {
        let Some(ns) = simulated_minute(series) else {
            continue;
        };
        let words = |is_told: fn(usize) -> bool| {
            let known = (0..FACTS).filter(|slot| is_told(*slot) && tells(*slot));
            let known = known.map(|slot| facts[slot].as_str()).filter(|fact| !fact.is_empty());
            known.collect::<Vec<_>>().join(", ")
        };
        let name = words(|_| true);
        let point = (series.count(&fact::MASSES), ns);
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve {
                family: place_in(&mut solvers, facts[SOLVER].clone()),
                place: place_in(&mut others, words(|slot| slot != SOLVER)),
                name,
                points: vec![point],
            }),
        }
    }
    curves.sort_by_key(|curve| curve.family);
    for curve in &mut curves {
        curve.points.sort_by_key(|(size, _)| *size);
    }
    curves
}

/// Returns the index of a name among those seen so far; a new name is added.
fn place_in(names: &mut Vec<String>, name: String) -> usize {
    let place = names.iter().position(|known| *known == name);
    place.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// Number of facts that distinguish curves; the solver is second and the threads are third.
const FACTS: usize = 7;
const SOLVER: usize = 1;
const ALWAYS: [usize; 2] = [SOLVER, 2];

fn facts((system, series): &(&System, &Series)) -> [String; FACTS] {
    let (spec, asked) = (series.spec, &series.spec.asked);
    let solution = capacity::solution(spec);
    let (solver, others) = solution.split_first().map_or(("", &[][..]), |(s, o)| (s.as_str(), o));
    [
        system.name.clone(),
        solver.to_owned(),
        words::counted(series.count(&fact::THREADS) as usize, "thread"),
        others.join(", "),
        asked.policy.to_string(),
        maybe(some(spec.parameters.model()), |model| format!("{model} model")),
        analysis::survey::loads(asked),
    ]
}
