//! An FMU as a model: the part that all kinds share, and Co-Simulation.

use rt::fmi::{Asked, Failed, Instance, Kind, Status, Version};
use rt::library::Library;

use super::setup::{Fmu, Setup};
use super::source::{Counts, Source};
use super::texts::Texts;
use super::times::Times;
use super::values::Values;
use super::variables::{Start, StartValue};

/// Tolerance, as a share of the step, within which a step has reached the requested time.
const REACHED: f64 = 1e-6;
/// The error of a model that may end its simulation at any step.
pub(super) const ENDS: &str =
    "it requested the end of the simulation, so only shorter runs are possible";

/// An instance of an FMU, with memory for what is set and read at each step.
pub(super) struct Made {
    pub(super) instance: Instance,
    pub(super) times: Times,
    /// Counts of its steps, without the lines that it logged.
    pub(super) counts: Counts,
    pub(super) inputs: Values,
    /// Inputs that can be set only in events.
    pub(super) inputs_of_events: Values,
    outputs: Values,
    texts: Texts,
    tolerance: Option<f64>,
}

impl Made {
    /// Instantiates the FMU of a setup, and sets its start values.
    pub(super) fn of(setup: &Setup) -> Result<Self, String> {
        let fmu = setup.fmu()?;
        let description = &fmu.archive.description;
        let is_two = description.version == Version::Two;
        let instance = instance(fmu, &setup.instance_name)?;
        set_starts(&instance, &fmu.starts, is_two)?;
        let is_of_events =
            |place: usize| fmu.kind == Kind::ModelExchange && setup.inputs.holds[place];
        Ok(Self {
            instance,
            times: setup.times,
            counts: Counts::default(),
            inputs: Values::of_those(&setup.set, is_two, |place| !is_of_events(place)),
            inputs_of_events: Values::of_those(&setup.set, is_two, is_of_events),
            outputs: Values::of(&setup.outputs, is_two),
            texts: Texts::of(&setup.texts),
            tolerance: description.experiment.tolerance,
        })
    }

    /// Initialises the instance, which then is in the mode that follows for its kind; returns the
    /// values of its inputs. They are set between the begin and the end of the initialisation: FMI
    /// 2.0.4, sections 3.2.4 and 4.2.4; FMI 3.0.2, section 2.3.3.
    pub(super) fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<Vec<f64>, String> {
        let Self { instance, times, tolerance, .. } = &*self;
        instance.enter_initialization(times.start, *tolerance).map_err(message)?;
        let values = self.set_first_inputs(inputs).map_err(message)?;
        self.instance.exit_initialization().map_err(message)?;
        Ok(values)
    }

    /// Sets the inputs that are known; the others keep their start values.
    fn set_first_inputs(&mut self, known: &[Option<f64>]) -> Result<Vec<f64>, Failed> {
        let Self { instance, inputs, inputs_of_events, .. } = self;
        let mut values = vec![0.0; known.len()];
        let mut all = [inputs, inputs_of_events];
        if known.contains(&None) {
            all.iter_mut().try_for_each(|some| some.read(instance.variables(), &mut values))?;
        }
        for (value, known) in values.iter_mut().zip(known) {
            *value = known.unwrap_or(*value);
        }
        if known.iter().any(Option::is_some) {
            all.iter_mut().try_for_each(|some| some.set(instance.variables(), &values))?;
        }
        Ok(values)
    }

    pub(super) fn end(&self) {
        // An error at the end changes nothing in the measurement.
        let _ = self.instance.terminate();
    }
}

/// Sets start values before the initialisation; those of structural parameters come first, in
/// Configuration Mode: FMI 3.0.2, section 2.3.2.
fn set_starts(instance: &Instance, starts: &[Start], is_two: bool) -> Result<(), String> {
    let of = |is_structural| starts.iter().filter(move |one| one.is_structural == is_structural);
    if of(true).next().is_some() {
        instance.enter_configuration_mode().map_err(message)?;
        of(true).try_for_each(|start| set_start(instance, start, is_two))?;
        instance.exit_configuration_mode().map_err(message)?;
    }
    of(false).try_for_each(|start| set_start(instance, start, is_two))
}

