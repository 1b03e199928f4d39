//! What was typed for a model and is another one's.

use plan::{NOWHERE, RunSpec};

use super::parameters::{INTEGRATORS, INTERFACES};
use super::what::What;
use crate::model::REAL_TIME;

/// Refuses what was typed and this source does not have.
pub(super) fn of_other_sources(spec: &RunSpec, what: What) -> Result<(), String> {
    let of_library = [("init", NOWHERE), ("step", NOWHERE), ("end", NOWHERE), ("every", NOWHERE)];
    let of_fmus = [
        ("set", NOWHERE),
        ("interface", INTERFACES[0]),
        ("tick", NOWHERE),
        ("integrator", INTEGRATORS[0]),
        ("log", "off"),
    ];
    let is_typed = |(flag, usual): &&(&str, &str)| spec.parameters.word(flag) != *usual;
    let typed = |flags: &[(&'static str, &str)]| flags.iter().find(is_typed).map(|(flag, _)| *flag);
    let has_input = typed(&[("input", NOWHERE)]).is_some();
    match (typed(&of_library), typed(&of_fmus)) {
        (Some(flag), _) if what != What::Library => {
            Err(format!("--{flag}: only a library has functions to name; leave it out"))
        }
        (_, Some(flag)) if what != What::Fmu => {
            Err(format!("--{flag}: only an FMU says what its variables are; leave it out"))
        }
        _ if has_input && what == What::Library => Err(
            "--input: the functions of a library take nothing, so that it has no inputs; leave it \
             out"
            .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// Refuses what the clocks of a scheduled execution do not have.
pub(super) fn of_stepped_models(spec: &RunSpec) -> Result<(), String> {
    let parameters = &spec.parameters;
    let is_once = |flag: &&&str| parameters.count(flag) > 1;
    let several = ["instances", "threads"].iter().find(is_once);
    let flag = match several {
        Some(flag) => flag,
        None if parameters.word("mode") != REAL_TIME => "mode",
        None => return Ok(()),
    };
    Err(format!(
        "--{flag}: a scheduled execution has one instance whose clocks tick in real time; leave it \
         out"
    ))
}

/// Refuses what models without clocks do not have.
pub(super) fn of_clocks(spec: &RunSpec) -> Result<(), String> {
    match spec.parameters.word("tick") {
        NOWHERE => Ok(()),
        _ => Err("--tick: only a scheduled execution has clocks; leave it out".to_owned()),
    }
}
