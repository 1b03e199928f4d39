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
use crate::output::print;
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

/// All of one measurement: what the table says, its family, and its facts.
fn in_full(measurement: &dyn Measurement) -> String {
    let mut text = measurement_text(measurement);
    if let Some(family) = Family::of(measurement.name()) {
        text += &format!("  {:<19} family: {}\n", "", family.name());
    }
    text += FACTS_HEAD;
    for Fact {
        name,
        unit,
        meaning,
    } in measurement.description().facts()
    {
        text += &format!("  {name:<25} {unit:<9}  {meaning}\n");
    }
    text
}

const FACTS_HEAD: &str = "
Facts that its rows tell beside their times, in the JSON and in limits (--fail-if)

";

fn as_text() -> String {
    let mut text = String::from(MEASUREMENTS_HEAD);
    MEASUREMENTS
        .iter()
        .for_each(|m| text += &measurement_text(*m));
    text += VIEWS_HEAD;
    VIEWS.iter().for_each(|view| text += &view_text(view));
    text += LOADS_HEAD;
    LOADS.iter().for_each(|load| text += &load_text(load));
    text
}

const MEASUREMENTS_HEAD: &str =
    "Measurements (steadfast run NAME ...; what NAME tells: steadfast list NAME)
";

fn measurement_text(measurement: &dyn Measurement) -> String {
    let told = measurement.description();
    let mut text = format!("\n  {:<19} {}\n", told.name, told.summary);
    text += &format!("  {:<19} source: {}\n", "", told.source);
    for p in told.parameters {
        let flag = format!("--{} {}", p.name, p.default);
        text += &format!("  {:<19} {flag:<22} {}{}\n", "", p.help, choices(p));
    }
    text
}

const VIEWS_HEAD: &str = "
Views (computed by the report; nothing is run for them)
";

fn view_text(view: &View) -> String {
    format!(
        "\n  {:<19} {}\n  {:<19} source: {}\n  {:<19} from {}\n",
        view.name,
        view.summary,
        "",
        view.source,
        "",
        (view.measurements)().join(", ")
    )
}

const LOADS_HEAD: &str = "
Loads (--load NAME%INTENSITY@CPUS:ARGUMENT+...; all but the name may be left out)

  %INTENSITY          share of the time in which it works, 1 to 100 percent; usually 100
  @CPUS               CPUs that it works on; usually all that this process may use
";

fn load_text(load: &Load) -> String {
    let mut text = format!("\n  {:<19} {}\n", load.name, load.summary);
    let mut more = |line: String| text += &format!("  {:<19} {line}\n", "");
    if let Some(argument) = load.argument {
        let usual = argument
            .default
            .map_or_else(String::new, |usual| format!(" ({usual})"));
        more(format!(":{:<21} {}{usual}", argument.name, argument.help));
    }
    match load.processes {
        Processes::None => more("takes neither % nor @".to_owned()),
        Processes::Guard => more("takes no %".to_owned()),
        Processes::OnEachCpu | Processes::One => {}
    }
    if let Some(needs) = load.needs {
        more(format!("needs {needs}"));
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
    let measurements: Vec<Value> = MEASUREMENTS
        .iter()
        .map(|m| measurement_json(m.description()))
        .collect();
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
