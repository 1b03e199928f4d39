//! `steadfast list`: lists measurements, views, loads and ready plans.

use analysis::views::{VIEWS, View};
use anyhow::{Context, Result};
use clap::Args;
use load::{LOADS, Load, Processes};
use plan::{Fact, Family, Kind, LoadSpec, Parameter};
use probe::{Description, MEASUREMENTS, Measurement};
use serde_json::{Value, json};

use crate::args::WordsArgs;
use crate::output::{entry, print, short_entry};
use crate::plans;

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Explain this measurement, view, load or ready plan in full. Of a measurement, this includes
    /// the figures in its rows, with units
    #[arg(value_name = "NAME", conflicts_with_all = ["json", "verbose"])]
    name: Option<String>,
    #[command(flatten)]
    words: WordsArgs,
}

pub(crate) fn list(args: &ListArgs) -> Result<()> {
    match &args.name {
        Some(name) => print(&named(name)?),
        None if args.words.verbose => print(&as_text()),
        None => args.words.answer.print(as_json, in_short),
    }
}

fn named(name: &str) -> Result<String> {
    explained(name).with_context(|| {
        let expected = units::expected_of(name, names(), "steadfast list");
        format!("nothing is called `{name}`; {expected}")
    })
}

pub(crate) fn names() -> Vec<&'static str> {
    let measurements = MEASUREMENTS.iter().map(|known| known.name());
    let views = VIEWS.iter().map(|view| view.name);
    let loads = LOADS.iter().map(|load| load.name);
    let plans = plans::READY.iter().map(|ready| ready.name);
    measurements.chain(views).chain(loads).chain(plans).collect()
}

/// Describes a measurement, view, load or ready plan; `None` if there is nothing with that name.
pub(crate) fn explained(name: &str) -> Option<String> {
    let measurement = probe::find(name).map(in_full);
    let view = || analysis::views::view(name).map(view_text);
    let load = || load::find(name).map(load_text);
    let text = measurement.or_else(view).or_else(load).or_else(|| plans::explained(name))?;
    Some(text.trim_start_matches('\n').to_owned())
}

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

const NAMES: usize = 19;
const FLAGS: usize = NAMES + 1 + 22;
const FACTS: usize = 36;

const FACTS_HEAD: &str = "
Figures of its rows other than times, by their names in the JSON and in limits
(--fail-if)

";

fn in_short() -> String {
    let line = |(name, summary): (&str, &str)| short_entry(NAMES, name, summary);
    let measurements = MEASUREMENTS.iter().map(|known| known.description());
    let measurements = measurements.map(|known| line((known.name, known.summary)));
    let views = VIEWS.iter().map(|view| line((view.name, view.summary)));
    let loads = LOADS.iter().map(|load| line((load.name, load.summary)));
    [
        "Measurements (steadfast run NAME)\n",
        &measurements.collect::<String>(),
        "\nViews (computed by the report; nothing is run for them)\n",
        &views.collect::<String>(),
        "\nLoads (steadfast run wakeup --load NAME)\n",
        &loads.collect::<String>(),
        "\nReady plans (steadfast campaign NAME)\n",
        &plans::studies().map(line).collect::<String>(),
        "\nMore: steadfast list NAME, or --verbose for everything\n",
    ]
    .concat()
}

fn as_text() -> String {
    let mut text = String::from(MEASUREMENTS_HEAD);
    MEASUREMENTS.iter().for_each(|m| text += &measurement_text(*m));
    text += VIEWS_HEAD;
    VIEWS.iter().for_each(|view| text += &view_text(view));
    text += LOADS_HEAD;
    LOADS.iter().for_each(|load| text += &load_text(load));
    text
}

const MEASUREMENTS_HEAD: &str =
    "Measurements (steadfast run NAME ...; for details: steadfast help NAME)
";

fn measurement_text(measurement: &dyn Measurement) -> String {
    let description = measurement.description();
    let mut text = "\n".to_owned() + &entry(NAMES, description.name, description.summary);
    text += &entry(NAMES, "", &format!("source: {}", description.source));
    for p in description.parameters {
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
    "\n".to_owned() + &entries.map(|(name, words)| entry(NAMES, name, words)).concat()
}

const LOADS_HEAD: &str = "
Loads (--load NAME%INTENSITY@CPUS:ARGUMENT+...; all parts except the name are
optional)

  %INTENSITY          share of the time in which it works, 1 to 100 percent;
                      default: 100
  @CPUS               CPUs that it works on; default: all that this process may
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
        Processes::None => text += &entry(NAMES, "", "does not support % or @"),
        Processes::Guard => text += &entry(NAMES, "", "does not support %"),
        Processes::One => text += &entry(NAMES, "", "one process"),
        Processes::OnEachCpu => {}
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
        Kind::Threads(_) => " (a number, cores, cpus-1, cpus or 2xcpus)".to_owned(),
        Kind::Peer(words) => format!(" ({} or HOST:PORT)", words.join(", ")),
        _ => String::new(),
    }
}

const SCHEMA_VERSION: u32 = 1;

fn as_json() -> Value {
    let measurements: Vec<Value> =
        MEASUREMENTS.iter().map(|m| measurement_json(m.description())).collect();
    let loads: Vec<Value> = LOADS.iter().map(load_json).collect();
    let views: Vec<Value> = VIEWS.iter().map(view_json).collect();
    json!({ "schema_version": SCHEMA_VERSION, "measurements": measurements, "views": views, "loads": loads })
}

fn measurement_json(description: Description) -> Value {
    let fact = |fact: &Fact| json!({ "name": fact.name, "unit": fact.unit.name(), "meaning": fact.meaning });
    json!({
        "name": description.name,
        "summary": description.summary,
        "source": description.source,
        "family": Family::of(description.name).map(Family::name),
        "parameters": description.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
        "facts": description.facts().map(fact).collect::<Vec<_>>(),
    })
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
    let argument = load
        .argument
        .map(|one| json!({ "name": one.name, "default": one.default, "help": one.help }));
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
        Kind::Names => ("names", Value::Null),
    };
    let unit = if let Kind::Number(unit) = parameter.kind { unit } else { "" };
    json!({
        "name": parameter.name,
        "kind": kind,
        "range": range,
        "unit": unit,
        "default": parameter.default,
        "help": parameter.help,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::WIDTH;

    #[test]
    fn the_short_list_is_one_line_per_name() {
        let text = in_short();
        let studies = plans::studies().count();
        let names = MEASUREMENTS.len() + VIEWS.len() + LOADS.len() + studies;
        // Four headings, an empty line after each group, and the last line.
        assert_eq!(text.lines().count(), names + 9, "{text}");
        assert!(studies > 0 && text.lines().count() <= 68, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}
