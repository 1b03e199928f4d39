//! `steadfast list`.

use std::process::ExitCode;

use anyhow::Result;
use load::LOADS;
use plan::{Kind, Parameter};
use probe::MEASUREMENTS;
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::output::print;

/// Prints the tables of measurements and of loads.
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
    text += "\nLoads (--load NAME)\n\n";
    for load in LOADS {
        text += &format!("  {:<19} {}\n", load.name(), load.summary());
    }
    text
}

fn choices(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Choice(words) if words.len() > 1 => format!(" ({})", words.join(", ")),
        Kind::Number(unit) if !unit.is_empty() => format!(", in {unit}"),
        Kind::Threads(_) => " (a number, cores, cpus or 2xcpus)".to_owned(),
        _ => String::new(),
    }
}

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
    let loads: Vec<Value> = LOADS
        .iter()
        .map(|l| json!({ "name": l.name(), "summary": l.summary(), "unit": l.unit() }))
        .collect();
    json!({ "measurements": measurements, "loads": loads })
}

fn parameter_json(parameter: &Parameter) -> Value {
    let (kind, range) = match parameter.kind {
        Kind::Time => ("time", Value::Null),
        Kind::Count(least, most) => ("count", json!([least, most])),
        Kind::Threads(most) => ("threads", json!([1, most])),
        Kind::Rate => ("rate", Value::Null),
        Kind::Number(_) => ("number", Value::Null),
        Kind::Choice(words) => ("choice", json!(words)),
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
