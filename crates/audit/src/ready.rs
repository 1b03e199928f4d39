//! A model before its first step and after its last one.

use std::sync::OnceLock;

use measure::{Readable, Stepped};
use rt::process::{self, Pid};
use rt::progress::{Phase, Stage};

/// Prepares a model for its first step. `loaded` is called after the model is loaded and before it
/// is initialised.
pub(crate) fn ready(
    model: &mut Readable,
    stage: &Stage,
    loaded: impl FnOnce(&Readable),
) -> Result<Stepped, String> {
    leave_if_forked();
    stage.enter(0, Phase::Instantiation, 0);
    let instantiated = model.instantiate();
    // A model that returns has not broken this process, also if it refused.
    stage.leave(0);
    let mut stepped = instantiated?;
    loaded(model);
    stage.enter(0, Phase::Initialisation, 0);
    let initialised = stepped.initialise();
    stage.leave(0);
    leave_if_forked();
    initialised.map(|()| stepped)
}

/// Ends this process where the model has forked it: the copy must not step and report too. Called
/// first by the process that was started.
pub(crate) fn leave_if_forked() {
    static STARTED: OnceLock<Pid> = OnceLock::new();
    if *STARTED.get_or_init(process::this) != process::this() {
        process::end_at_once();
    }
}

pub(crate) fn ended(stepped: &mut Stepped, stage: &Stage) {
    stage.enter(0, Phase::Termination, 0);
    stepped.end();
    stage.leave(0);
}
