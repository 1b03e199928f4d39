//! Flags for the parameters of measurements, drawn from their table.

use std::collections::BTreeMap;

use analysis::words;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use plan::{Kind, Parameter, Parameters};
use probe::MEASUREMENTS;

/// What was typed for each parameter: several values separated by commas cross
/// into several runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParameterArgs(pub(crate) BTreeMap<&'static str, Vec<String>>);

/// Every parameter of the table once, with the measurements that take it.
fn declared() -> BTreeMap<&'static str, (&'static Parameter, Vec<&'static str>)> {
    let mut all = BTreeMap::new();
    for measurement in MEASUREMENTS {
        for parameter in measurement.parameters() {
            let entry = all.entry(parameter.name).or_insert((parameter, Vec::new()));
            entry.1.push(measurement.name());
        }
    }
    all
}

/// What a measurement takes where nothing else is typed; nothing for one that nobody knows.
pub(crate) fn usual(measurement: &str) -> Parameters {
    let declared = probe::find(measurement).map_or(&[][..], |one| one.parameters());
    Parameters::defaults(declared)
}

/// The help of a parameter, as one of a flag.
pub(crate) fn help_of(name: &str) -> String {
    let help = declared().get(name).map(|(parameter, _)| parameter.help);
    words::capital(help.unwrap_or_default())
}

fn flag(parameter: &'static Parameter, takers: &[&str]) -> Arg {
    let help =
        format!("{} ({}) [default: {}]", parameter.help, takers.join(", "), parameter.default);
    let arg = Arg::new(parameter.name).long(parameter.name).value_name(value_name(parameter.kind));
    let arg = match parameter.kind {
        Kind::Settings => arg.action(ArgAction::Append),
        _ => arg.value_delimiter(','),
    };
    arg.allow_negative_numbers(matches!(parameter.kind, Kind::Number(_)))
        .help_heading("Parameters of measurements (several values: a run for each)")
        .help(help)
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
    }
}

impl FromArgMatches for ParameterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |name| Some((name, matches.get_many::<String>(name)?.cloned().collect()));
        Ok(Self(declared().into_keys().filter_map(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

impl Args for ParameterArgs {
    fn augment_args(command: Command) -> Command {
        command.args(declared().values().map(|(parameter, takers)| flag(parameter, takers)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
