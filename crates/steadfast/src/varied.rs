//! What a frontier and a map share: runs of a model along an axis whose places a command chooses.

use anyhow::{Context, Result, bail};
use clap::Args;
use plan::{Axis, RunSpec, Value};
use probe::{Length, Measurement};
use units::Nanos;

use crate::args::{ConditionArgs, PlaceArgs};
use crate::command::run::args::{RunArgs, parse_run_line};
use crate::kept::KeptArgs;
use crate::parameters::ParameterArgs;
use crate::request;

/// What names a person's own model.
const OWN: [&str; 3] = ["fmu", "library", "program"];
/// As many as any model of which there can be several has in one run; a thread needs one.
const SEVERAL: u64 = 64;

/// Of a command that varies a model.
#[derive(Debug, Args)]
pub(crate) struct VariedArgs {
    /// What is varied, the last place being the hardest: `rate`, `instances` or a variable of your
    /// own model, in equal steps [default: the rate of your own model, the masses of the tire]
    #[arg(long, value_name = "rate|instances|NAME=FROM..TO")]
    pub(crate) over: Option<Axis>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl VariedArgs {
    /// Whether a parameter is typed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.0.contains_key(name)
    }

    /// The model that is named; else the tire.
    pub(crate) fn measurement(&self) -> &'static dyn Measurement {
        let is_own = OWN.iter().any(|name| self.has(name));
        let name = if is_own { "model" } else { "tire" };
        probe::find(name).expect("both are among the measurements")
    }

    /// What is varied.
    pub(crate) fn axis(&self) -> Result<Axis> {
        let measurement = self.measurement();
        let usual = match measurement.name() {
            "tire" => Axis::Masses,
            _ => Axis::Rate,
        };
        let axis = self.over.clone().unwrap_or(usual);
        let declared = measurement.parameters();
        let is_own = declared.iter().any(|one| one.name == axis.parameter());
        match (is_own, measurement.name()) {
            (true, _) => Ok(axis),
            (_, "tire") => bail!(
                "--over: the tire has no --{}; name your own model with --fmu, --library or \
                 --program, or vary masses or rate",
                axis.parameter()
            ),
            _ => bail!("--over: only the tire has --{}; vary rate or instances", axis.parameter()),
        }
    }

    /// A run for each combination of what was typed, as that line and these arguments say, at a
    /// place of the axis. What was typed although the command sets it by itself is refused: `set`
    /// names that, each with what to type instead; `place` is what else would be typed of the
    /// place.
    pub(crate) fn runs(&self, given: &Given) -> Result<Vec<RunSpec>> {
        let axis = self.axis()?;
        let mut typed = self.typed(&axis, given)?;
        typed.blame.blame = given.blame;
        let mut specs = request::specs(&typed);
        if self.over.is_some() {
            specs = specs.with_context(|| format!("--over {}", axis.unit(2)));
        }
        let mut specs = specs?;
        for spec in &mut specs {
            if Axis::of_measurement(&spec.measurement).as_ref() != Some(&axis) {
                spec.over = Some(axis.clone());
            }
            if axis == Axis::Instances && given.place.is_none() {
                axis.put(spec, axis.smallest(spec.parameters.count("threads")));
            }
        }
        Ok(specs)
    }

    /// What would be typed after `steadfast run`.
    fn typed(&self, axis: &Axis, given: &Given) -> Result<RunArgs> {
        let names = given.set.iter().copied();
        let own = (axis.parameter(), given.instead);
        let mut names = names.chain(Some(own).filter(|(name, _)| *name != "set"));
        if let Some((name, why)) = names.find(|(name, _)| self.has(name)) {
            bail!("--{name}: {why}");
        }
        let measurement = self.measurement().name();
        let mut typed = parse_run_line(&format!("{measurement} --mode real-time"))?;
        typed.place = self.place.clone();
        typed.conditions = self.conditions.clone();
        let parameters = &mut typed.parameters.0;
        for (name, value) in &given.usual {
            parameters.insert(name, value.clone());
        }
        parameters.extend(self.parameters.0.clone());
        let place = given.place;
        match axis {
            Axis::Setting(setting) => {
                let all = parameters.entry("set").or_default();
                let is_own =
                    |one: &String| one.split('=').next().map(str::trim) == Some(&setting.name);
                if all.iter().any(is_own) {
                    bail!("--set: {} is what is varied; leave it out", setting.name);
                }
                all.push(format!("{}={}", setting.name, setting.from));
            }
            Axis::Rate => {
                parameters.extend(place.map(|hertz| ("rate", vec![format!("{hertz}Hz")])));
            }
            Axis::Instances => {
                let instances = place.unwrap_or(SEVERAL);
                parameters.insert("instances", vec![instances.to_string()]);
            }
            Axis::Masses => {
                parameters.extend(place.map(|masses| ("masses", vec![masses.to_string()])));
            }
        }
        Ok(typed)
    }
}

/// What a command gives to the runs that it varies.
pub(crate) struct Given {
    /// Parameters of which it types these where nobody else does.
    pub(crate) usual: Vec<(&'static str, Vec<String>)>,
    /// Parameters that it sets by itself, each with what to type instead.
    pub(crate) set: &'static [(&'static str, &'static str)],
    /// What to type instead of the parameter that is varied.
    pub(crate) instead: &'static str,
    /// The place at which a run is to be possible, where one is known.
    pub(crate) place: Option<u64>,
    /// Whether causes are looked for.
    pub(crate) blame: bool,
}

/// The largest place of which a run is possible.
pub(crate) fn largest(spec: &RunSpec, axis: &Axis) -> u64 {
    let Some(measurement) = probe::find(&spec.measurement) else {
        return u64::MAX;
    };
    let largest = axis.largest(measurement.parameters());
    let is_possible = || measurement.examine(&mut at(spec, axis, largest)).is_ok();
    match axis {
        Axis::Instances if !is_possible() => SEVERAL,
        _ => largest,
    }
}

/// The same run at another place.
pub(crate) fn at(spec: &RunSpec, axis: &Axis, place: u64) -> RunSpec {
    let mut spec = spec.clone();
    axis.put(&mut spec, place);
    as_long_as_it_says(spec)
}

/// The same run with so many deadlines.
pub(crate) fn lasting(spec: &RunSpec, steps: u64) -> RunSpec {
    let mut spec = spec.clone();
    match spec.parameters.get("steps") {
        Some(_) => spec.parameters.set("steps", Value::Count(steps)),
        None => {
            let period = spec.parameters.time("rate").0;
            spec.asked.duration = Nanos(period.saturating_mul(steps));
        }
    }
    as_long_as_it_says(spec)
}

/// How many deadlines a run has.
pub(crate) fn steps(spec: &RunSpec) -> u64 {
    match spec.parameters.get("steps") {
        Some(_) => spec.parameters.count("steps"),
        None => spec.asked.duration.0 / spec.parameters.time("rate").0.max(1),
    }
}

/// With the length that its parameters give it, where they do.
fn as_long_as_it_says(mut spec: RunSpec) -> RunSpec {
    let measurement = probe::find(&spec.measurement);
    if let Some(Length::Fixed(time)) = measurement.map(|one| one.length(&spec.parameters)) {
        spec.asked.duration = time;
    }
    spec
}
