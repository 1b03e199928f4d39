//! An FMU for Co-Simulation, and what it shares with one for Model Exchange.

use model::{FmiVersion, Kind, Type, Unpacked};
use rt::fmi::{Asked, Experiment, Instance, Status, Version};
use rt::library::Library;

use super::setup::{Fmu, Origin, Setup};
use super::source::{Counts, Source};
use super::values::Values;

/// A step that ends so near to the time asked for has reached it, as a share of the step.
const REACHED: f64 = 1e-6;

/// An instance of an FMU, with room for what is set and read at each step.
pub(super) struct Made {
    pub(super) instance: Instance,
    pub(super) inputs: Values,
    pub(super) outputs: Values,
    experiment: Experiment,
}

impl Made {
    /// Instantiates the FMU of a setup, and sets its start values.
    pub(super) fn of(setup: &Setup) -> Result<Self, String> {
        let (Origin::Fmu(fmu), Some(files)) = (&setup.origin, &setup.unpacked) else {
            return Err("it is no FMU".to_owned());
        };
        let instance = instance(fmu, files)?;
        for (variable, text) in &fmu.starts {
            start(&instance, fmu, variable, text)
                .map_err(|why| format!("`{}` cannot be set: {why}", variable.name))?;
        }
        let description = fmu.archive.description();
        let is_two = description.version == FmiVersion::V2;
        Ok(Self {
            instance,
            inputs: Values::of(&setup.set, is_two),
            outputs: Values::of(&setup.outputs, is_two),
            experiment: Experiment {
                start_s: setup.start,
                stop_s: None,
                tolerance: description.experiment.tolerance,
            },
        })
    }

    /// Initialises it; it is in the mode then that follows for its kind.
    pub(super) fn initialise(&self) -> Result<(), String> {
        let done = self.instance.enter_initialization(&self.experiment);
        done.and_then(|()| self.instance.exit_initialization())
            .map_err(|error| error.to_string())
    }

    /// The number of a step as the time of its start, in seconds.
    #[inline]
    pub(super) fn time(setup: &Times, number: u64) -> f64 {
        setup.start + number as f64 * setup.step
    }
}

/// When steps are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) start: f64,
    pub(super) step: f64,
}

impl Times {
    pub(super) fn of(setup: &Setup) -> Self {
        Self {
            start: setup.start,
            step: setup.step,
        }
    }
}

fn instance(fmu: &Fmu, files: &Unpacked) -> Result<Instance, String> {
    let description = fmu.archive.description();
    let interface = description.interface(fmu.kind);
    let identifier = interface.map_or("", |one| &one.model_identifier);
    let library = Library::open(&files.library).map_err(|error| error.to_string())?;
    let asked = Asked {
        version: match description.version {
            FmiVersion::V2 => Version::Two,
            FmiVersion::V3 => Version::Three,
        },
        kind: match fmu.kind {
            Kind::ModelExchange => rt::fmi::Kind::ModelExchange,
            Kind::ScheduledExecution => rt::fmi::Kind::ScheduledExecution,
            Kind::CoSimulation => rt::fmi::Kind::CoSimulation,
        },
        identifier,
        name: &description.name,
        token: &description.token,
        resources: &files.resources,
        logging: fmu.logs,
        early_return: false,
        event_mode: false,
    };
    Instance::new(&library, &asked).map_err(|error| error.to_string())
}

/// Sets one start value, as its text says.
fn start(
    instance: &Instance,
    fmu: &Fmu,
    variable: &model::Variable,
    text: &str,
) -> Result<(), String> {
    let told = |error: rt::fmi::Failed| error.to_string();
    if variable.kind == Type::String {
        return instance.set_text(variable.reference, text).map_err(told);
    }
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    let numbers = numbers.ok_or_else(|| format!("`{text}` is no number"))?;
    let value = |_| super::setup::Value {
        name: String::new(),
        reference: variable.reference,
        kind: variable.kind,
    };
    let all: Vec<_> = numbers.iter().map(value).collect();
    let is_two = fmu.archive.description().version == FmiVersion::V2;
    Values::of(&all, is_two)
        .set(instance, &numbers)
        .map_err(told)
}

fn number(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// An FMU that steps itself.
pub(super) struct CoSimulation {
    made: Made,
    times: Times,
    counts: Counts,
}

impl Source for CoSimulation {
    fn make(setup: &Setup) -> Result<Self, String> {
        Ok(Self {
            made: Made::of(setup)?,
            times: Times::of(setup),
            counts: Counts::default(),
        })
    }

    fn initialise(&mut self) -> Result<(), String> {
        self.made.initialise()
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        let Made {
            instance, inputs, ..
        } = &mut self.made;
        inputs
            .set(instance, values)
            .map_err(|error| error.to_string())
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<(), String> {
        let Times { step, .. } = self.times;
        let time = Made::time(&self.times, number);
        let stepped = self.made.instance.do_step(time, step);
        let stepped = stepped.map_err(|error| error.to_string())?;
        match stepped.status {
            Status::Ok | Status::Warning => {
                let missed = (stepped.last_successful_time_s - (time + step)).abs();
                self.counts.other_times += u64::from(missed > step * REACHED);
            }
            Status::Discard => self.counts.discarded += 1,
            status => return Err(format!("its step returned {}", status.name())),
        }
        self.counts.early_returns += u64::from(stepped.early_return);
        self.counts.events += u64::from(stepped.event_needed);
        match stepped.terminate {
            true => Err("it asks for the end of the simulation".to_owned()),
            false => Ok(()),
        }
    }

    #[inline]
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), String> {
        let Made {
            instance, outputs, ..
        } = &mut self.made;
        outputs
            .read(instance, values)
            .map_err(|error| error.to_string())
    }

    fn counts(&self) -> Counts {
        Counts {
            log_lines: self.made.instance.log_lines(),
            ..self.counts
        }
    }

    fn end(&mut self) {
        // What it says of its end changes nothing of what was measured.
        let _ = self.made.instance.terminate();
    }
}
