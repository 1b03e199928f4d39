//! `steadfast completions` and `man`: completion scripts and man pages, generated from the parser.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::startup::files::make_directory;
use crate::startup::output::print;

const NAME: &str = "steadfast";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to print completions for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Directory for the man pages; created if it does not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs, known: &Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut typed(known), NAME, &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(args: &ManArgs, known: &Command) -> Result<()> {
    let directory = &args.directory;
    make_directory(directory)?;
    clap_mangen::generate_to(typed(known), directory)
        .with_context(|| format!("DIR: cannot write to {}", directory.display()))?;
    print(&format!("man -l {}\n", directory.join("steadfast.1").display()))
}

/// Returns the parser without the internal roles.
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
    fn every_shell_completes_what_users_type_and_nothing_else() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut typed(&Cli::known()), NAME, &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("self-test") && !script.contains("role-"), "{shell}");
        }
    }
}
