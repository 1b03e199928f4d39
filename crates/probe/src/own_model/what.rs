//! The kind of model that a run names.

use plan::{NOWHERE, RunSpec};

units::named! {
    /// The kind of a model, by the option that names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum What {
        /// An archive as defined by FMI.
        Fmu = "fmu",
        Library = "library",
        /// A process that attaches.
        Program = "program",
    }
}

impl What {
    /// Returns the kind that a run names.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let is_named = |what: &Self| spec.parameters.word(what.name()) != NOWHERE;
        let named: Vec<Self> = Self::ALL.into_iter().filter(is_named).collect();
        match named[..] {
            [what] => Ok(what),
            [] => Err("model: no model given; name it with --fmu FILE.fmu, --library FILE.so or \
                       --program COMMAND"
                .to_owned()),
            [first, second, ..] => Err(format!(
                "--{} and --{} are two models; name one of them",
                first.name(),
                second.name()
            )),
        }
    }
}
