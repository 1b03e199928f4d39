//! `steadfast list`: lists measurements, views, loads and ready plans.

use analysis::views::{VIEWS, View};
use anyhow::{Context, Result};
use base::SchemaVersion;
use clap::Args;
use load::{Argument, LOADS, Load, Processes};
use measure::{Description, MEASUREMENTS, Measurement};
use record::{Fact, Family, Kind, LoadSpec, Parameter};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::WordsArgs;
use crate::options::plans;
use crate::startup::output::{entry, print, short_entry};

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
        None => args.words.answer.print(listed, in_short),
    }
}

fn named(name: &str) -> Result<String> {
    explained(name).with_context(|| {
        let expected = base::expected_of(name, names(), "steadfast list");
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
    let measurement = measure::find(name).map(in_full);
    let view = || analysis::views::view(name).map(view_text);
    let load = || load::find(name).map(load_text);
    let text = measurement.or_else(view).or_else(load).or_else(|| plans::explained(name))?;
    Some(text.trim_start_matches('\n').to_owned())
}

fn in_full(measurement: &dyn Measurement) -> String {
    let mut text = measurement_text(measurement);
    if let Some(family) = measurement.description().family {
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

/// Output of `steadfast list --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct List {
    schema_version: SchemaVersion<1>,
    /// All measurements.
    measurements: Vec<ListedMeasurement>,
    /// Results that the report computes from several measurements.
    views: Vec<ListedView>,
    /// All background loads.
    loads: Vec<ListedLoad>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedMeasurement {
    /// Name, as typed after `steadfast run`.
    name: &'static str,
    /// What it measures.
    summary: &'static str,
    /// Source of its definition, such as a table of a paper.
    source: &'static str,
    /// Name of the family in which it is shown and compared; null if it belongs to none.
    family: Option<&'static str>,
    /// Facts that its rows may contain in addition to times; not every row contains all of them.
    /// The first row of any measurement may also contain `blame` and `counted`.
    facts: Vec<Fact>,
    /// Parameters of the measurement.
    parameters: Vec<ListedParameter>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedParameter {
    /// Name, which is also the flag (`--NAME`).
    name: &'static str,
    /// Kind of value, which determines how it is typed.
    kind: ListedKind,
    /// Smallest and largest value, or the accepted words; null if the kind has neither.
    range: Option<Range>,
    /// Unit of a number; empty if it has none.
    unit: &'static str,
    /// Default, as it would be typed.
    default: &'static str,
    /// Help text in one line.
    help: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
enum ListedKind {
    Time,
    Count,
    Threads,
    Percent,
    Rate,
    Number,
    Choice,
    Peer,
    Text,
    File,
    Settings,
    Names,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
enum Range {
    Ends([u64; 2]),
    Words(&'static [&'static str]),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedView {
    /// Name of the view.
    name: &'static str,
    /// What it shows.
    summary: &'static str,
    /// Source of its definition, such as a table of a paper.
    source: &'static str,
    /// Names of the measurements that it is computed from.
    measurements: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedLoad {
    /// Name, as typed after `--load`.
    name: &'static str,
    /// What it does.
    summary: &'static str,
    /// Whether it can be confined to CPUs.
    takes_cpus: bool,
    /// Unit in which its work is counted, with the default argument.
    unit: &'static str,
    /// Requirement that a machine may not meet, such as a program or root privileges; null if there
    /// is none.
    needs: Option<&'static str>,
    /// Argument of the load; null if it takes none.
    argument: Option<Argument>,
    /// Smallest and largest intensity, in percent; null if it has no intensity.
    intensity_percent: Option<[u8; 2]>,
}

fn listed() -> List {
    List {
        schema_version: SchemaVersion,
        measurements: MEASUREMENTS
            .iter()
            .map(|one| listed_measurement(one.description()))
            .collect(),
        views: VIEWS.iter().map(listed_view).collect(),
        loads: LOADS.iter().map(listed_load).collect(),
    }
}

fn listed_measurement(description: Description) -> ListedMeasurement {
    ListedMeasurement {
        name: description.name,
        summary: description.summary,
        source: description.source,
        family: description.family.map(Family::name),
        facts: description.facts().copied().collect(),
        parameters: description.parameters.iter().map(listed_parameter).collect(),
    }
}

fn listed_view(view: &View) -> ListedView {
    let &View { name, summary, source, measurements } = view;
    ListedView { name, summary, source, measurements: measurements() }
}

fn listed_load(load: &Load) -> ListedLoad {
    ListedLoad {
        name: load.name,
        summary: load.summary,
        takes_cpus: load.processes != Processes::None,
        unit: (load.unit)(load.usual_argument()),
        needs: load.needs,
        argument: load.argument,
        intensity_percent: load.processes.have_intensity().then_some([1, LoadSpec::FULL]),
    }
}

fn listed_parameter(parameter: &Parameter) -> ListedParameter {
    let (kind, range) = match parameter.kind {
        Kind::Time => (ListedKind::Time, None),
        Kind::Count(least, most) => (ListedKind::Count, Some(Range::Ends([least, most]))),
        Kind::Threads(most) => (ListedKind::Threads, Some(Range::Ends([1, most]))),
        Kind::Percent(least, most) => (ListedKind::Percent, Some(Range::Ends([least, most]))),
        Kind::Rate => (ListedKind::Rate, None),
        Kind::Number(_) => (ListedKind::Number, None),
        Kind::Choice(words) => (ListedKind::Choice, Some(Range::Words(words))),
        Kind::Peer(words) => (ListedKind::Peer, Some(Range::Words(words))),
        Kind::Text(_) => (ListedKind::Text, None),
        Kind::File(_) => (ListedKind::File, None),
        Kind::Settings => (ListedKind::Settings, None),
        Kind::Names => (ListedKind::Names, None),
    };
    ListedParameter {
        name: parameter.name,
        kind,
        range,
        unit: if let Kind::Number(unit) = parameter.kind { unit } else { "" },
        default: parameter.default,
        help: parameter.help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::startup::output::WIDTH;

    #[test]
    fn the_short_list_is_one_line_per_name() {
        let text = in_short();
        let studies = plans::studies().count();
        let names = MEASUREMENTS.len() + VIEWS.len() + LOADS.len() + studies;
        // Four headings, an empty line after each group, and the last line.
        assert_eq!(text.lines().count(), names + 9, "{text}");
        assert!(studies > 0);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}