fn set_start(instance: &Instance, start: &Start, is_two: bool) -> Result<(), String> {
    let variables = instance.variables();
    let set = match &start.value {
        StartValue::Text { reference, text } => variables.set_text(*reference, text),
        StartValue::Binary { reference, data } => variables.set_binary(*reference, data),
        StartValue::Numbers(values, numbers) => Values::of(values, is_two).set(variables, numbers),
    };
    set.map_err(|why| format!("`{}` cannot be set: {why}", start.name))
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(super) fn message(error: Failed) -> String {
    error.to_string()
}

fn instance(fmu: &Fmu, name: &str) -> Result<Instance, String> {
    let (files, _) = fmu.files.as_ref().ok_or("its files are not unpacked")?;
    let description = &fmu.archive.description;
    let interface = description.interface(fmu.kind);
    let identifier = interface.map_or("", |interface| &interface.model_identifier);
    let library = Library::open(&files.library)?;
    let asked = Asked {
        version: description.version,
        kind: fmu.kind,
        identifier,
        name,
        token: &description.token,
        resources: &files.resources,
        logging: fmu.logs,
        early_return: false,
    };
    Instance::new(&library, &asked).map_err(message)
}

/// An FMU with the interface for which it was instantiated.
pub(super) struct FmuAs<K> {
    pub(super) made: Made,
    kind: K,
}

/// How an FMU with this interface is initialised and stepped.
pub(super) trait Stepping: Send + Sized {
    /// As [`Source::sets_inputs_last`].
    const SETS_INPUTS_LAST: bool = false;

    fn of(setup: &Setup, made: &Made) -> Result<Self, String>;

    fn initialise(&mut self, made: &mut Made, inputs: &[Option<f64>]) -> Result<(), String> {
        made.initialise(inputs).map(drop)
    }

    #[inline]
    fn set_inputs(&mut self, made: &mut Made, values: &[f64]) -> Result<(), String> {
        made.inputs.set(made.instance.variables(), values).map_err(message)
    }

    fn step(&mut self, made: &mut Made, number: u64) -> Result<bool, String>;
}

impl<K: Stepping> Source for FmuAs<K> {
    #[inline]
    fn sets_inputs_last(&self) -> bool {
        K::SETS_INPUTS_LAST
    }

    fn make(setup: &Setup) -> Result<Self, String> {
        let made = Made::of(setup)?;
        let kind = K::of(setup, &made)?;
        Ok(Self { made, kind })
    }

    fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<(), String> {
        self.kind.initialise(&mut self.made, inputs)
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        self.kind.set_inputs(&mut self.made, values)
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<bool, String> {
        self.kind.step(&mut self.made, number)
    }

    #[inline]
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), String> {
        let Made { outputs, instance, .. } = &mut self.made;
        outputs.read(instance.variables(), values).map_err(message)
    }

    #[inline]
    fn texts(&mut self, words: &mut [u64]) -> Result<(), String> {
        let Made { texts, instance, .. } = &mut self.made;
        texts.read(instance.variables(), words).map_err(message)
    }

    fn counts(&self) -> Counts {
        let instance = &self.made.instance;
        let (log_lines, warnings) = (instance.log_lines(), instance.warnings());
        Counts { log_lines, warnings, ..self.made.counts }
    }

    fn end(&mut self) {
        self.made.end();
    }
}

/// The Co-Simulation interface: the FMU steps itself.
pub(super) struct CoSimulation;

impl Stepping for CoSimulation {
    fn of(_setup: &Setup, _made: &Made) -> Result<Self, String> {
        Ok(Self)
    }

    #[inline]
    fn step(&mut self, made: &mut Made, number: u64) -> Result<bool, String> {
        let Times { step, .. } = made.times;
        let time = made.times.at(number);
        let stepped = made.instance.do_step(time, step).map_err(message)?;
        let is_discarded = match stepped.status {
            Status::Ok | Status::Warning => false,
            Status::Discard => true,
            status => return Err(format!("its step returned {}", status.name())),
        };
        let off = (stepped.last_successful_time_s - (time + step)).abs();
        // Doubles near a time may be farther apart than that share of a step.
        let is_reached = off <= step * REACHED + time.abs() * 2.0 * f64::EPSILON;
        let counts = &mut made.counts;
        counts.discarded += u64::from(is_discarded);
        counts.other_times += u64::from(!is_discarded && !is_reached);
        counts.early_returns += u64::from(stepped.early_return);
        counts.events += u64::from(stepped.event_needed);
        let is_made = is_reached && !is_discarded && !stepped.early_return;
        if stepped.terminate { Err(ENDS.to_owned()) } else { Ok(is_made) }
    }
}
