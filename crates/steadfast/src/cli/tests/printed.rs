//! Every command that the program prints can be typed: those of the sources' texts and of the manual's
//! sentences are known to the parser, with their flags.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ErrorKind};
use testing::manual::{Typed, pages, project};

use super::*;

const PROGRAM: &str = "steadfast ";
/// What ends a command in a text.
const ENDS: [char; 5] = ['`', '"', '\n', ';', ')'];

/// A command in a text: where it is, its words, and whether it is between backticks.
struct Printed {
    place: String,
    words: String,
    is_quoted: bool,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.to_str().is_some_and(|name| {
            name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "refused_lines.rs"
        }) {
            found.push(path);
        }
    }
}

/// Returns the text of a source without its comments and tests; a string literal is one line.
fn texts(source: &str) -> String {
    let product = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let lines: Vec<&str> = product.lines().filter(is_code).map(str::trim_start).collect();
    lines.join("\n").replace("\\\n", "").replace("\\n", "\n").replace("\\\"", "'")
}

fn commands(place: &str, text: &str) -> Vec<Printed> {
    let found = text.match_indices(PROGRAM).map(|(at, _)| {
        let rest = &text[at + PROGRAM.len()..];
        let end = rest.find(ENDS).unwrap_or(rest.len());
        let is_quoted = text[..at].trim_end_matches("sudo ").ends_with('`');
        Printed { place: place.to_owned(), words: rest[..end].trim_end().to_owned(), is_quoted }
    });
    found.collect()
}

/// Returns all commands in the sources of the product and in the sentences of the manual.
fn printed() -> Vec<Printed> {
    let mut files = Vec::new();
    for krate in fs::read_dir(project().join("crates")).unwrap().flatten() {
        let source = krate.path().join("src");
        if source.is_dir() && krate.file_name() != "testing" {
            sources(&source, &mut files);
        }
    }
    let sources = files.iter().flat_map(|path| {
        let place = path.strip_prefix(project()).unwrap().display().to_string();
        commands(&place, &texts(&fs::read_to_string(path).unwrap()))
    });
    let manual = pages().into_iter().flat_map(|(page, text)| {
        let quoted = commands(&page, &text).into_iter().filter(|command| command.is_quoted);
        quoted.collect::<Vec<_>>()
    });
    sources.chain(manual).collect()
}

/// Returns why a command would be refused; texts that only name the program are not commands.
fn refused(root: &clap::Command, printed: &Printed) -> Option<String> {
    let mut known = root;
    let mut words = printed.words.split_whitespace().peekable();
    while let Some(deeper) = words.peek().and_then(|word| known.find_subcommand(word)) {
        known = deeper;
        words.next();
    }
    if known.get_name() == root.get_name() {
        return None;
    }
    let has_flag = |flag: &str| {
        let is_it =
            |arg: &clap::Arg| arg.get_long_and_visible_aliases().is_some_and(|a| a.contains(&flag));
        known.get_arguments().any(is_it)
    };
    let unknown = words.filter_map(|word| {
        let flag = word.trim_start_matches('[').strip_prefix("--")?;
        let flag = flag.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next()?;
        (!flag.is_empty() && !has_flag(flag))
            .then(|| format!("{} has no --{flag}", known.get_name()))
    });
    let unknown = unknown.collect::<Vec<_>>().join(", ");
    let why = Some(unknown).filter(|unknown| !unknown.is_empty()).or_else(|| unread(printed));
    why.map(|why| format!("{}: steadfast {}: {why}", printed.place, printed.words))
}

/// Returns why the parser refuses a whole command without placeholders.
fn unread(printed: &Printed) -> Option<String> {
    let is_template = |c: char| c.is_uppercase() || "{}[<*|".contains(c);
    if !printed.is_quoted || printed.words.contains(is_template) || printed.words.contains("...") {
        return None;
    }
    let Some(words) = shlex::split(&printed.words) else {
        return Some("a quote is never closed".to_owned());
    };
    let typed = Typed { place: printed.place.clone(), words };
    let program = std::iter::once("steadfast".to_owned());
    match Cli::try_parse_from(program.chain(typed.words.clone())) {
        // A sentence may name a command or an option alone.
        Ok(_) if !typed.words.iter().any(|word| word.starts_with("--")) => None,
        Ok(_) => manual::refused(&typed),
        Err(error) if !error.use_stderr() || is_incomplete(&error) => None,
        Err(error) => Some(one_line(&error.to_string())),
    }
}

fn is_incomplete(error: &clap::Error) -> bool {
    let is_without_value = || {
        let value = error.get(ContextKind::InvalidValue).map(ToString::to_string);
        value.is_some_and(|value| value.is_empty())
    };
    match error.kind() {
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
        ErrorKind::InvalidValue => is_without_value(),
        _ => false,
    }
}

fn root() -> clap::Command {
    let mut root = Cli::command();
    root.build();
    root
}

#[test]
fn every_printed_command_can_be_typed() {
    let (root, mut printed) = (root(), printed());
    assert!(printed.len() > 150, "{} commands", printed.len());
    printed.sort_by(|one, other| one.words.cmp(&other.words));
    printed.dedup_by(|one, other| one.words == other.words && one.is_quoted == other.is_quoted);
    let refused: Vec<String> = printed.iter().filter_map(|one| refused(&root, one)).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn a_printed_command_with_a_strange_flag_or_value_is_found() {
    for words in
        ["run wakeup --nonsense 3", "report {store} --nonsense", "run --period soon wakeup"]
    {
        let of = |text| commands("place", text).remove(0);
        assert!(refused(&root(), &of(&format!("see `steadfast {words}`"))).is_some(), "{words}");
    }
}
