//! `steadfast model`: describes a model's file.

mod glance;
mod json;
mod system;
mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use model_file::{Content, Source, Ssp};

#[cfg(test)]
pub(crate) use self::json::DescribedFile;
use self::system::SystemArgs;
use crate::options::{FunctionArgs, WordsArgs};

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The FMU (2.0 or 3.0), shared library or SSP (1.0 or 2.0) to describe
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    functions: FunctionArgs,
    #[command(flatten)]
    system: SystemArgs,
    #[command(flatten)]
    words: WordsArgs,
}

pub(crate) fn model(args: &ModelArgs) -> Result<()> {
    if Ssp::is_named(&args.file) {
        return system::describe(&args.file, &args.functions, &args.system, &args.words);
    }
    if let Some(flag) = args.system.first() {
        bail!("--{flag}: applies only to an SSP; leave it out");
    }
    let source = Source::open(&args.file)?;
    check(&args.functions, &source)?;
    let answer = || glance::glance(&source, &args.functions);
    let what = match &source.content {
        Content::Fmu(_) => "variable",
        Content::Library(_) => "function",
    };
    args.words.print(
        || json::described(&source, &args.functions),
        || table::in_full(&answer(), &source),
        answer,
        &format!("add --verbose for every {what}, --json for programs"),
    )
}

fn check(functions: &FunctionArgs, source: &Source) -> Result<()> {
    let Some(flag) = functions.first() else {
        return Ok(());
    };
    match &source.content {
        Content::Fmu(_) => bail!("--{flag}: applies only to libraries; leave it out"),
        Content::Library(library) => Ok(functions.of(library).map(drop)?),
    }
}
