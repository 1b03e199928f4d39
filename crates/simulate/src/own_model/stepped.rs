//! The user's own model when it is stepped outside a run, for an audit.

use std::path::{Path, PathBuf};

use model_file::{Interval, Kind};
use record::RunSpec;

use super::countdown::{Ticker, read_countdowns};
use super::exchange::ModelExchange;
use super::fmu::{CoSimulation, FmuAs, Made, Stepping};
use super::library::LibrarySource;
use super::program::Program;
use super::setup::{Origin, Setup};
use super::source::Source;

/// A model whose files were read and checked against a run's options; none of its code was run.
#[derive(Debug)]
pub struct Readable(Setup);

pub struct Stepped {
    source: Box<dyn Source>,
    /// Its inputs at the start.
    inputs: Vec<Option<f64>>,
    outputs: Vec<f64>,
    /// Whether each output may be infinite.
    may_be_infinite: Vec<bool>,
}

impl Readable {
    /// # Errors
    /// One line that names the option or the file, and what is wrong.
    pub fn of(spec: &RunSpec) -> Result<Self, String> {
        Setup::of(spec).map(Self)
    }

    /// Returns whether the model is a separate process, which attaches to the one that steps it.
    pub fn attaches(&self) -> bool {
        matches!(self.0.origin, Origin::Program(_))
    }

    pub fn interface(&self) -> &'static str {
        self.0.interface
    }

    pub fn file(&self) -> PathBuf {
        match &self.0.origin {
            Origin::Library(library) => library.path.clone(),
            Origin::Fmu(fmu) => fmu.archive.path.clone(),
            Origin::Program(command) => command.into(),
        }
    }

    /// Returns whether a file of code belongs to the model, judged by its name, since each process
    /// unpacks an FMU's file again. The file of a program is the first word of its command.
    pub fn is_own(&self, code: &Path) -> bool {
        let binary = match &self.0.origin {
            Origin::Fmu(fmu) => fmu.archive.library(fmu.kind).unwrap_or_default().into(),
            Origin::Program(line) => line.split_whitespace().next().unwrap_or_default().into(),
            Origin::Library(library) => library.path.clone(),
        };
        code.file_name().is_some() && code.file_name() == binary.file_name()
    }

    /// Loads the model and creates an instance with its start values.
    ///
    /// # Errors
    /// Says in one line what is wrong.
    pub fn instantiate(&mut self) -> Result<Stepped, String> {
        self.0.unpack()?;
        let setup = &self.0;
        let source: Box<dyn Source> = match setup.clocks[..] {
            [] => with_source!(setup, S => Box::new(S::make(setup)?)),
            _ => Box::new(FmuAs::<Ticked>::make(setup)?),
        };
        let names = source.output_names(setup);
        Ok(Stepped {
            outputs: vec![0.0; names.len()],
            may_be_infinite: names.iter().map(|name| setup.may_be_infinite(name)).collect(),
            inputs: setup.inputs.at_start(),
            source,
        })
    }
}

impl Stepped {
    /// # Errors
    /// Says in a few words what the model did.
    pub fn initialise(&mut self) -> Result<(), String> {
        self.source.initialise(&self.inputs)
    }

    /// Computes the step of that number, the first being 0.
    ///
    /// # Errors
    /// Says in a few words what the model did.
    #[inline]
    pub fn step(&mut self, number: u64) -> Result<(), String> {
        self.source.step(number).map(drop)
    }

    /// Returns the outputs after the last step.
    ///
    /// # Errors
    /// Says in a few words what the model did.
    pub fn outputs(&mut self) -> Result<&[f64], String> {
        self.source.outputs(&mut self.outputs)?;
        Ok(&self.outputs)
    }

    /// Returns how many of the outputs that were read last are NaN, or infinite without permission.
    pub fn wrong_outputs(&self) -> u64 {
        // Comparing numbers would raise flags of the floating-point unit.
        const INFINITE: u64 = f64::INFINITY.to_bits();
        let outputs = self.outputs.iter().zip(&self.may_be_infinite);
        let is_wrong = |(value, may_be_infinite): &(&f64, &bool)| {
            let magnitude = value.to_bits() & !(1 << 63);
            magnitude > INFINITE || magnitude == INFINITE && !**may_be_infinite
        };
        outputs.filter(is_wrong).count() as u64
    }

    /// Returns how many lines the model has logged so far.
    pub fn log_lines(&self) -> u64 {
        self.source.counts().log_lines
    }

    /// Returns how many steps were discarded, or ended at a different time than requested.
    pub fn incomplete(&self) -> u64 {
        let counts = self.source.counts();
        counts.discarded + counts.early_returns + counts.other_times
    }

    pub fn end(&mut self) {
        self.source.finish();
        self.source.end();
    }
}

/// An FMU for Scheduled Execution whose clocks tick in one thread, in sequence and as fast as
/// possible. A step is a period of the fastest clock.
struct Ticked {
    clocks: Vec<Ticker>,
    /// Length of a step, in nanoseconds.
    step: u64,
}

impl Stepping for Ticked {
    fn of(setup: &Setup, _made: &Made) -> Result<Self, String> {
        Ok(Self {
            step: setup.clocks.first().map_or(1, |clock| clock.period.0),
            clocks: Ticker::all(&setup.clocks),
        })
    }

    fn initialise(&mut self, made: &mut Made, inputs: &[Option<f64>]) -> Result<(), String> {
        made.initialise(inputs)?;
        let is_changing = |ticker: &&Ticker| ticker.clock.interval == Interval::Changing;
        for changing in self.clocks.iter().filter(is_changing) {
            changing.countdown.start(made.times.start + changing.clock.shift);
        }
        Ok(())
    }

    /// Runs every clock that is due in the step, the fastest first.
    #[inline]
    fn step(&mut self, made: &mut Made, number: u64) -> Result<bool, String> {
        let task = made.instance.task().ok_or("it has no clocks")?;
        let now = number.saturating_mul(self.step);
        for ticker in &self.clocks {
            let clock = &ticker.clock;
            let since = now.checked_sub((clock.shift * 1e9) as u64);
            if since.is_none_or(|since| since % clock.period.0 >= self.step) {
                continue;
            }
            let time = made.times.start + now as f64 / 1e9;
            let Some(due) = ticker.due(time) else {
                continue;
            };
            ticker.tick(&task, due, time)?;
            made.counts.events += u64::from(clock.is_of_model());
            read_countdowns(&self.clocks, &task, time)?;
        }
        Ok(true)
    }
}
