//! Which kind of model a run names.

use plan::{NOWHERE, RunSpec};

/// Where a model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// An archive of FMI's.
    Fmu,
    /// Functions of a shared library.
    Library,
    /// A process that attaches.
    Program,
}

impl What {
    const ALL: [(&str, Self); 3] =
        [("fmu", Self::Fmu), ("library", Self::Library), ("program", Self::Program)];

    /// The one that a run names.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let is_named = |(flag, _): &&(&str, Self)| spec.parameters.word(flag) != NOWHERE;
        let named: Vec<_> = Self::ALL.iter().filter(is_named).collect();
        match named[..] {
            [(_, what)] => Ok(*what),
            [] => Err("model: which one? Name it with --fmu FILE.fmu, --library FILE.so or \
                       --program COMMAND"
                .to_owned()),
            [(one, _), (other, _), ..] => {
                Err(format!("--{one} and --{other} are two models; name one of them"))
            }
        }
    }

    /// The flag that names it.
    pub(super) fn flag(self) -> &'static str {
        let all = Self::ALL.iter();
        all.clone().find(|(_, what)| *what == self).map_or("", |(flag, _)| flag)
    }
}
