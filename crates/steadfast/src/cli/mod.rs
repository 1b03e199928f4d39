//! The command-line parser: all commands, and how their help is shown.

mod commands;
#[cfg(test)]
mod entries;
mod help;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

#[cfg(test)]
use clap::Command as Known;
use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, FromArgMatches};

use crate::options::one_line;
use crate::startup::exit::{EXIT_COULD_NOT_RUN, EXIT_NOBODY_READS};
use crate::startup::output::{NOT_PRINTED, expect_open, tell};
use crate::startup::typed::words;

pub(crate) use commands::{Cli, Command};

impl Cli {
    /// Parses `words`, the program's name first.
    pub(crate) fn parsed<W: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = W>,
    ) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        let shown = words.iter().map(|word| word.to_string_lossy().into_owned());
        let mut known = Self::explained(&shown.collect::<Vec<_>>());
        let matches = known.try_get_matches_from_mut(words)?;
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut known))?;
        Ok(Self { is_quiet: has_flag(&matches, "quiet"), ..cli })
    }

    /// Parses what the user typed. A mistake is reported in one line, with exit code 2.
    ///
    /// # Errors
    /// The exit code, if everything there is to print was printed already (help or an error).
    pub(crate) fn typed() -> Result<Self, ExitCode> {
        let error = match Self::parsed(words()) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        let code = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match expect_open() {
                Ok(()) => 0,
                Err(_) => return Err(EXIT_NOBODY_READS.into()),
            },
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => EXIT_COULD_NOT_RUN,
            _ => {
                tell(&instead(&error).unwrap_or_else(|| one_line(&error.to_string())));
                return Err(EXIT_COULD_NOT_RUN.into());
            }
        };
        // A closed pipe is not worth an error.
        match error.print() {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                tell(&format!("error: {NOT_PRINTED}: {why}"));
                Err(EXIT_COULD_NOT_RUN.into())
            }
            _ => Err(code.into()),
        }
    }
}

/// Returns whether the command that was typed takes this flag and was given it.
fn has_flag(matches: &ArgMatches, flag: &str) -> bool {
    match matches.subcommand() {
        Some((_, deeper)) => has_flag(deeper, flag),
        None => matches.try_get_one(flag).ok().flatten().is_some_and(|given| *given),
    }
}

const INSTEAD: [(&str, &str); 2] = [
    (
        "--interactive",
        "the charts of report.html show exact values under the pointer, and `steadfast report STORE --csv` \
         prints the data",
    ),
    (
        "--out",
        "a command without it, such as `run`, keeps results with --store FILE; `steadfast report FILE --out DIR` \
         writes the report",
    ),
];

/// Returns what to use instead of the argument that this error does not know.
fn instead(error: &clap::Error) -> Option<String> {
    let typed = error.get(ContextKind::InvalidArg)?.to_string();
    let is_word = error.kind() == ErrorKind::UnknownArgument && !typed.starts_with('-');
    let instead = match INSTEAD.iter().find(|(flag, _)| *flag == typed) {
        Some((_, instead)) => instead,
        None if is_word => "options begin with --",
        None => return None,
    };
    Some(format!("error: unexpected argument '{typed}': {instead}"))
}

/// The full names of all commands that users type, such as `knobs try`.
#[cfg(test)]
pub(crate) fn paths(known: &Known) -> Vec<String> {
    let name = known.get_name().to_owned();
    let shown: Vec<&Known> = known.get_subcommands().filter(|c| !c.is_hide_set()).collect();
    match shown.as_slice() {
        [] => vec![name],
        deeper => deeper
            .iter()
            .flat_map(|known| paths(known))
            .map(|path| match known.get_name() {
                "steadfast" => path,
                own => format!("{own} {path}"),
            })
            .collect(),
    }
}
