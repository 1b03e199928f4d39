//! Files in the formats of build servers: a flag for each format.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, value_parser};
use report::{FORMATS, Format, Suite};

use super::generated::{Generated, generated_args};
use crate::startup::files::{Named, check_place, refuse_one_file, write};

#[derive(Debug, Clone, Default)]
pub(crate) struct FormatArgs(Vec<(&'static Format, PathBuf)>);

impl FormatArgs {
    /// Checks, before anything is measured, that the files can be written.
    pub(crate) fn check(&self) -> Result<()> {
        self.0.iter().try_for_each(|(format, path)| check_place(path, &flag(format)))?;
        refuse_one_file(self.files())
    }

    /// Returns the flag and the path of each file.
    pub(crate) fn files(&self) -> impl Iterator<Item = Named> {
        self.0.iter().map(|(format, path)| (flag(format), path.clone()))
    }

    pub(crate) fn write(&self, suites: &[Suite]) -> Result<()> {
        let mut files = self.0.iter();
        files.try_for_each(|(format, path)| write(path, (format.write)(suites), &flag(format)))
    }
}

fn flag(format: &Format) -> String {
    format!("--{}", format.flag)
}

impl Generated for FormatArgs {
    fn flags() -> impl Iterator<Item = Arg> {
        FORMATS.iter().map(|format| {
            let arg = Arg::new(format.flag).long(format.flag).value_name("FILE").help(format.help);
            arg.value_parser(value_parser!(PathBuf))
        })
    }

    fn read(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |format: &'static Format| {
            matches.get_one(format.flag).map(|path: &PathBuf| (format, path.clone()))
        };
        Ok(Self(FORMATS.iter().filter_map(typed).collect()))
    }
}

generated_args!(FormatArgs);
