//! `steadfast completions` and `man`: what a shell and `man` know of the program, from its parser.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::files::make_directory;
use crate::output::print;

const NAME: &str = "steadfast";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that completes what is typed
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Directory for the pages, which is made where there is none
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Prints what a shell reads to complete commands and options.
pub(crate) fn completions(args: &CompletionsArgs, known: &Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut typed(known), NAME, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for `man` of each command.
pub(crate) fn man(args: &ManArgs, known: &Command) -> Result<ExitCode> {
    let directory = &args.directory;
    make_directory(directory)?;
    clap_mangen::generate_to(typed(known), directory)
        .with_context(|| format!("DIR: no page can be written into {}", directory.display()))?;
    print(&format!("man -l {}\n", directory.join("steadfast.1").display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What a person types; not the roles that the program plays for itself.
fn typed(known: &Command) -> Command {
    let about = known.get_about().cloned().unwrap_or_default();
    let shown = known.get_subcommands().filter(|known| !known.is_hide_set());
    Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .disable_help_subcommand(true)
        .subcommands(shown.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::ValueEnum;

    #[test]
    fn every_shell_completes_what_a_person_types_and_nothing_else() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut typed(&Cli::known()), NAME, &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("self-test") && !script.contains("role-"), "{shell}");
        }
    }
}
