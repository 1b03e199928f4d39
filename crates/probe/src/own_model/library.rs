//! Functions of a shared library as a model.

use rt::library::{Function, Library};

use super::setup::{Origin, Setup};
use super::source::Source;

/// A library that was loaded. It has neither inputs nor outputs that it names.
pub(super) struct LibrarySource {
    initialize: Option<Function>,
    /// The function of each rate, that of the base rate first, and each how many steps it is
    /// called.
    steps: Vec<(Function, u64)>,
    terminate: Option<Function>,
}

impl Source for LibrarySource {
    fn make(setup: &Setup) -> Result<Self, String> {
        let Origin::Library(path, functions) = &setup.origin else {
            return Err("it is no library".to_owned());
        };
        let library = Library::open(path).map_err(|error| error.to_string())?;
        let function = |name: &String| {
            let function = library.function(name);
            function.ok_or_else(|| format!("its `{name}` is no function"))
        };
        let steps = functions.steps.iter().zip(&setup.every);
        let steps = steps.map(|(name, every)| Ok((function(name)?, *every)));
        Ok(Self {
            initialize: functions.initialize.as_ref().map(function).transpose()?,
            steps: steps.collect::<Result<_, String>>()?,
            terminate: functions.terminate.as_ref().map(function).transpose()?,
        })
    }

    fn initialise(&mut self) -> Result<(), String> {
        if let Some(initialize) = self.initialize {
            initialize.call();
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<(), String> {
        for (step, every) in &self.steps {
            if *every == 1 || number.is_multiple_of(*every) {
                step.call();
            }
        }
        Ok(())
    }

    fn end(&mut self) {
        if let Some(terminate) = self.terminate {
            terminate.call();
        }
    }
}
