//! One neighbour in one place.

use base::Vicinity;
use blame::Summary;
use record::{LoadSpec, Outcome};
use serde::Serialize;

use crate::comparison::contrasts::Row;
use crate::effect::{Effect, as_ratio};
use crate::survey::{System, wall_ns};
use crate::{causes, words};

/// One aggressor in one place, compared with quiet runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The load, as typed, without its CPUs.
    pub aggressor: String,
    /// Place of the neighbour, relative to the measured CPUs.
    pub place: Vicinity,
    /// CPUs of the neighbour.
    pub cpus: String,
    /// Valid runs.
    pub runs: usize,
    /// INVALID runs.
    pub invalid: usize,
    /// Why the first INVALID run is INVALID; null if there is none.
    pub why_invalid: Option<String>,
    /// Median time, in nanoseconds, relative to quiet runs; null if it was not compared.
    #[serde(serialize_with = "as_ratio")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::effect::Ratio>"))]
    pub median: Option<Effect>,
    /// End of the tail, in nanoseconds, relative to quiet runs; null if it was not compared.
    #[serde(serialize_with = "as_ratio")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::effect::Ratio>"))]
    pub tail: Option<Effect>,
    /// Share of deadlines missed, relative to quiet runs; null if none was missed or if it was not
    /// compared.
    #[serde(serialize_with = "as_ratio")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::effect::Ratio>"))]
    pub missed: Option<Effect>,
    /// Work of the neighbour per second, over all its processes; null if there is no valid run.
    pub work_per_s: Option<f64>,
    /// Unit of the neighbour's work.
    pub unit: String,
    /// Increase of the tail, in nanoseconds per unit of work per second; null if the tail was not
    /// compared or if no work was done.
    pub harm_ns_per_work: Option<f64>,
    /// Most frequent main cause of lateness, with its number of late events; null if causes were
    /// not looked for or if nothing was late.
    pub cause: Option<String>,
}

impl Cell {
    pub(super) fn of(
        (place, aggressor): &(Vicinity, String),
        system: &System,
        row: Option<&Row>,
    ) -> Self {
        let named = |name| row.and_then(|row| row.known(name));
        let tail = named("tail");
        let (work_per_s, unit) = work(system);
        let more_ns = tail.map(|tail| tail.values[1] - tail.values[0]);
        let harm = more_ns.zip(work_per_s.filter(|work| *work > 0.0));
        let first = system.outcomes.first();
        let cpus = first.and_then(|run| run.header.spec.asked.loads.first()?.cpus.clone());
        Self {
            aggressor: aggressor.clone(),
            place: *place,
            cpus: cpus.unwrap_or_default().to_string(),
            runs: system.valid().count(),
            invalid: system.invalid().count(),
            why_invalid: system.why_invalid(),
            median: named("median"),
            tail,
            missed: named("missed"),
            work_per_s,
            unit,
            harm_ns_per_work: harm.map(|(more_ns, work)| more_ns / work),
            cause: cause(system),
        }
    }

    /// Every effect that is shown, the most important first.
    pub(super) fn shown(&self) -> impl Iterator<Item = Effect> {
        let all = [self.missed, self.tail, self.median];
        all.into_iter().flatten().filter(|effect| effect.is_shown)
    }

    pub(super) fn harm(&self) -> Option<Effect> {
        self.shown().find(Effect::is_worse)
    }

    pub(super) fn worst(&self) -> f64 {
        let worse = self.shown().filter(Effect::is_worse);
        worse.map(|effect| effect.times[1]).fold(0.0, f64::max)
    }

    pub fn harms(&self) -> bool {
        self.harm().is_some()
    }

    pub fn shows(&self) -> bool {
        self.shown().next().is_some()
    }

    /// Names what its intensities have in common: the load, with what it works on.
    pub(super) fn at_full_intensity(&self) -> String {
        let load = self.aggressor.parse();
        let load = load.map(|load| LoadSpec { intensity_percent: LoadSpec::FULL, ..load });
        load.map_or_else(|_| self.aggressor.clone(), |load| load.to_string())
    }

    /// Its name and its place: `shootdown, shared-cache`.
    pub fn name(&self) -> String {
        format!("{}, {}", self.aggressor, self.place)
    }
}

/// A load without its CPUs, as it is typed.
pub(super) fn aggressor(load: &LoadSpec) -> String {
    LoadSpec { cpus: None, ..load.clone() }.to_string()
}

/// Returns the average work per second of the loads of valid runs, and its unit.
fn work(system: &System) -> (Option<f64>, String) {
    let (mut done, mut seconds, mut unit) = (0, 0.0, String::new());
    for run in system.valid() {
        done += run.found.loads.iter().map(|load| load.work_done).sum::<u64>();
        seconds += measured_seconds(run);
        unit = run.found.loads.first().map_or(unit, |load| load.unit.clone());
    }
    ((seconds > 0.0).then(|| done as f64 / seconds), unit)
}

/// Returns how long a run measured: as recorded by its threads, else as requested.
fn measured_seconds(run: &Outcome) -> f64 {
    match wall_ns(run) {
        0 => run.header.spec.asked.duration.as_secs_f64(),
        ns => ns as f64 / 1e9,
    }
}

fn cause(system: &System) -> Option<String> {
    let summaries: Vec<Summary> = system.series.iter().flat_map(causes::summaries).collect();
    let missed = summaries.iter().map(|summary| summary.missed).sum();
    let causes = summaries.iter().flat_map(|summary| &summary.causes);
    let main = causes::leading(&summaries, missed, causes.map(|total| total.time_ns).sum());
    let main = main.into_iter().next()?;
    let times = words::counted(main.late as usize, "time");
    Some(format!("{} ({times})", main.cause.words_for(main.tasks)))
}
