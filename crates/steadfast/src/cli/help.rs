//! Help texts: one screen with `-h`, everything with `--help`, each with examples.

use clap::{Arg, Command};

use crate::options::request::subject::{Subject, left_out};
use crate::startup::output::entry;

/// Three lines for every command that users type: its name without the program's and the options
/// that most users need, then two examples. Positional arguments are always shown.
const SHORT: &str = include_str!("help.txt");

struct Short {
    path: &'static str,
    usual: Vec<&'static str>,
    examples: [&'static str; 2],
}

fn read() -> Vec<Short> {
    let lines: Vec<&str> = SHORT.lines().map(str::trim).collect();
    let short = |[head, examples @ ..]: &[&'static str; 3]| {
        let (path, usual) = head.split_once(':').unwrap_or((head, ""));
        Short { path, usual: usual.split_whitespace().collect(), examples: *examples }
    };
    lines.as_chunks().0.iter().map(short).collect()
}

/// The groups of the overview, each with its number of commands; the last one is not shown.
pub(super) type Groups = &'static [(&'static str, usize)];

/// Adds short help and examples to all commands. `words` is the typed command line: the help leaves
/// out parameters of measurements that it does not name.
pub(super) fn with_help(root: Command, groups: Groups, words: &[String]) -> Command {
    let root = shaped(root, "", &read(), words);
    let groups = overview(&root, groups);
    root.help_template(format!("{{about}}\n{{usage-heading}} {{usage}}\n{groups}"))
}

fn overview(root: &Command, groups: Groups) -> String {
    let mut commands = root.get_subcommands();
    let line = |known: &Command| {
        let summary = known.get_about().map(ToString::to_string).unwrap_or_default();
        entry(11, known.get_name(), &summary)
    };
    let group = |(title, count): &(&str, usize)| {
        format!("\n{title}\n{}", commands.by_ref().take(*count).map(line).collect::<String>())
    };
    let shown = &groups[..groups.len() - 1];
    shown.iter().map(group).collect()
}

fn shaped(known: Command, path: &str, shorts: &[Short], words: &[String]) -> Command {
    let known = match shorts.iter().find(|short| short.path == path) {
        Some(short) => short.applied(known, words),
        None => known,
    };
    known.mut_subcommands(|deeper| {
        let path = format!("{path} {}", deeper.get_name());
        shaped(deeper, path.trim_start(), shorts, words)
    })
}

impl Short {
    fn applied(&self, known: Command, words: &[String]) -> Command {
        let before = known.get_after_help().map(|text| format!("{text}\n\n"));
        let examples = self.examples.join("\n  ");
        let after = format!("{}Examples:\n  {examples}", before.unwrap_or_default());
        let parameters = parameter_pages(self.path);
        let left_out = left_out(self.path, words);
        known
            .mut_args(|arg| {
                let is_named = arg.get_long().is_some_and(|name| self.usual.contains(&name));
                let is_usual = arg.is_positional() || is_named;
                let is_left_out =
                    left_out.contains(&arg.get_id().as_str()) && !arg.is_required_set();
                shortened(arg).hide_short_help(!is_usual).hide_long_help(is_left_out)
            })
            .after_long_help(format!("{parameters}{after}"))
            .after_help(after)
    }
}

/// Lists the help pages of measurements, whose parameters the help of a command leaves out.
fn parameter_pages(path: &str) -> String {
    let helps = Subject::of(path).into_iter().flat_map(|subject| subject.measurements);
    let helps: String = helps.map(|name| format!("  steadfast help {path} {name}\n")).collect();
    if helps.is_empty() { helps } else { format!("Parameters of one measurement:\n{helps}\n") }
}

/// Limits an argument's short help to the first clause of its help, and its default.
fn shortened(arg: Arg) -> Arg {
    let Some(all) = arg.get_help().map(ToString::to_string) else {
        return arg;
    };
    let (text, default) = all.split_at(all.find(" [default: ").unwrap_or(all.len()));
    let ends = [". ", "; ", ": ", ", as "].into_iter();
    match ends.filter_map(|end| text.find(end)).min() {
        Some(end) => arg.help(format!("{}{default}", &text[..end])).long_help(all),
        None => arg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, paths};
    use testing::manual;

    /// Lines and columns of a terminal, as on the DEC VT100 and ever since.
    const SCREEN: [usize; 2] = [24, 80];

    #[test]
    fn every_visible_command_is_in_the_overview_in_the_order_of_the_man_page() {
        let mut root = Cli::known();
        let help = root.render_help().to_string();
        let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
        let listed: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
        let shown = root.get_subcommands().filter(|known| !known.is_hide_set());
        assert_eq!(listed, shown.map(Command::get_name).collect::<Vec<_>>());
    }

    #[test]
    fn short_help_fits_on_a_screen_and_has_examples_that_can_be_typed() {
        let mut root = Cli::known();
        root.build();
        let mut wrong = Vec::new();
        for path in paths(&root).iter().map(String::as_str).chain([""]) {
            let words = path.split(' ').filter(|word| !word.is_empty());
            let mut known =
                words.fold(&root, |known, name| known.find_subcommand(name).unwrap()).clone();
            let help = known.render_help().to_string();
            let lines: Vec<&str> = help.trim_end().lines().collect();
            let widest = lines.iter().map(|line| line.chars().count()).max();
            // The overview of all commands may take a larger terminal.
            let is_long = !path.is_empty() && lines.len() > SCREEN[0];
            if is_long || widest > Some(SCREEN[1]) {
                wrong.push(format!("{path}: {} lines\n{help}", lines.len()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_command_has_two_examples_and_options_that_it_takes() {
        let root = Cli::known();
        let known: Vec<String> = paths(&root);
        assert_eq!(SHORT.lines().count() % 3, 0, "help.txt has three lines for each command");
        let shorts = read();
        let described: Vec<&str> = shorts.iter().map(|short| short.path).collect();
        let mut lacking = known;
        lacking.retain(|path| !described.contains(&path.as_str()));
        assert!(lacking.is_empty(), "add three lines to help.txt for each of {lacking:?}");
        for Short { path, usual, examples } in &shorts {
            let own = path.split(' ').fold(&root, |known, name| {
                known.find_subcommand(name).unwrap_or_else(|| panic!("{path}"))
            });
            for option in usual {
                let mut args = own.get_arguments();
                assert!(args.any(|arg| arg.get_long() == Some(option)), "{path} --{option}");
            }
            for example in examples {
                let words = manual::words(example).into_iter();
                let typed = Cli::parsed(std::iter::once("steadfast".to_owned()).chain(words));
                let error = typed.err().map(|error| error.kind());
                let is_read = error.is_none_or(|kind| kind == clap::error::ErrorKind::DisplayHelp);
                assert!(is_read, "{example}");
            }
        }
    }
}
