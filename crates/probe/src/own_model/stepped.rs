//! A person's own model, stepped by somebody else than a run: an audit.

use std::path::{Path, PathBuf};

use ::model::Kind;
use plan::RunSpec;
use tempfile::TempDir;

use super::exchange::ModelExchange;
use super::fmu::{CoSimulation, FmuAs};
use super::library::LibrarySource;
use super::program::Program;
use super::setup::{Origin, Setup};
use super::source::Source;
use super::ticked::Ticked;

/// A model whose files were read and held against what a run asks for; nothing of it was run.
#[derive(Debug)]
pub struct Readable(Setup);

/// A model that was loaded, and can be stepped.
pub struct Stepped {
    source: Box<dyn Source>,
    outputs: Vec<f64>,
    /// The files of an FMU go with it.
    _folder: Option<TempDir>,
}

impl Readable {
    /// The model that a run asks for.
    ///
    /// # Errors
    /// One line that names the flag or the file, and what is wrong.
    pub fn of(spec: &RunSpec) -> Result<Self, String> {
        Setup::of(spec).map(Self)
    }

    /// Whether it is a process of its own, which attaches to the one that steps it.
    #[must_use]
    pub fn attaches(&self) -> bool {
        matches!(self.0.origin, Origin::Program(_))
    }

    /// How it is stepped.
    #[must_use]
    pub fn interface(&self) -> &'static str {
        self.0.interface
    }

    /// The file that was named.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        match &self.0.origin {
            Origin::Library(path, _) => path.clone(),
            Origin::Fmu(fmu) => fmu.archive.path().to_owned(),
            Origin::Program(command) => command.into(),
        }
    }

    /// Whether a file of code is the model's own, by its name: an FMU's is unpacked anew by
    /// each process. That of a program is the first word of its command.
    #[must_use]
    pub fn is_own(&self, code: &Path) -> bool {
        let binary = match &self.0.origin {
            Origin::Fmu(fmu) => fmu.archive.library(fmu.kind).unwrap_or_default().into(),
            Origin::Program(line) => line.split_whitespace().next().unwrap_or_default().into(),
            Origin::Library(path, _) => path.clone(),
        };
        code.file_name().is_some() && code.file_name() == binary.file_name()
    }

    /// Loads it, and makes an instance with its start values.
    ///
    /// # Errors
    /// One line.
    pub fn instantiate(&mut self) -> Result<Stepped, String> {
        let folder = self.0.unpack()?;
        let setup = &self.0;
        let source: Box<dyn Source> = match &setup.origin {
            Origin::Library(..) => Box::new(LibrarySource::make(setup)?),
            Origin::Fmu(fmu) if fmu.kind == Kind::ModelExchange => {
                Box::new(FmuAs::<ModelExchange>::make(setup)?)
            }
            Origin::Fmu(fmu) if fmu.kind == Kind::ScheduledExecution => {
                Box::new(FmuAs::<Ticked>::make(setup)?)
            }
            Origin::Fmu(_) => Box::new(FmuAs::<CoSimulation>::make(setup)?),
            Origin::Program(_) => Box::new(Program::make(setup)?),
        };
        Ok(Stepped {
            outputs: vec![0.0; source.output_names(setup).len()],
            source,
            _folder: folder,
        })
    }
}

impl Stepped {
    /// Initialises it.
    ///
    /// # Errors
    /// What the model did, in a few words.
    pub fn initialise(&mut self) -> Result<(), String> {
        self.source.initialise()
    }

    /// Makes the step of that number, the first being 0.
    ///
    /// # Errors
    /// As above.
    #[inline]
    pub fn step(&mut self, number: u64) -> Result<(), String> {
        self.source.step(number)
    }

    /// Its outputs after the last step.
    ///
    /// # Errors
    /// As above.
    pub fn outputs(&mut self) -> Result<&[f64], String> {
        self.source.outputs(&mut self.outputs)?;
        Ok(&self.outputs)
    }

    /// Lines that it has logged so far.
    #[must_use]
    pub fn log_lines(&self) -> u64 {
        self.source.counts().log_lines
    }

    /// Steps so far that it did not do whole: discarded, or ended at another time than asked for.
    #[must_use]
    pub fn incomplete(&self) -> u64 {
        let counts = self.source.counts();
        counts.discarded + counts.early_returns + counts.other_times
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.source.finish();
        self.source.end();
    }
}
