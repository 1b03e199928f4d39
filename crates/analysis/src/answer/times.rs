//! What has no deadline in few words: how long services of the kernel take, and how fast a
//! model is computed.

use plan::fact;

use super::parts::Line;
use super::subject::Named;
use crate::capacity;
use crate::own_model;
use crate::survey::Series;
use crate::words;

/// A line for each row of a machine, named by its measurement where that has one row alone.
pub(super) fn lines(machine: &Named) -> Vec<Line> {
    let all: Vec<&Series> = machine.system.series.iter().collect();
    let line = |series: &&Series| {
        let own = all.iter().filter(|other| other.spec.measurement == series.spec.measurement);
        let name = &series.spec.measurement;
        let label = words::label(series.label);
        let what = match own.count() {
            _ if own_model::is_own(series.spec) => {
                format!("real-fast model {}", own_model::name(series))
            }
            1 => name.clone(),
            _ if all.iter().all(|other| other.spec.measurement == *name) => label,
            _ => format!("{name}, {label}"),
        };
        figures(series).map(|figures| Line { what: machine.told(what), figures })
    };
    all.iter().filter_map(line).collect()
}

/// The same in one line a family, beside what has deadlines.
pub(super) fn beside(machine: &Named) -> Vec<Line> {
    let system = machine.system;
    let averages = |name: &&str| {
        let series = system.of(name).find(|series| series.headline)?;
        Some(format!("{} {}", name.replace('_', " "), words::time(series.average_ns()?)))
    };
    let services = ["task_switch", "preemption", "semaphore_shuffle"];
    let services: Vec<String> = services.iter().filter_map(averages).collect();
    let line =
        |what: &str, figures: Vec<String>| Line { what: machine.told(what.to_owned()), figures };
    let services = (!services.is_empty()).then(|| line("on average", vec![services.join(", ")]));
    let fastest = system.of("tire");
    let fastest = fastest.filter(|series| !capacity::is_real_time(series));
    let fastest = fastest.filter_map(|series| Some((series, speed(series)?)));
    let fastest = fastest.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(series, speed)| {
        let solver = series.spec.parameters.word("solver");
        line(
            "real-fast tire",
            vec![format!(
                "{speed:.0} million mass updates a second ({solver})",
                speed = speed / 1e6
            )],
        )
    });
    let own = system.of(own_model::MEASUREMENT);
    let own = own.filter(|series| !capacity::is_real_time(series));
    let own = own.filter_map(|series| {
        let what = format!("real-fast model {}", own_model::name(series));
        Some(line(&what, figures(series)?))
    });
    services.into_iter().chain(fastest).chain(own).collect()
}

fn figures(series: &Series) -> Option<Vec<String>> {
    if let Some(needs) = series.unavailable() {
        return Some(vec![words::unavailable(needs)]);
    }
    let latency = series.latency.as_ref();
    let steps = own_model::steps_a_second(series);
    let figures = [
        steps.map(|steps| format!("{} steps a second", words::quantity(steps))),
        series.average_ns().map(|ns| format!("average {}", words::time(ns))),
        latency.map(|latency| format!("worst {}", words::time(latency.max.value_ns as f64))),
        latency.map(|latency| format!("of {}", words::grouped(latency.count()))),
    ];
    let figures: Vec<String> = figures.into_iter().flatten().collect();
    (!figures.is_empty()).then_some(figures)
}

fn speed(series: &Series) -> Option<f64> {
    series.mean(&fact::MASS_UPDATES_PER_S).filter(|speed| *speed > 0.0)
}
