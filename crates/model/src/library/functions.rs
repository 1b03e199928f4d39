//! Finds the functions of a model in a library.

use serde::Serialize;
use units::expected;

use crate::refused::{Refused, refused};

/// The functions of a model, by their names in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Functions {
    /// Called once before all steps.
    pub initialize: Option<String>,
    /// Called at each step. If there are several, they are called at different rates, the fastest
    /// first.
    pub steps: Vec<String>,
    /// Called once after all steps.
    pub terminate: Option<String>,
}

/// Number of names that a message lists.
const LISTED: usize = 12;

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
    let of_model = |suffix: &str| {
        let name = format!("{}_{suffix}", model?);
        has(exported, &name).then_some(name)
    };
    Ok(Functions {
        initialize: init.map(str::to_owned).or_else(|| of_model("initialize")),
        terminate: end.map(str::to_owned).or_else(|| of_model("terminate")),
        steps,
    })
}

fn has(exported: &[String], name: &str) -> bool {
    exported.iter().any(|one| one == name)
}

/// Returns the model's name if a function is named like a step function of Embedded Coder.
fn stem(function: &str) -> Option<&str> {
    let (model, rate) = function.rsplit_once("_step")?;
    let is_rate = rate.chars().all(|c| c.is_ascii_digit());
    (is_rate && !model.is_empty()).then_some(model)
}

/// Finds the only model with step functions, and returns these in the order of their rates.
fn steps(exported: &[String]) -> Result<(Option<&str>, Vec<String>), Refused> {
    let found = exported.iter().filter_map(|name| Some((stem(name)?, name)));
    let mut found: Vec<(&str, &String)> = found.collect();
    let mut models: Vec<&str> = found.iter().map(|(model, _)| *model).collect();
    models.dedup();
    match models.as_slice() {
        [] => Err(refused!(
            "it has no step function NAME_step or NAME_step0; name one with --step; it exports {}",
            listed(exported)
        )),
        [model] => {
            let rate = |name: &str| name[model.len() + "_step".len()..].parse().unwrap_or(0_u64);
            found.sort_by_key(|(_, name)| rate(name));
            let names = found.iter().map(|(_, name)| (*name).clone());
            Ok((Some(*model), names.collect()))
        }
        several => Err(refused!(
            "it has step functions of {} models ({}); name one with --step",
            several.len(),
            listed(several)
        )),
    }
}

fn missing(exported: &[String], name: &str) -> Refused {
    let there = match exported.len() {
        0..=LISTED => expected(name, exported.iter().map(String::as_str)),
        _ => format!("it exports {}", listed(exported)),
    };
    refused!("it exports no function `{name}`; {there}")
}

fn listed(names: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    match names.len() {
        0 => "no functions".to_owned(),
        count if count > LISTED => format!("{} and {} more", first.join(", "), count - LISTED),
        _ => first.join(", "),
    }
}
