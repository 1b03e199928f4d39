//! The model as the audit steps it.

use std::path::Path;

use model::{Content, Source};
use rt::library::{Function, Library};

use crate::order::Request;

/// A model's file, read and held against what was asked, nothing of it run yet.
#[derive(Debug)]
pub(crate) struct Readable {
    source: Source,
    functions: model::Functions,
}

/// A model that was loaded.
#[derive(Debug)]
pub(crate) struct Stepped {
    init: Option<Function>,
    steps: Vec<Function>,
    end: Option<Function>,
}

impl Readable {
    /// Reads the model's file.
    ///
    /// # Errors
    /// One line: what is wrong with it, or with what was asked.
    pub(crate) fn of(request: &Request) -> Result<Self, String> {
        let source = Source::open(&request.file).map_err(|error| error.to_string())?;
        let Content::Library(library) = &source.content else {
            return Err("FMUs are not audited yet".to_owned());
        };
        let [init, step, end] = [
            &request.functions.init,
            &request.functions.step,
            &request.functions.end,
        ];
        let functions = library.functions(init.as_deref(), step.as_deref(), end.as_deref());
        let functions = functions.map_err(|error| error.to_string())?;
        Ok(Self { source, functions })
    }

    /// How it is stepped.
    pub(crate) fn interface(&self) -> &'static str {
        "library"
    }

    /// Whether a file is the model's own code.
    pub(crate) fn is_own(&self, file: &Path) -> bool {
        file.file_name().is_some() && file.file_name() == self.source.path.file_name()
    }

    /// Loads it, which runs what it does when it is loaded, and makes an instance.
    ///
    /// # Errors
    /// One line.
    pub(crate) fn instantiate(&self) -> Result<Stepped, String> {
        let library = Library::open(&self.source.path).map_err(|error| error.to_string())?;
        let function = |name: &String| {
            library
                .function(name)
                .ok_or_else(|| format!("its `{name}` is no function"))
        };
        Ok(Stepped {
            init: self
                .functions
                .initialize
                .as_ref()
                .map(function)
                .transpose()?,
            steps: self
                .functions
                .steps
                .iter()
                .map(function)
                .collect::<Result<_, _>>()?,
            end: self
                .functions
                .terminate
                .as_ref()
                .map(function)
                .transpose()?,
        })
    }
}

impl Stepped {
    pub(crate) fn initialise(&mut self) -> Result<(), String> {
        if let Some(init) = self.init {
            init.call();
        }
        Ok(())
    }

    /// Makes the step of that number.
    pub(crate) fn step(&mut self, _number: u64) -> Result<(), String> {
        self.steps.iter().for_each(|step| step.call());
        Ok(())
    }

    /// The outputs after the last step.
    pub(crate) fn outputs(&mut self) -> Result<&[f64], String> {
        Ok(&[])
    }

    /// Lines that it has logged so far.
    pub(crate) fn log_lines(&self) -> u64 {
        0
    }

    pub(crate) fn end(&mut self) {
        if let Some(end) = self.end {
            end.call();
        }
    }
}
