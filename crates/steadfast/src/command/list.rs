//! `steadfast list`.

use std::process::ExitCode;

use analysis::views::{VIEWS, View};
use anyhow::Result;
use clap::Args;
use load::{LOADS, Load, Processes};
use plan::{Fact, Family, Kind, LoadSpec, Parameter};
use probe::{Description, MEASUREMENTS, Measurement};
use serde_json::{Value, json};

use crate::args::JsonArgs;
use crate::output::{entry, print};
use crate::request;

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Tell all of this measurement: what the figures are that its rows tell, with units
    #[arg(value_name = "MEASUREMENT", conflicts_with = "json")]
    measurement: Option<String>,
    #[command(flatten)]
    answer: JsonArgs,
}

/// Prints the tables of measurements, of views and of loads; or all of one measurement.
pub(crate) fn list(args: &ListArgs) -> Result<ExitCode> {
    let text = match &args.measurement {
        Some(name) => in_full(request::measurement(name)?),
        None if args.answer.json => format!("{:#}\n", as_json()),
        None => as_text(),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// All of a measurement, a view or a load; `None` where nothing of these is called so.
pub(crate) fn explained(name: &str) -> Option<String> {
    let measurement = probe::find(name).map(in_full);
    let view = || analysis::views::view(name).map(view_text);
    let load = || load::find(name).map(load_text);
    let text = measurement.or_else(view).or_else(load)?;
    Some(text.trim_start_matches('\n').to_owned())
}

/// All of one measurement: what the table says, its family, and its facts.
fn in_full(measurement: &dyn Measurement) -> String {
    let mut text = measurement_text(measurement);
    if let Some(family) = Family::of(measurement.name()) {
        text += &entry(NAMES, "", &format!("family: {}", family.name()));
    }
    text += FACTS_HEAD;
    for fact in measurement.description().facts() {
        let name = format!("{:<25} {:<9}", fact.name, fact.unit);
        text += &entry(FACTS, &name, fact.meaning);
    }
    text
}

/// Columns of names.
const NAMES: usize = 19;
/// Columns of flags, beyond those of names.
const FLAGS: usize = NAMES + 1 + 22;
/// Columns of a fact with its unit.
const FACTS: usize = 36;

const FACTS_HEAD: &str = "
Facts that its rows tell beside their times, in the JSON and in limits
(--fail-if)

";

pub(super) fn as_text() -> String {
    let mut text = String::from(MEASUREMENTS_HEAD);
    MEASUREMENTS.iter().for_each(|m| text += &measurement_text(*m));
    text += VIEWS_HEAD;
    VIEWS.iter().for_each(|view| text += &view_text(view));
    text += LOADS_HEAD;
    LOADS.iter().for_each(|load| text += &load_text(load));
    text
}

const MEASUREMENTS_HEAD: &str =
    "Measurements (steadfast run NAME ...; what NAME tells: steadfast help NAME)
";

fn measurement_text(measurement: &dyn Measurement) -> String {
    let told = measurement.description();
    let mut text = "\n".to_owned() + &entry(NAMES, told.name, told.summary);
    text += &entry(NAMES, "", &format!("source: {}", told.source));
    for p in told.parameters {
        let flag = format!("{:<NAMES$} --{} {}", "", p.name, p.default);
        text += &entry(FLAGS, &flag, &format!("{}{}", p.help, choices(p)));
    }
    text
}

const VIEWS_HEAD: &str = "
Views (computed by the report; nothing is run for them)
";

fn view_text(view: &View) -> String {
    let from = format!("from {}", (view.measurements)().join(", "));
    let source = format!("source: {}", view.source);
    let entries = [(view.name, view.summary), ("", &*source), ("", &*from)];
    let entries = entries.map(|(name, words)| entry(NAMES, name, words));
    format!("\n{}", entries.concat())
}

const LOADS_HEAD: &str = "
Loads (--load NAME%INTENSITY@CPUS:ARGUMENT+...; all but the name may be left
out)

  %INTENSITY          share of the time in which it works, 1 to 100 percent;
                      usually 100
  @CPUS               CPUs that it works on; usually all that this process may
                      use
";

fn load_text(load: &Load) -> String {
    let mut text = "\n".to_owned() + &entry(NAMES, load.name, load.summary);
    if let Some(argument) = load.argument {
        let usual = argument.default.map_or_else(String::new, |usual| format!(" ({usual})"));
        let name = format!("{:<NAMES$} :{}", "", argument.name);
        text += &entry(FLAGS, &name, &format!("{}{usual}", argument.help));
    }
    match load.processes {
        Processes::None => text += &entry(NAMES, "", "takes neither % nor @"),
        Processes::Guard => text += &entry(NAMES, "", "takes no %"),
        Processes::OnEachCpu | Processes::One => {}
    }
    if let Some(needs) = load.needs {
        text += &entry(NAMES, "", &format!("needs {needs}"));
    }
    text
}

fn choices(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Choice(words) if words.len() > 1 => format!(" ({})", words.join(", ")),
        Kind::Number(unit) if !unit.is_empty() => format!(", in {unit}"),
        Kind::Threads(_) => " (a number, cores, cpus or 2xcpus)".to_owned(),
        Kind::Peer(words) => format!(" ({} or HOST:PORT)", words.join(", ")),
        _ => String::new(),
    }
}

/// Version of the JSON's names and their meaning.
const SCHEMA_VERSION: u32 = 1;

fn as_json() -> Value {
    let measurements: Vec<Value> =
        MEASUREMENTS.iter().map(|m| measurement_json(m.description())).collect();
    let loads: Vec<Value> = LOADS.iter().map(load_json).collect();
    let views: Vec<Value> = VIEWS.iter().map(view_json).collect();
    json!({ "schema_version": SCHEMA_VERSION, "measurements": measurements, "views": views, "loads": loads })
}

fn measurement_json(told: Description) -> Value {
    json!({
        "name": told.name,
        "summary": told.summary,
        "source": told.source,
        "family": Family::of(told.name).map(Family::name),
        "parameters": told.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
        "facts": told.facts().map(fact_json).collect::<Vec<_>>(),
    })
}

fn fact_json(fact: &Fact) -> Value {
    json!({ "name": fact.name, "unit": fact.unit.name(), "meaning": fact.meaning })
}

fn view_json(view: &View) -> Value {
    json!({
        "name": view.name,
        "summary": view.summary,
        "source": view.source,
        "measurements": (view.measurements)(),
    })
}

fn load_json(load: &Load) -> Value {
    let argument = load.argument.map(|argument| {
        json!({
            "name": argument.name,
            "default": argument.default,
            "help": argument.help,
        })
    });
    let intensity = load.processes.have_intensity();
    json!({
        "name": load.name,
        "summary": load.summary,
        "argument": argument,
        "intensity_percent": intensity.then_some([1, LoadSpec::FULL]),
        "takes_cpus": load.processes != Processes::None,
        "unit": (load.unit)(load.usual_argument()),
        "needs": load.needs,
    })
}

fn parameter_json(parameter: &Parameter) -> Value {
    let (kind, range) = match parameter.kind {
        Kind::Time => ("time", Value::Null),
        Kind::Count(least, most) => ("count", json!([least, most])),
        Kind::Threads(most) => ("threads", json!([1, most])),
        Kind::Percent(least, most) => ("percent", json!([least, most])),
        Kind::Rate => ("rate", Value::Null),
        Kind::Number(_) => ("number", Value::Null),
        Kind::Choice(words) => ("choice", json!(words)),
        Kind::Peer(words) => ("peer", json!(words)),
        Kind::Text(_) => ("text", Value::Null),
        Kind::File(_) => ("file", Value::Null),
        Kind::Settings => ("settings", Value::Null),
    };
    let unit = match parameter.kind {
        Kind::Number(unit) => unit,
        _ => "",
    };
    json!({
        "name": parameter.name,
        "kind": kind,
        "range": range,
        "unit": unit,
        "default": parameter.default,
        "help": parameter.help,
    })
}
