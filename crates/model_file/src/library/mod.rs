//! A shared library with a step function.

mod signatures;
#[cfg(test)]
mod tests;
mod variables;

use std::env::consts::ARCH;
use std::path::{Path, PathBuf};

use base::expected;
use serde::Serialize;

use crate::debug_info::DebugInfo;
use crate::elf::{Elf, Symbol, misfit};
use crate::refused::{Refused, refused};

pub use variables::StartValue;

/// Number of functions that an error lists.
const LISTED: usize = 12;
/// The largest library that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// The folder in which systems keep debug information of their libraries.
const DEBUG_ROOT: &str = "/usr/lib/debug";

/// The functions of a model, by their names in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Functions {
    /// Function called once before all steps; null if there is none.
    pub initialize: Option<String>,
    /// Functions called at each step, the fastest rate first.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub steps: Vec<String>,
    /// Function called once after all steps; null if there is none.
    pub terminate: Option<String>,
}

/// A shared library's file, which is read but not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    pub path: PathBuf,
    pub elf: Elf,
    debug_info: Box<DebugInfo>,
}

impl Library {
    /// Reads the properties of a library. A library for another machine is also accepted; check it
    /// with [`Elf::fits`].
    ///
    /// # Errors
    /// The system's error, or one line after the file's name if it is not a Linux library.
    pub fn read(path: &Path) -> Result<Self, Refused> {
        Self::read_with(path, Path::new(DEBUG_ROOT))
    }

    /// Does the same with another folder of separate debug information.
    fn read_with(path: &Path, debug_root: &Path) -> Result<Self, Refused> {
        Self::parsed(path, debug_root).map_err(|why| why.of(path))
    }

    fn parsed(path: &Path, debug_root: &Path) -> Result<Self, Refused> {
        let bytes = rt::read::bounded(path, MOST_BYTES)?;
        let elf = Elf::read(&bytes).ok_or_else(|| {
            let why = misfit(&bytes, ARCH).unwrap_or_else(|| "is a broken ELF file".to_owned());
            refused!("it {why}; name an FMU or a shared library (`cc -shared -fPIC` builds one)")
        })?;
        if elf.is_program {
            return Err(Refused::new(
                "it is a program, not a shared library; `cc -shared -fPIC` builds a library from its sources",
            ));
        }
        let debug_info = Box::new(DebugInfo::of(path, &bytes, debug_root));
        Ok(Self { path: path.to_owned(), elf, debug_info })
    }

    /// Finds the functions of a model: those that are named, or else those that Embedded Coder
    /// generates, `NAME_initialize`, `NAME_step` (or `NAME_step0`, `NAME_step1`, ... by rate) and
    /// `NAME_terminate`.
    ///
    /// # Errors
    /// One line after the file's name that lists what is exported: a named function is missing,
    /// there is no step function, or there are step functions of several models; or that names a
    /// function that takes arguments.
    pub fn functions(
        &self,
        init: Option<&str>,
        step: Option<&str>,
        end: Option<&str>,
    ) -> Result<Functions, Refused> {
        let found = find(&names(&self.elf.functions), init, step, end);
        let found = found.and_then(|found| self.callable(&found).map(|()| found));
        found.map_err(|why| why.of(&self.path))
    }
}

fn names(symbols: &[Symbol]) -> Vec<&str> {
    symbols.iter().map(|symbol| symbol.name.as_str()).collect()
}

fn find(
    exported: &[&str],
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

fn has(exported: &[&str], name: &str) -> bool {
    exported.contains(&name)
}

/// Returns the model's name if a function is named like a step function of Embedded Coder.
fn stem(function: &str) -> Option<&str> {
    let (model, rate) = function.rsplit_once("_step")?;
    let is_rate = rate.chars().all(|c| c.is_ascii_digit());
    (is_rate && !model.is_empty()).then_some(model)
}

/// Finds the only model with step functions, and returns these in the order of their rates.
fn steps<'e>(exported: &[&'e str]) -> Result<(Option<&'e str>, Vec<String>), Refused> {
    let found = exported.iter().filter_map(|name| Some((stem(name)?, *name)));
    // Compilers add such names, as Go does (_cgoexp_...); C reserves them.
    let found = found.filter(|(model, _)| !model.starts_with('_'));
    let mut found: Vec<(&str, &str)> = found.collect();
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
            let names = found.iter().map(|(_, name)| (*name).to_owned());
            Ok((Some(*model), names.collect()))
        }
        several => Err(refused!(
            "it has step functions of {} models ({}); name one with --step",
            several.len(),
            listed(several)
        )),
    }
}

fn missing(exported: &[&str], name: &str) -> Refused {
    let there = match exported.len() {
        0..=LISTED => expected(name, exported.iter().copied()),
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
