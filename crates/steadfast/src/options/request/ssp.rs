//! A system of an SSP as the plan of a mix.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};
use base::Rate;
use model_file::{Connected, Link, Part, Ssp, Transform};
use rt::owned::{self, MODELS};
use tempfile::TempDir;

/// The rate of all parts, unless another one is requested.
const USUAL_RATE: &str = "1kHz";

/// The folders of systems that this process runs.
static UNPACKED: Mutex<Vec<TempDir>> = Mutex::new(Vec::new());

/// Removes the unpacked parts of all systems that were run.
pub(crate) fn remove_unpacked() {
    if let Ok(mut folders) = UNPACKED.lock() {
        folders.clear();
    }
}

/// Returns a folder that is removed when it is dropped.
pub(crate) fn folder() -> Result<TempDir> {
    TempDir::with_prefix(owned::folders_of_this(MODELS)).context("cannot create a temporary folder")
}

/// Returns the rate of all parts as the plan of a mix writes it.
pub(crate) fn written(rate: Option<Rate>) -> String {
    rate.map_or_else(|| USUAL_RATE.to_owned(), |rate| rate.to_string())
}

/// Unpacks a system until this process ends, and returns its plan and the folder from which the
/// paths in it count; `delays` are the names of inputs, separated by commas.
pub(super) fn unpacked(
    path: &Path,
    rate: Option<Rate>,
    delays: Option<&str>,
) -> Result<(String, PathBuf)> {
    let folder = folder()?;
    let delays = delays.into_iter().flat_map(|names| names.split(','));
    let delays: Vec<String> = delays.map(|name| name.trim().to_owned()).collect();
    let connected = Ssp::open(path)?.connect(folder.path(), &delays)?;
    let text = plan(&connected, &written(rate), folder.path());
    let place = folder.path().to_owned();
    if let Ok(mut folders) = UNPACKED.lock() {
        folders.push(folder);
    }
    Ok((text, place))
}

/// Returns the plan of a mix that runs a system; the paths of its FMUs count from a directory.
pub(crate) fn plan(connected: &Connected, rate: &str, directory: &Path) -> String {
    let mut text = String::new();
    for part in &connected.parts {
        let fmu = part.fmu.strip_prefix(directory).unwrap_or(&part.fmu);
        let _ = write!(
            text,
            "[[member]]\nname = {}\nmodel = \"fmu\"\nfmu = {}\nrate = {}\n",
            quoted(&part.name),
            quoted(&fmu.display().to_string()),
            quoted(rate)
        );
        text += &more(part);
        let links = part.links.iter().map(|link| self::link(link, &connected.parts));
        let links: Vec<String> = links.collect();
        if !links.is_empty() {
            let _ = writeln!(text, "inputs = {{ {} }}", links.join(", "));
        }
        text.push('\n');
    }
    text
}

/// Returns the lines of a member that only some have.
fn more(part: &Part) -> String {
    let lines = [("interface", interface(part).map(str::to_owned)), ("set", settings(part))];
    let lines = lines.into_iter().filter_map(|(key, value)| Some((key, value?)));
    lines.map(|(key, value)| format!("{key} = {}\n", quoted(&value))).collect()
}

/// Returns how a part is stepped, if its system says so.
pub(crate) fn interface(part: &Part) -> Option<&'static str> {
    match &*part.implementation {
        "CoSimulation" => Some("co-simulation"),
        "ModelExchange" => Some("model-exchange"),
        _ => None,
    }
}

/// Returns the start values of a part as `--set` takes them, if it has any.
pub(crate) fn settings(part: &Part) -> Option<String> {
    let settings = part.settings.iter().map(|(name, value)| format!("{name}={value}"));
    (!part.settings.is_empty()).then(|| record::joined_settings(settings))
}

fn link(link: &Link, parts: &[Part]) -> String {
    let from = quoted(&format!("{}.{}", parts[link.from].name, link.output));
    let delay = if link.delay { ", delay = true" } else { "" };
    let change = match &link.transform {
        same if same.is_same() => String::new(),
        Transform::Linear { factor, offset } => {
            format!(", factor = {factor:?}, offset = {offset:?}")
        }
        Transform::Map(pairs) => {
            let pairs =
                pairs.iter().map(|(from, to)| format!("{} = {to:?}", quoted(&from.to_string())));
            format!(", map = {{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    };
    let source = match (&*change, delay) {
        ("", "") => from,
        _ => format!("{{ from = {from}{change}{delay} }}"),
    };
    format!("{} = {source}", quoted(&link.input))
}

/// Returns a text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
}
