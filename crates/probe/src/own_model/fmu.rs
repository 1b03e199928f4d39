//! An FMU as a model: what all kinds of it share, and Co-Simulation.

use model::{FmiVersion, Kind, Unpacked};
use rt::fmi::{Asked, Experiment, Failed, Instance, Status, Version};
use rt::library::Library;

use super::setup::{Fmu, Origin, Setup};
use super::source::{Counts, Source};
use super::texts::Texts;
use super::times::Times;
use super::values::Values;
use super::variables::StartValue;

/// A step that ends so near to the time asked for has reached it, as a share of the step.
const REACHED: f64 = 1e-6;
/// Why a model is stepped no further that may end its simulation at any step.
pub(super) const ENDS: &str = "it asks for the end of the simulation";

/// An instance of an FMU, with room for what is set and read at each step.
pub(super) struct Made {
    pub(super) instance: Instance,
    pub(super) times: Times,
    /// What became of its steps, but for the lines that it logged.
    pub(super) counts: Counts,
    inputs: Values,
    outputs: Values,
    texts: Texts,
    experiment: Experiment,
}

impl Made {
    /// Instantiates the FMU of a setup, and sets its start values.
    pub(super) fn of(setup: &Setup) -> Result<Self, String> {
        let (Origin::Fmu(fmu), Some(files)) = (&setup.origin, &setup.unpacked) else {
            return Err("it is no FMU".to_owned());
        };
        let description = fmu.archive.description();
        let is_two = description.version == FmiVersion::V2;
        let instance = instance(fmu, files)?;
        for start in &fmu.starts {
            let set = match &start.value {
                StartValue::Text { reference, text } => instance.set_text(*reference, text),
                StartValue::Binary { reference, data } => instance.set_binary(*reference, data),
                StartValue::Numbers(values, numbers) => {
                    Values::of(values, is_two).set(&instance, numbers)
                }
            };
            set.map_err(|why| format!("`{}` cannot be set: {why}", start.name))?;
        }
        Ok(Self {
            instance,
            times: setup.times,
            counts: Counts::default(),
            inputs: Values::of(&setup.set, is_two),
            outputs: Values::of(&setup.outputs, is_two),
            texts: Texts::of(&setup.texts),
            experiment: Experiment {
                start_s: setup.times.start,
                stop_s: None,
                tolerance: description.experiment.tolerance,
            },
        })
    }

    /// Initialises it; it is in the mode then that follows for its kind.
    pub(super) fn initialise(&self) -> Result<(), String> {
        let done = self.instance.enter_initialization(&self.experiment);
        done.and_then(|()| self.instance.exit_initialization()).map_err(told)
    }

    /// Ends the simulation.
    pub(super) fn end(&self) {
        // What it says of its end changes nothing of what was measured.
        let _ = self.instance.terminate();
    }
}

/// What a model did, in one line.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(super) fn told(error: Failed) -> String {
    error.to_string()
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
    Instance::new(&library, &asked).map_err(told)
}

/// An FMU as what it was instantiated for.
pub(super) struct FmuAs<K> {
    made: Made,
    kind: K,
}

/// How an FMU is initialised and stepped that was instantiated for this.
pub(super) trait Stepping: Send + Sized {
    /// What it needs beside the instance.
    fn of(setup: &Setup, made: &Made) -> Result<Self, String>;

    /// Initialises it at the start of its time.
    fn initialise(&mut self, made: &mut Made) -> Result<(), String> {
        made.initialise()
    }

    /// Does the step of that number.
    fn step(&mut self, made: &mut Made, number: u64) -> Result<(), String>;
}

impl<K: Stepping> Source for FmuAs<K> {
    fn make(setup: &Setup) -> Result<Self, String> {
        let made = Made::of(setup)?;
        let kind = K::of(setup, &made)?;
        Ok(Self { made, kind })
    }

    fn initialise(&mut self) -> Result<(), String> {
        self.kind.initialise(&mut self.made)
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        let Made { inputs, instance, .. } = &mut self.made;
        inputs.set(instance, values).map_err(told)
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<(), String> {
        self.kind.step(&mut self.made, number)
    }

    #[inline]
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), String> {
        let Made { outputs, instance, .. } = &mut self.made;
        outputs.read(instance, values).map_err(told)
    }

    #[inline]
    fn texts(&mut self, words: &mut [u64]) -> Result<(), String> {
        let Made { texts, instance, .. } = &mut self.made;
        texts.read(instance, words).map_err(told)
    }

    fn counts(&self) -> Counts {
        Counts { log_lines: self.made.instance.log_lines(), ..self.made.counts }
    }

    fn end(&mut self) {
        self.made.end();
    }
}

/// An FMU that steps itself.
pub(super) struct CoSimulation;

impl Stepping for CoSimulation {
    fn of(_setup: &Setup, _made: &Made) -> Result<Self, String> {
        Ok(Self)
    }

    #[inline]
    fn step(&mut self, made: &mut Made, number: u64) -> Result<(), String> {
        let Times { step, .. } = made.times;
        let time = made.times.at(number);
        let stepped = made.instance.do_step(time, step).map_err(told)?;
        let counts = &mut made.counts;
        match stepped.status {
            Status::Ok | Status::Warning => {
                let missed = (stepped.last_successful_time_s - (time + step)).abs();
                counts.other_times += u64::from(missed > step * REACHED);
            }
            Status::Discard => counts.discarded += 1,
            status => return Err(format!("its step returned {}", status.name())),
        }
        counts.early_returns += u64::from(stepped.early_return);
        counts.events += u64::from(stepped.event_needed);
        match stepped.terminate {
            true => Err(ENDS.to_owned()),
            false => Ok(()),
        }
    }
}
