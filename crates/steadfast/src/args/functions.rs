//! Which functions of a shared library are those of a model.

use clap::Args;
use model::{Functions, Library, Refused};

/// Of whatever takes a library that names its functions otherwise than Embedded Coder does; the
/// words are those of the parameters of the measurement `model`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FunctionArgs {
    /// Function of a library to begin with, where NAME_initialize is not it
    #[arg(long, value_name = "FUNCTION")]
    init: Option<String>,
    /// Its function for a step, where NAME_step is not it
    #[arg(long, value_name = "FUNCTION")]
    step: Option<String>,
    /// Its function to end with, where NAME_terminate is not it
    #[arg(long, value_name = "FUNCTION")]
    end: Option<String>,
}

impl FunctionArgs {
    /// Each flag with what was typed for it.
    pub(crate) fn typed(&self) -> [(&'static str, Option<&str>); 3] {
        [
            ("init", self.init.as_deref()),
            ("step", self.step.as_deref()),
            ("end", self.end.as_deref()),
        ]
    }

    /// The first flag that was typed.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let mut all = self.typed().into_iter();
        all.find_map(|(flag, name)| name.map(|_| flag))
    }

    /// The functions of a model in a library.
    ///
    /// # Errors
    /// As [`Library::functions`].
    pub(crate) fn of(&self, library: &Library) -> Result<Functions, Refused> {
        let [init, step, end] = self.typed().map(|(_, name)| name);
        library.functions(init, step, end)
    }
}
