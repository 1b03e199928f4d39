//! What can be a member of a mix.

use plan::{NOWHERE, RunSpec};

use crate::model::held::AnyModel;
use crate::{Abort, own_model, tire, wait};

/// Makes the model of a run, before whose threads so many others are numbered.
type Make = for<'a> fn(&'a RunSpec, usize) -> Result<Box<dyn AnyModel<'a> + 'a>, String>;

/// The measurements whose models can be members, and what makes them.
const KINDS: &[(&str, Make)] = &[
    (tire::NAME, tire::member),
    (own_model::NAME, own_model::member),
    (wait::NAME, wait::member),
];

/// The model of a member.
pub(super) fn made(
    run: &RunSpec,
    first_thread: usize,
) -> Result<Box<dyn AnyModel<'_> + '_>, String> {
    let kind = KINDS.iter().find(|(name, _)| *name == run.measurement);
    let (_, make) = kind.ok_or_else(|| format!("{} is no model", run.measurement))?;
    make(run, first_thread)
}

/// Whether its steps are computed in a process of its own.
pub(super) fn is_program(run: &RunSpec) -> bool {
    let program = run.parameters.word("program");
    !program.is_empty() && program != NOWHERE
}

/// A reason in words.
pub(crate) fn why(abort: Abort) -> String {
    match abort {
        Abort::Failed(why) => why,
        Abort::Conditions => "its conditions cannot be had".to_owned(),
    }
}
