//! Flags for the parameters of measurements, generated from the table of measurements.

use std::collections::BTreeMap;

use analysis::words;
use base::CpuSet;
use clap::{Arg, ArgAction, ArgMatches};
use measure::{Length, MEASUREMENTS};
use record::{Asked, Kind, LatencyHold, Parameter, Parameters, RunOption, RunSpec, run_options};

use crate::options::{Generated, generated_args};

/// What was typed for each parameter. Several values give a run for each combination.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParameterArgs(pub(crate) BTreeMap<&'static str, Vec<String>>);

impl ParameterArgs {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns what was typed for all others than these, which a command reads itself.
    pub(crate) fn without(&self, own: &[&str]) -> Self {
        let others = self.0.iter().filter(|(name, _)| !own.contains(name));
        Self(others.map(|(name, typed)| (*name, typed.clone())).collect())
    }
}

/// Returns every parameter of the table once, with the measurements that take it.
fn declared() -> BTreeMap<&'static str, (&'static Parameter, Vec<&'static str>)> {
    let mut all = BTreeMap::new();
    for measurement in MEASUREMENTS {
        for parameter in measurement.parameters() {
            all.entry(parameter.name).or_insert((parameter, Vec::new())).1.push(measurement.name());
        }
    }
    all
}

pub(crate) fn usual(measurement: &str) -> Parameters {
    let declared = measure::find(measurement).map_or(&[][..], |found| found.parameters());
    Parameters::defaults(declared)
}

/// Returns the options that a run has anyway, because these values are the defaults.
pub(crate) fn usual_options(spec: &RunSpec) -> Vec<RunOption> {
    let Some(measurement) = measure::find(&spec.measurement) else { return Vec::new() };
    let duration = match measurement.length(&spec.parameters) {
        Length::Time(usual) => usual,
        // The parameters say how long.
        Length::Steps(_) | Length::Fixed(_) => spec.asked.duration,
    };
    let is_real_time = measurement.is_real_time(&spec.parameters);
    let asked = Asked {
        policy: measurement.usual_policy(&spec.parameters),
        memory_lock: is_real_time,
        cpu_dma_latency: if is_real_time { LatencyHold::Hold } else { LatencyHold::Leave },
        duration,
        // They depend on the machine.
        cpus: CpuSet::default(),
        loads: Vec::new(),
        ..spec.asked.clone()
    };
    run_options(&RunSpec::new(&spec.measurement, usual(&spec.measurement), asked))
}

/// Returns the names of all parameters, each with the measurements that take it.
pub(crate) fn takers() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    declared().into_iter().map(|(name, (_, takers))| (name, takers))
}

pub(crate) fn help_of(name: &str) -> String {
    let help = declared().get(name).map(|(parameter, _)| parameter.help);
    words::capital(help.unwrap_or_default())
}

fn flag(parameter: &'static Parameter, takers: &[&str]) -> Arg {
    let (of, group) = match takers {
        [one] => (String::new(), format!("Parameters of {one} only")),
        several => {
            (format!(" ({})", several.join(", ")), "Parameters of several measurements".to_owned())
        }
    };
    let help = format!("{}{of} [default: {}]", parameter.help, parameter.default);
    let arg = Arg::new(parameter.name).long(parameter.name).value_name(value_name(parameter.kind));
    let arg = match parameter.kind {
        Kind::Settings | Kind::Names => arg.action(ArgAction::Append),
        _ => arg.value_delimiter(','),
    };
    let is_signed = matches!(parameter.kind, Kind::Number(_));
    arg.allow_negative_numbers(is_signed).help_heading(group).help(help)
}

fn value_name(kind: Kind) -> String {
    match kind {
        Kind::Time => "TIME".to_owned(),
        Kind::Count(..) | Kind::Threads(_) => "N".to_owned(),
        Kind::Percent(..) => "PERCENT".to_owned(),
        Kind::Rate => "RATE".to_owned(),
        Kind::Number(unit) => if unit.is_empty() { "NUMBER" } else { unit }.to_owned(),
        Kind::Choice(words) => words.join("|"),
        Kind::Peer(words) => format!("{}|HOST:PORT", words.join("|")),
        Kind::Text(what) | Kind::File(what) => what.to_owned(),
        Kind::Settings => "NAME=VALUE".to_owned(),
        Kind::Names => "NAME,...".to_owned(),
    }
}

impl Generated for ParameterArgs {
    fn flags() -> impl Iterator<Item = Arg> {
        declared().into_values().map(|(parameter, takers)| flag(parameter, &takers))
    }

    fn read(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |name| Some((name, matches.get_many::<String>(name)?.cloned().collect()));
        Ok(Self(declared().into_keys().filter_map(typed).collect()))
    }
}

generated_args!(ParameterArgs);
