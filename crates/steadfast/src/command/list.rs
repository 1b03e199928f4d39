//! `steadfast list`.

use std::process::ExitCode;

use anyhow::Result;
use load::{LOADS, Load, Processes};
use plan::{Kind, LoadSpec, Parameter};
use probe::MEASUREMENTS;
use report::{VIEWS, View};
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::output::print;

/// Prints the tables of measurements, of views and of loads.
pub(crate) fn list(args: &ListArgs) -> Result<ExitCode> {
    if args.json {
        print(&format!("{:#}\n", as_json()))?;
    } else {
        print(&as_text())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_text() -> String {
    let mut text = String::from("Measurements (steadfast run NAME ...)\n");
    for m in MEASUREMENTS {
        text += &format!("\n  {:<19} {}\n", m.name(), m.summary());
        text += &format!("  {:<19} source: {}\n", "", m.source());
        for p in m.parameters() {
            let flag = format!("--{} {}", p.name, p.default);
            text += &format!("  {:<19} {flag:<22} {}{}\n", "", p.help, choices(p));
        }
    }
    text += VIEWS_HEAD;
    VIEWS.iter().for_each(|view| text += &view_text(view));
    text += LOADS_HEAD;
    LOADS.iter().for_each(|load| text += &load_text(*load));
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
Loads (--load NAME%INTENSITY@CPUS:ARGUMENT,...; all but the name may be left out)

  %INTENSITY          share of the time in which it works, 1 to 100 percent; usually 100
  @CPUS               CPUs that it works on; usually all that this process may use
";

fn load_text(load: &dyn Load) -> String {
    let mut text = format!("\n  {:<19} {}\n", load.name(), load.summary());
    let mut more = |line: String| text += &format!("  {:<19} {line}\n", "");
    if let Some(argument) = load.argument() {
        let usual = argument
            .default
            .map_or_else(String::new, |usual| format!(" ({usual})"));
        more(format!(":{:<21} {}{usual}", argument.name, argument.help));
    }
    match load.processes() {
        Processes::None => more("takes neither % nor @".to_owned()),
        Processes::Guard => more("takes no %".to_owned()),
        Processes::OnEachCpu | Processes::One => {}
    }
    if let Some(needs) = load.needs() {
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
        .map(|m| {
            json!({
                "name": m.name(),
                "summary": m.summary(),
                "source": m.source(),
                "parameters": m.parameters().iter().map(parameter_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    let loads: Vec<Value> = LOADS.iter().map(|load| load_json(*load)).collect();
    let views: Vec<Value> = VIEWS.iter().map(view_json).collect();
    json!({ "schema_version": SCHEMA_VERSION, "measurements": measurements, "views": views, "loads": loads })
}

fn view_json(view: &View) -> Value {
    json!({
        "name": view.name,
        "summary": view.summary,
        "source": view.source,
        "measurements": (view.measurements)(),
    })
}

fn load_json(load: &dyn Load) -> Value {
    let argument = load.argument().map(|argument| {
        json!({
            "name": argument.name,
            "default": argument.default,
            "help": argument.help,
        })
    });
    let intensity = load.processes().have_intensity();
    json!({
        "name": load.name(),
        "summary": load.summary(),
        "argument": argument,
        "intensity_percent": intensity.then_some([1, LoadSpec::FULL]),
        "takes_cpus": load.processes() != Processes::None,
        "unit": load.unit(load.usual_argument()),
        "needs": load.needs(),
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
