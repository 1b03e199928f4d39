//! The newest finding of each kind, such as the self-test of a machine, kept in the user's data
//! folder for later runs and the doctor to refer to. A finding in another version's format counts as
//! none.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use analysis::effect;
use analysis::experiment::{Experiment, Trust};
use anyhow::{Context, Result};
use record::{Machine, ModelAudited, RunSpec, SelfTest, SelfTested};
use rt::folder;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::startup::files;
use crate::startup::output::tell;

const AUDIT: &str = "audit";
const SELF_TEST: &str = "self-test";
const WORTH: &str = "worth of knobs";

pub(crate) fn keep_audit(audited: &ModelAudited) -> Result<()> {
    keep(AUDIT, &audited.file_sha256, &json!(audited))
}

pub(crate) fn audit(spec: &RunSpec) -> Option<ModelAudited> {
    spec.files.iter().find_map(|file| newest(AUDIT, &file.sha256))
}

pub(crate) fn keep_self_test(test: &SelfTest) -> Result<()> {
    keep(SELF_TEST, &test.machine_id, &json!(test))
}

pub(crate) fn self_test(machine: &Machine) -> Option<SelfTested> {
    newest(SELF_TEST, &machine.id()).map(|test: SelfTest| test.summary())
}

/// Keeps the effects that an experiment shows, next to earlier ones of other knobs.
pub(crate) fn keep_worth(experiment: &Experiment, machine: &Machine) -> Result<()> {
    if experiment.trust != Trust::Believed {
        return Ok(());
    }
    let mut worth = worth(machine);
    for knob in &experiment.knobs {
        let (effects, of) = (effect::in_words(&knob.effects), &experiment.of);
        worth.insert(knob.name.clone(), format!("{effects}, by an experiment with {of}"));
    }
    keep(WORTH, &machine.id(), &json!(worth))
}

/// Returns the measured effect of each knob on a machine, in words, by its name.
pub(crate) fn worth(machine: &Machine) -> BTreeMap<String, String> {
    newest(WORTH, &machine.id()).unwrap_or_default()
}

/// Keeps a finding of a kind, about whatever the key names, in place of an earlier one.
fn keep(kind: &str, key: &str, found: &Value) -> Result<()> {
    let path = place(kind, key)
        .with_context(|| format!("no folder to keep the {kind} in; set HOME or XDG_DATA_HOME"))?;
    let kept = fs::create_dir_all(path.parent().unwrap_or(&path))
        .and_then(|()| files::replace(&path, &format!("{found:#}")));
    kept.with_context(|| {
        format!("cannot keep the {kind} in {}; free space, or set XDG_DATA_HOME", path.display())
    })
}

/// Reports that a finding could not be kept, which makes it no worse.
pub(crate) fn tell_if_not(kept: Result<()>) {
    if let Err(why) = kept {
        tell(&format!("{why:#}"));
    }
}

fn newest<T: DeserializeOwned>(kind: &str, key: &str) -> Option<T> {
    let text = fs::read_to_string(place(kind, key)?).ok()?;
    serde_json::from_str(&text).ok()
}

fn place(kind: &str, key: &str) -> Option<PathBuf> {
    let data = folder::data(|name| env::var_os(name))?;
    Some(data.join(kind).join(format!("{key}.json")))
}
