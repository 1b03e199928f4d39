//! Files in the formats of build servers: a flag for each format.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use report::{FORMATS, Format, Suite};

use crate::files::{check_place, write};

#[derive(Debug, Clone, Default)]
pub(crate) struct FormatArgs(Vec<(&'static Format, PathBuf)>);

impl FormatArgs {
    /// Checks, before anything is measured, that the files can be written.
    pub(crate) fn check(&self) -> Result<()> {
        self.0.iter().try_for_each(|(format, path)| check_place(path, &flag(format)))
    }

    pub(crate) fn write(&self, suites: &[Suite]) -> Result<()> {
        let mut files = self.0.iter();
        files.try_for_each(|(format, path)| write(path, (format.write)(suites), &flag(format)))
    }
}

fn flag(format: &Format) -> String {
    format!("--{}", format.flag)
}

impl FromArgMatches for FormatArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |format: &'static Format| {
            matches.get_one(format.flag).map(|path: &PathBuf| (format, path.clone()))
        };
        Ok(Self(FORMATS.iter().filter_map(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for FormatArgs {
    fn augment_args(command: Command) -> Command {
        let arg = |format: &Format| {
            let arg = Arg::new(format.flag).long(format.flag).value_name("FILE").help(format.help);
            arg.value_parser(value_parser!(PathBuf))
        };
        command.args(FORMATS.iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
