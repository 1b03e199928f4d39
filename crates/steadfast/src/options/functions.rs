//! Which functions of a shared library belong to the model.

use clap::Args;
use model_file::{Functions, Library, Refused};

use crate::options::parameters::help_of;

/// Options for libraries whose functions do not have the names that Embedded Coder gives. Their
/// help is that of the parameters of the measurement `model`.
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
    pub(crate) fn typed(&self) -> [(&'static str, Option<&str>); 3] {
        [("init", &self.init), ("step", &self.step), ("end", &self.end)]
            .map(|(flag, name)| (flag, name.as_deref()))
    }

    pub(crate) fn first(&self) -> Option<&'static str> {
        self.typed().into_iter().find_map(|(flag, name)| name.map(|_| flag))
    }

    pub(crate) fn of(&self, library: &Library) -> Result<Functions, Refused> {
        let [init, step, end] = self.typed().map(|(_, name)| name);
        library.functions(init, step, end)
    }
}
