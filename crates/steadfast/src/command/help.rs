//! `steadfast help`: explains a command, or anything else that has a name.

use anyhow::{Context, Result};
use clap::{Args, Command, Subcommand};

use super::list;
use super::roles::Role;
use crate::options::request::subject;
use crate::startup::output::print;

#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// A command, optionally followed by one of its measurements; or a measurement, view, load or
    /// ready plan; default: all commands
    #[arg(value_name = "NAME")]
    pub(crate) words: Vec<String>,
}

pub(crate) fn help(args: &HelpArgs, known: Command) -> Result<()> {
    print(&explained(known, &args.words)?)
}

fn explained(mut root: Command, words: &[String]) -> Result<String> {
    root.build();
    let path = match words.split_last() {
        Some((last, path)) if subject::named(&path.join(" "), last).is_some() => path,
        _ => words,
    };
    let command = path.iter().try_fold(&root, |known, name| {
        known.find_subcommand(name).filter(|found| !Role::has_subcommand(found.get_name()))
    });
    if let Some(command) = command {
        return Ok(command.clone().render_long_help().to_string());
    }
    let name = words.join(" ");
    list::explained(&name).with_context(|| unknown(&root, &name))
}

fn unknown(root: &Command, name: &str) -> String {
    let commands = root.get_subcommands().map(Command::get_name);
    let commands = commands.filter(|name| !Role::has_subcommand(name));
    match base::nearest(name, [commands.collect(), list::names()].concat()) {
        Some(near) => format!("nothing is called `{name}`; did you mean `{near}`?"),
        None => format!(
            "nothing is called `{name}`; `steadfast help` lists commands, `steadfast list` \
             measurements, views and loads, `steadfast campaign --list` plans"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, paths};
    use crate::startup::output::WIDTH;

    fn words(name: &str) -> Vec<String> {
        name.split_whitespace().map(str::to_owned).collect()
    }

    fn asked(name: &str) -> Result<String> {
        explained(Cli::explained(&words(name)), &words(name))
    }

    #[test]
    fn a_misspelt_name_is_answered_by_the_nearest_and_an_unknown_one_by_the_lists_of_names() {
        let why = |name| asked(name).unwrap_err().to_string();
        assert_eq!(why("wakup"), "nothing is called `wakup`; did you mean `wakeup`?");
        assert!(why("nosuch").contains("`steadfast list`"));
        assert!(why("nosuch").len() < 200);
        assert!(why("role-runner").contains("nothing is called"));
    }

    #[test]
    fn commands_that_the_overview_leaves_out_are_explained_too() {
        assert!(asked("echo").unwrap().contains("Usage: steadfast echo"));
    }

    #[test]
    fn a_search_explains_only_the_parameters_of_its_models() {
        let has = |line: &str, flag: &str| asked(line).unwrap().contains(&format!("--{flag} <"));
        for (line, shown, left_out) in [
            ("frontier", ["masses", "rate"], ["integrator", "fmu"]),
            ("map", ["masses", "rate"], ["integrator", "affinity"]),
            ("frontier model", ["integrator", "fmu"], ["masses", "solver"]),
            ("check", ["timer", "rate"], ["masses", "fmu"]),
            ("check tire", ["masses", "model"], ["timer", "fmu"]),
            ("check model", ["fmu", "rate"], ["masses", "mode"]),
            ("run wakeup", ["timer", "seconds"], ["masses", "fmu"]),
            ("run", ["timer", "masses"], ["nonsense", "nonsense"]),
        ] {
            assert!(shown.iter().all(|flag| has(line, flag)), "{line}");
            assert!(!left_out.iter().any(|flag| has(line, flag)), "{line}");
        }
        let typed = Cli::parsed(["steadfast", "frontier", "model", "--help"]);
        let typed = typed.map(drop).unwrap_err().to_string();
        assert!(typed.contains("--integrator <") && !typed.contains("--masses <"), "{typed}");
        let check = asked("check").unwrap();
        assert!(check.contains("Parameters of wakeup only"), "{check}");
        assert!(check.contains("  steadfast help check tire\n"), "{check}");
        assert!(!check.contains("Parameters of model only\n      --clocks"));
        assert!(asked("check frame").is_err());
    }

    #[test]
    fn every_help_text_and_list_keeps_to_the_columns_of_a_terminal() {
        let commands = paths(&Cli::known());
        let mut wide = Vec::new();
        for name in list::names().into_iter().chain(commands.iter().map(String::as_str)).chain([""])
        {
            let text = asked(name).unwrap();
            let lines = text.lines().filter(|line| line.chars().count() > WIDTH);
            wide.extend(lines.map(|line| format!("{name}: {line}")));
        }
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    }
}
