//! What a frontier and a map share: runs of a model at chosen places of an axis.

use analysis::share::share_in_percent;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use measure::{Length, Measurement};
use record::{Axis, Mode, Refused, RunSpec, Setting, Value, joined_settings, settings_in};
use stats::frontier::Spacing;

use crate::options::ConditionArgs;
use crate::options::parameters::ParameterArgs;
use crate::options::place::Place;
use crate::options::request::subject::Subject;
use crate::options::request::{self, RunRequest};
use crate::session::results_dir::KeptArgs;

/// The number of instances, a thread each, that a model which allows several allows at least.
const SEVERAL: u64 = 64;

/// Options of commands that vary a model.
#[derive(Debug, Args)]
pub(crate) struct VariedArgs {
    /// What to vary: `rate`, `instances`, or a variable of your own model in equal steps, where TO
    /// is the hardest value [default: the rate of your own model, the masses of the tire]
    #[arg(long, value_name = "rate|instances|NAME=FROM..TO")]
    pub(crate) over: Option<Axis>,
    /// Distance between neighbouring sizes where the edge is: a share of the size, such as 5%, or a
    /// number of masses, instances or hertz, such as 200
    #[arg(
        long,
        value_name = "PERCENT|N",
        value_parser = spacing,
        default_value = "5%",
        allow_hyphen_values = true
    )]
    pub(crate) resolution: Spacing,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl VariedArgs {
    pub(crate) fn axis(&self, measurement: &dyn Measurement) -> Result<Axis> {
        let is_tire = measurement.name() == "tire";
        let usual = if is_tire { Axis::Masses } else { Axis::Rate };
        let axis = self.over.clone().unwrap_or(usual);
        let name = axis.parameter();
        if measurement.parameters().iter().any(|parameter| parameter.name == name) {
            return Ok(axis);
        }
        if is_tire {
            bail!(
                "--over: the tire has no --{name}; name your own model with `model`, or vary masses \
                 or rate"
            );
        }
        bail!("--over: only the tire has --{name}; vary rate or instances")
    }

    pub(crate) fn spacing(&self, axis: &Axis) -> Result<Spacing> {
        let grain = axis.grain();
        if let Spacing::Step(step) = self.resolution
            && !step.is_multiple_of(grain)
        {
            bail!("--resolution: {step} is not a multiple of {grain}, as sizes must be");
        }
        Ok(self.resolution)
    }

    /// Returns a run for each combination of what was typed, at a place of the axis. Refuses
    /// parameters that the command sets itself, and the one that is varied.
    pub(crate) fn runs(&self, given: &Given) -> Result<Vec<RunSpec>> {
        let axis = self.axis(given.measurement)?;
        let mut specs = request::specs(&[self.request(&axis, given)?]);
        if self.over.is_some() {
            specs = specs.with_context(|| format!("--over {}", axis.unit(2)));
        }
        let mut specs = specs?;
        if let (Axis::Setting(setting), Some(end)) = (&axis, axis.end()) {
            for spec in &specs {
                let examined = given.measurement.examine(&mut at(spec, &axis, end));
                examined.map_err(|why| anyhow!("--over {}: {why}", setting.name))?;
            }
        }
        for spec in &mut specs {
            if Axis::of_measurement(&spec.measurement).as_ref() != Some(&axis) {
                spec.over = Some(axis.clone());
            }
            if axis == Axis::Instances && given.place.is_none() {
                axis.put(spec, axis.smallest(spec.parameters.threads()));
            }
        }
        Ok(specs)
    }

    fn request(&self, axis: &Axis, given: &Given) -> Result<RunRequest> {
        given.subject.refuse_set(&self.parameters)?;
        let varied = axis.parameter();
        if varied != "set" && self.parameters.has(varied) {
            return Err(Refused::option(varied, given.instead).into());
        }
        let mut request = RunRequest::of(given.measurement);
        request.place = self.place.clone();
        request.conditions = self.conditions.clone();
        request.blame.blame = given.blame;
        request.set_word("mode", Mode::RealTime.name())?;
        for (name, values) in &given.usual {
            request.set_all(name, values.clone())?;
        }
        request.read(&self.parameters)?;
        match (axis, given.place) {
            (Axis::Setting(setting), _) => set_first(&mut request, setting)?,
            (Axis::Instances, place) => {
                request.set("instances", Value::Count(place.unwrap_or(SEVERAL)))?;
            }
            // Refuses 0 and rates too high for a period, as if it were typed.
            (Axis::Rate, Some(hertz)) => request.parse("rate", &format!("{hertz}Hz"))?,
            (Axis::Masses, Some(masses)) => request.set("masses", Value::Count(masses))?,
            (Axis::Rate | Axis::Masses, None) => {}
        }
        Ok(request)
    }
}

