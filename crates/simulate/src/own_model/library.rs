//! A model made of functions of a shared library.

use model_file::StartValue;
use rt::library::{Function, Library};

use super::setup::{Origin, Setup};
use super::source::Source;

/// A loaded library. It declares neither inputs nor outputs.
pub(super) struct LibrarySource {
    initialize: Option<Function>,
    /// The name of the start function, if it returns whether it succeeded.
    start_with_status: Option<String>,
    /// The function of each rate, base rate first, and the steps from one call to the next.
    steps: Vec<(Function, u64)>,
    terminate: Option<Function>,
}

impl Source for LibrarySource {
    fn make(setup: &Setup) -> Result<Self, String> {
        let Origin::Library(own) = &setup.origin else {
            return Err("it is not a library".to_owned());
        };
        let library = Library::open(&own.path)?;
        for StartValue { name, bytes } in &own.starts {
            if !library.set_variable(name, bytes) {
                return Err(format!("its `{name}` is not a variable"));
            }
        }
        let function = |name: &String| {
            let function = library.function(name);
            function.ok_or_else(|| format!("its `{name}` is not a function"))
        };
        let steps = own.functions.steps.iter().zip(&own.every);
        let steps = steps.map(|(name, every)| Ok((function(name)?, *every)));
        Ok(Self {
            start_with_status: own.start_with_status.clone(),
            initialize: own.functions.initialize.as_ref().map(function).transpose()?,
            steps: steps.collect::<Result<_, String>>()?,
            terminate: own.functions.terminate.as_ref().map(function).transpose()?,
        })
    }

    fn initialise(&mut self, _inputs: &[Option<f64>]) -> Result<(), String> {
        let status = self.initialize.map_or(0, Function::call);
        match &self.start_with_status {
            Some(name) if status != 0 => Err(format!("its `{name}` returned {status}, not 0")),
            _ => Ok(()),
        }
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<bool, String> {
        for (step, every) in &self.steps {
            if *every == 1 || number.is_multiple_of(*every) {
                step.call();
            }
        }
        Ok(true)
    }

    fn end(&mut self) {
        if let Some(terminate) = self.terminate {
            terminate.call();
        }
    }
}
