//! The kinds of models that can be members of a mix.

use bench::Measurement;
use record::{Member, NOWHERE, RunSpec};

use crate::model::held::BoxedModel;
use crate::model::phases::PhaseKind;
use crate::{own_model, tire, wait};

/// Creates the model of a member; the number is that of its first thread in the mix.
type Make = for<'a> fn(&'a Member, usize) -> Result<BoxedModel<'a>, String>;

struct Kind {
    /// The measurement that runs the model alone.
    alone: &'static dyn Measurement,
    phases: &'static [PhaseKind],
    make: Make,
}

const KINDS: &[Kind] = &[
    Kind { alone: &tire::Tire, phases: tire::PHASES, make: tire::member },
    Kind { alone: &own_model::Own, phases: own_model::PHASES, make: own_model::member },
    Kind { alone: &wait::Wait, phases: wait::PHASES, make: wait::member },
];

fn kind(run: &RunSpec) -> Option<&'static Kind> {
    let mut all = KINDS.iter();
    all.find(|kind| kind.alone.name() == run.measurement)
}

/// Returns the measurement that runs a member's model alone; `None` if it cannot be a member.
pub(super) fn alone(run: &RunSpec) -> Option<&'static dyn Measurement> {
    kind(run).map(|kind| kind.alone)
}

pub(super) fn phases(run: &RunSpec) -> &'static [PhaseKind] {
    kind(run).map_or(&[], |kind| kind.phases)
}

pub(super) fn made(member: &Member, first_thread: usize) -> Result<BoxedModel<'_>, String> {
    let name = &member.run.measurement;
    let kind = kind(&member.run).ok_or_else(|| format!("{name} is not a model"))?;
    (kind.make)(member, first_thread)
}

/// Returns whether the steps of a member are computed in a separate process.
pub(super) fn is_program(run: &RunSpec) -> bool {
    let program = run.parameters.program();
    !program.is_empty() && program != NOWHERE
}
