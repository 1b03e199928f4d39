//! The kind of model that a run names.

use plan::{NOWHERE, RunSpec};

/// The kind of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// An archive as defined by FMI.
    Fmu,
    Library,
    /// A process that attaches.
    Program,
}

impl What {
    const ALL: [(&str, Self); 3] =
        [("fmu", Self::Fmu), ("library", Self::Library), ("program", Self::Program)];

    /// Returns the kind that a run names.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let is_named = |(flag, _): &&(&str, Self)| spec.parameters.word(flag) != NOWHERE;
        let named: Vec<_> = Self::ALL.iter().filter(is_named).collect();
        match named[..] {
            [(_, what)] => Ok(*what),
            [] => Err("model: no model given; name it with --fmu FILE.fmu, --library FILE.so or \
                       --program COMMAND"
                .to_owned()),
            [(first, _), (second, _), ..] => {
                Err(format!("--{first} and --{second} are two models; name one of them"))
            }
        }
    }

    /// Returns the option that names it.
    pub(super) fn flag(self) -> &'static str {
        let all = Self::ALL.iter();
        all.clone().find(|(_, what)| *what == self).map_or("", |(flag, _)| flag)
    }
}
