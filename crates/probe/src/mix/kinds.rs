//! What can be a member of a mix.

use plan::{NOWHERE, RunSpec};

use crate::measurement::Measurement;
use crate::model::held::AnyModel;
use crate::{own_model, tire, wait};

/// Makes the model of a run, before whose threads so many others are numbered.
type Make = for<'a> fn(&'a RunSpec, usize) -> Result<Box<dyn AnyModel<'a> + 'a>, String>;

/// What can be a member: the measurement of the model alone, and what makes the model.
struct Kind {
    alone: &'static dyn Measurement,
    make: Make,
}

const KINDS: &[Kind] = &[
    Kind { alone: &tire::Tire, make: tire::member },
    Kind { alone: &own_model::Own, make: own_model::member },
    Kind { alone: &wait::Wait, make: wait::member },
];

fn kind(run: &RunSpec) -> Option<&'static Kind> {
    let mut all = KINDS.iter();
    all.find(|kind| kind.alone.name() == run.measurement)
}

/// The measurement of a member alone; `None` of what cannot be one.
pub(super) fn alone(run: &RunSpec) -> Option<&'static dyn Measurement> {
    kind(run).map(|kind| kind.alone)
}

/// The model of a member.
pub(super) fn made(
    run: &RunSpec,
    first_thread: usize,
) -> Result<Box<dyn AnyModel<'_> + '_>, String> {
    let kind = kind(run).ok_or_else(|| format!("{} is no model", run.measurement))?;
    (kind.make)(run, first_thread)
}

/// Whether its steps are computed in a process of its own.
pub(super) fn is_program(run: &RunSpec) -> bool {
    let program = run.parameters.word("program");
    !program.is_empty() && program != NOWHERE
}
