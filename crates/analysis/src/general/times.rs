//! Results without deadlines: times of kernel services, and how fast a model is computed.

use crate::finding::Speed;
use crate::services::services;
use crate::subject::{Named, named};
use crate::survey::Series;
use crate::{Analysis, capacity, own_model, words};

/// A row without deadlines.
pub struct Timed {
    pub machine: Option<String>,
    pub name: String,
    pub is_own_model: bool,
    pub speed: Speed,
}

/// Returns each row, named by its measurement if that has a single row.
pub fn without_deadlines(analysis: &Analysis) -> Vec<Timed> {
    named(&analysis.systems).iter().flat_map(of_machine).collect()
}

fn of_machine(machine: &Named) -> Vec<Timed> {
    let all: Vec<&Series> = machine.system.series.iter().collect();
    let timed = |series: &&Series| {
        let measurement = &series.spec.measurement;
        let rows = all.iter().filter(|other| other.spec.measurement == *measurement).count();
        let label = words::label(series.label);
        let is_own_model = own_model::is_own(series.spec);
        let name = match rows {
            _ if is_own_model || (rows > 1 && rows == all.len()) => label,
            1 => measurement.clone(),
            _ => format!("{measurement}, {label}"),
        };
        let machine = machine.name.clone();
        Some(Timed { machine, name, is_own_model, speed: speed(series)? })
    };
    all.iter().filter_map(timed).collect()
}

pub struct Beside {
    pub machine: Option<String>,
    pub services: Vec<(String, f64)>,
    /// Mass updates per second of the fastest tire, and its solver.
    pub fastest_tire: Option<(f64, String)>,
    pub own_models: Vec<Timed>,
}

/// Summarizes the results without deadlines, for answers about deadlines.
pub fn beside_deadlines(analysis: &Analysis) -> Vec<Beside> {
    let of_machine = |machine: &Named| {
        let system = machine.system;
        let own_models = system.of(own_model::MEASUREMENT);
        let own_models =
            own_models.filter(|series| !capacity::is_real_time(series)).filter_map(|series| {
                let (machine, name) = (machine.name.clone(), own_model::name(series));
                Some(Timed { machine, name, is_own_model: true, speed: speed(series)? })
            });
        Beside {
            machine: machine.name.clone(),
            services: services(system)
                .filter_map(|(name, series)| Some((name, series.average_ns()?)))
                .collect(),
            fastest_tire: capacity::fastest_tire(system)
                .map(|(speed, series)| (speed, series.spec.parameters.solver().to_owned())),
            own_models: own_models.collect(),
        }
    };
    named(&analysis.systems).iter().map(of_machine).collect()
}

fn speed(series: &Series) -> Option<Speed> {
    let speed = Speed {
        steps_per_s: own_model::steps_a_second(series),
        average_ns: series.average_ns(),
        worst_ns: series.max_ns(),
        samples: series.latency.as_ref().map(stats::Distribution::count),
        unavailable: series.unavailable().map(str::to_owned),
    };
    (speed != Speed::default()).then_some(speed)
}
