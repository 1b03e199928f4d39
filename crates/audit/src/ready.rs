//! A model before its first step, and after its last one.

use probe::{Readable, Stepped};
use rt::stage::{Phase, Stage};

/// Makes a model ready for its first step; something is done when it is loaded, before it is
/// initialised.
pub(crate) fn ready(
    model: &mut Readable,
    stage: &Stage,
    loaded: impl FnOnce(&Readable),
) -> Result<Stepped, String> {
    stage.enter(0, Phase::Instantiation, 0);
    let mut stepped = model.instantiate()?;
    loaded(model);
    stage.enter(0, Phase::Initialisation, 0);
    stepped.initialise()?;
    stage.leave(0);
    Ok(stepped)
}

/// Ends a model.
pub(crate) fn ended(stepped: &mut Stepped, stage: &Stage) {
    stage.enter(0, Phase::Termination, 0);
    stepped.end();
    stage.leave(0);
}
