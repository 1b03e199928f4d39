//! Refuses options that apply to a different kind of model.

use plan::{NOWHERE, RunSpec};

use super::parameters::{INTEGRATORS, INTERFACES};
use super::what::What;
use crate::model::REAL_TIME;

/// Refuses options that this source does not have.
pub(super) fn of_other_sources(spec: &RunSpec, what: What) -> Result<(), String> {
    let of_library = [("init", NOWHERE), ("step", NOWHERE), ("end", NOWHERE), ("every", NOWHERE)];
    let of_fmus = [
        ("interface", INTERFACES[0]),
        ("tick", NOWHERE),
        ("integrator", INTEGRATORS[0]),
        ("log", "off"),
    ];
    let is_typed = |(flag, usual): &&(&str, &str)| spec.parameters.word(flag) != *usual;
    let typed = |flags: &[(&'static str, &str)]| flags.iter().find(is_typed).map(|(flag, _)| *flag);
    let has_input = typed(&[("input", NOWHERE)]).is_some();
    let has_start = typed(&[("set", NOWHERE)]).is_some();
    match (typed(&of_library), typed(&of_fmus)) {
        (Some(flag), _) if what != What::Library => {
            Err(format!("--{flag}: applies only to a library, whose functions it names; omit it"))
        }
        (_, Some(flag)) if what != What::Fmu => {
            Err(format!("--{flag}: applies only to an FMU, which describes its variables; omit it"))
        }
        _ if has_start && what == What::Program => {
            Err("--set: a program has no variables with names; leave it out".to_owned())
        }
        _ if has_input && what == What::Library => Err(
            "--input: a library has no inputs, because its functions take no parameters; omit it"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// Refuses options that the clocks of a Scheduled Execution do not have.
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
        "--{flag}: a Scheduled Execution has one instance whose clocks tick in real time; omit it"
    ))
}

/// Refuses options that models without clocks do not have.
pub(super) fn of_clocks(spec: &RunSpec) -> Result<(), String> {
    match spec.parameters.word("tick") {
        NOWHERE => Ok(()),
        _ => Err("--tick: only a Scheduled Execution has clocks; omit it".to_owned()),
    }
}