fn spacing(text: &str) -> Result<Spacing, &'static str> {
    const EXPECTED: &str = "expected a share of the size from 0.01% to 100%, such as 5%, or a number \
                            of masses, instances or hertz, such as 200";
    let share = share_in_percent(text).filter(|share| *share >= 0.0001).map(Spacing::Share);
    let step = || text.trim().parse().ok().filter(|step| *step > 0).map(Spacing::Step);
    share.or_else(step).ok_or(EXPECTED)
}

/// Adds the easier end of a varied variable to the settings that were typed.
fn set_first(request: &mut RunRequest, setting: &Setting) -> Result<(), Refused> {
    let mut settings = settings_in(request.word("set").unwrap_or_default()).unwrap_or_default();
    if settings.iter().any(|one| setting.value_in(one).is_some()) {
        let what = format!("{} is varied by --over", setting.name);
        return Err(Refused::option("set", what).remedy("leave it out"));
    }
    settings.push(format!("{}={}", setting.name, setting.from));
    request.set("set", Value::Word(joined_settings(settings)))
}

pub(crate) struct Given {
    pub(crate) subject: &'static Subject,
    pub(crate) measurement: &'static dyn Measurement,
    /// Parameters with the command's defaults, used unless they were typed.
    pub(crate) usual: Vec<(&'static str, Vec<Value>)>,
    /// What to type instead of the parameter that is varied.
    pub(crate) instead: &'static str,
    /// The place at which a run is to be possible, if one is known.
    pub(crate) place: Option<u64>,
    pub(crate) blame: bool,
}

pub(crate) fn largest(spec: &RunSpec, axis: &Axis) -> u64 {
    let Some(measurement) = measure::find(&spec.measurement) else {
        return u64::MAX;
    };
    let largest = axis.largest(measurement.parameters());
    let is_possible = || measurement.examine(&mut at(spec, axis, largest)).is_ok();
    match axis {
        Axis::Instances if !is_possible() => SEVERAL,
        _ => largest,
    }
}

pub(crate) fn at(spec: &RunSpec, axis: &Axis, place: u64) -> RunSpec {
    let mut spec = spec.clone();
    axis.put(&mut spec, place);
    as_long_as_it_says(spec)
}

pub(crate) fn lasting(spec: &RunSpec, steps: u64) -> RunSpec {
    let mut spec = spec.clone();
    match spec.parameters.get("steps") {
        Some(_) => spec.parameters.set_steps(steps),
        None => {
            let time = spec.parameters.rate().map(|rate| rate.time_of(steps));
            spec.asked.duration = time.unwrap_or_default();
        }
    }
    as_long_as_it_says(spec)
}

/// Sets the run's length to what its parameters say, if they do.
fn as_long_as_it_says(mut spec: RunSpec) -> RunSpec {
    let measurement = measure::find(&spec.measurement);
    if let Some(length @ (Length::Steps(_) | Length::Fixed(_))) =
        measurement.map(|found| found.length(&spec.parameters))
    {
        spec.asked.duration = length.time();
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_is_a_share_or_a_step() {
        assert_eq!(spacing("2.5%"), Ok(Spacing::Share(0.025)));
        assert_eq!(spacing("200"), Ok(Spacing::Step(200)));
        for text in ["", "0%", "101%", "-5%", "0", "many", "5 masses", "nan%"] {
            assert!(spacing(text).is_err(), "{text}");
        }
    }
}
