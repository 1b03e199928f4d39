//! `steadfast help`: a command, or anything that has a name.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Command};
use load::LOADS;
use probe::MEASUREMENTS;

use super::list;
use crate::output::print;
use crate::plans;

#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// A command, measurement, view, load or ready plan; default: all commands
    #[arg(value_name = "NAME")]
    words: Vec<String>,
}

/// Explains what is named, of all that can be typed.
pub(crate) fn help(args: &HelpArgs, known: Command) -> Result<ExitCode> {
    print(&explained(known, &args.words)?)?;
    Ok(ExitCode::SUCCESS)
}

fn explained(mut root: Command, words: &[String]) -> Result<String> {
    root.build();
    let command = words.iter().try_fold(&root, |known, name| {
        known.find_subcommand(name).filter(|found| !found.is_hide_set())
    });
    if let Some(command) = command {
        return Ok(command.clone().render_long_help().to_string());
    }
    let name = words.join(" ");
    let named = list::explained(&name).or_else(|| plans::explained(&name));
    named.map_or_else(|| bail!(unknown(&root, &name)), Ok)
}

fn unknown(root: &Command, name: &str) -> String {
    let commands = root.get_subcommands().filter(|known| !known.is_hide_set());
    let commands = commands.map(Command::get_name);
    let measurements = MEASUREMENTS.iter().map(|known| known.name());
    let loads = LOADS.iter().map(|known| known.name);
    let known: Vec<&str> = commands.chain(measurements).chain(loads).collect();
    let expected = units::expected(name, known);
    format!("nothing is called `{name}`; {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, paths};
    use crate::output::WIDTH;

    #[test]
    fn every_help_text_and_list_keeps_to_the_columns_of_a_terminal() {
        let measurements = MEASUREMENTS.iter().map(|known| known.name());
        let views = analysis::views::VIEWS.iter().map(|view| view.name);
        let loads = LOADS.iter().map(|load| load.name);
        let plans = plans::READY.iter().map(|ready| ready.name);
        let names = measurements.chain(views).chain(loads).chain(plans);
        let commands = paths(&Cli::known());
        let mut texts =
            vec![("list".to_owned(), list::as_text()), ("plans".to_owned(), plans::list())];
        for name in names.map(str::to_owned).chain(commands).chain([String::new()]) {
            let words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
            texts.push((name, explained(Cli::known(), &words).unwrap()));
        }
        let wide: Vec<String> = texts
            .iter()
            .flat_map(|(name, text)| text.lines().map(move |line| format!("{name}: {line}")))
            .filter(|line| line.split_once(": ").unwrap().1.chars().count() > WIDTH)
            .collect();
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    }
}
