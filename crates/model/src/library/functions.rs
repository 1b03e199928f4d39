//! Which functions of a library are those of a model.

use serde::Serialize;
use units::expected;

use crate::Refused;

/// The functions of a model, by their names in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Functions {
    /// Called once before all steps.
    pub initialize: Option<String>,
    /// Called at each step; several are called at rates of their own, the fastest first.
    pub steps: Vec<String>,
    /// Called once after all steps.
    pub terminate: Option<String>,
}

/// As many names as a line tells.
const TOLD: usize = 12;

pub(super) fn find(
    exported: &[String],
    init: Option<&str>,
    step: Option<&str>,
    end: Option<&str>,
) -> Result<Functions, Refused> {
    for name in [init, step, end].into_iter().flatten() {
        if !has(exported, name) {
            return Err(missing(exported, name));
        }
    }
    let (model, steps) = match step {
        Some(step) => (stem(step), vec![step.to_owned()]),
        None => steps(exported)?,
    };
    let beside = |suffix: &str| {
        let name = format!("{}_{suffix}", model?);
        has(exported, &name).then_some(name)
    };
    Ok(Functions {
        initialize: init.map(str::to_owned).or_else(|| beside("initialize")),
        terminate: end.map(str::to_owned).or_else(|| beside("terminate")),
        steps,
    })
}

fn has(exported: &[String], name: &str) -> bool {
    exported.iter().any(|one| one == name)
}

/// The model's name where a function is a step of one as Embedded Coder names it.
fn stem(function: &str) -> Option<&str> {
    let (model, rate) = function.rsplit_once("_step")?;
    let is_rate = rate.chars().all(|c| c.is_ascii_digit());
    (is_rate && !model.is_empty()).then_some(model)
}

/// The one model that has steps, and these in the order of their rates.
fn steps(exported: &[String]) -> Result<(Option<&str>, Vec<String>), Refused> {
    let found = exported.iter().filter_map(|name| Some((stem(name)?, name)));
    let mut found: Vec<(&str, &String)> = found.collect();
    let mut models: Vec<&str> = found.iter().map(|(model, _)| *model).collect();
    models.dedup();
    match models.as_slice() {
        [] => Err(Refused::new(format!(
            "no step is found in it, neither NAME_step nor NAME_step0; name one with --step; it exports {}",
            told(exported)
        ))),
        [model] => {
            let rate = |name: &str| name[model.len() + "_step".len()..].parse().unwrap_or(0_u64);
            found.sort_by_key(|(_, name)| rate(name));
            let names = found.iter().map(|(_, name)| (*name).clone());
            Ok((Some(*model), names.collect()))
        }
        several => Err(Refused::new(format!(
            "steps of {} models are in it ({}); name one with --step",
            several.len(),
            told(several)
        ))),
    }
}

fn missing(exported: &[String], name: &str) -> Refused {
    let there = match exported.len() {
        0..=TOLD => expected(name, exported.iter().map(String::as_str)),
        _ => format!("it exports {}", told(exported)),
    };
    Refused::new(format!("no function `{name}` is exported by it; {there}"))
}

fn told(names: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = names.iter().take(TOLD).map(AsRef::as_ref).collect();
    match names.len() {
        0 => "no function".to_owned(),
        count if count > TOLD => format!("{} and {} more", first.join(", "), count - TOLD),
        _ => first.join(", "),
    }
}
