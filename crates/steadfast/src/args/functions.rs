//! Which functions of a shared library are those of a model.

use clap::Args;
use model::{Functions, Library, Refused};

use crate::parameters::help_of;

/// Of whatever takes a library that names its functions otherwise than Embedded Coder does; the
/// words are those of the parameters of the measurement `model`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FunctionArgs {
    #[arg(long, value_name = "FUNCTION", help = help_of("init"))]
    init: Option<String>,
    #[arg(long, value_name = "FUNCTION", help = help_of("step"))]
    step: Option<String>,
    #[arg(long, value_name = "FUNCTION", help = help_of("end"))]
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
