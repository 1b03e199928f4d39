//! Every command in the shell blocks of the README and the manual is one that this program accepts.

use std::collections::BTreeMap;

use testing::manual::{self, Typed};

use super::*;
use crate::options::place::Place;
use crate::options::request::specs;

/// Placeholders in the manual, which a shell or a reader replaces: text, value here, and meaning.
const PLACEHOLDERS: &[(&str, &str, &str)] = &[
    ("$(seq -s, 2300 2300 57500)", "2300,4600", "numbers that the shell writes"),
    ("VIEWER:9870", "127.0.0.1:9870", "the address of another machine"),
];

fn without_placeholders(word: &str) -> String {
    PLACEHOLDERS.iter().fold(word.to_owned(), |word, (text, here, _)| word.replace(text, here))
}

/// Returns why this program would refuse a line. What only a certain machine has (its CPUs, a
/// target, a device, a model) is not checked.
pub(super) fn refused(typed: &Typed) -> Option<String> {
    let words = typed.words.iter().map(|word| without_placeholders(word));
    let words = std::iter::once("steadfast".to_owned()).chain(words);
    let read = Cli::try_parse_from(words);
    let why = match read.map(|cli| cli.command) {
        Ok(Command::Run(mut args)) if !has_device(typed) && !has_model(typed) => {
            args.place = Place::default();
            args.line.conditions.cpus = None;
            let runs = args.requests().and_then(|requests| specs(&requests));
            runs.err().map(|why| format!("{why:#}"))
        }
        Ok(_) => None,
        Err(error) if error.use_stderr() => Some(one_line(&error.to_string())),
        Err(_) => None,
    };
    why.map(|why| format!("{}: steadfast {}: {why}", typed.place, typed.words.join(" ")))
}

/// Whether the line names a device, as a source of interrupts does.
fn has_device(typed: &Typed) -> bool {
    typed.words.iter().any(|word| word.contains(":/dev/"))
}

/// Whether the line names the reader's own model, or a plan of several models.
fn has_model(typed: &Typed) -> bool {
    let flags = ["--fmu", "--library", "--program"];
    let is_mix = typed.words.iter().any(|word| word == measure::MIX);
    is_mix || typed.words.iter().any(|word| flags.contains(&&**word))
}

#[test]
fn every_command_of_the_manual_is_taken() {
    let refused: Vec<String> = manual::commands().iter().filter_map(refused).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// What readers search for, and the page and the words that answer it.
const SEARCHED_FOR: &[(&str, &str)] = &[
    ("docs/phrasebook.md", "reads files of other tools"),
    ("docs/report.md", "Import its column `cpus` as text"),
];

#[test]
fn the_manual_answers_what_readers_search_for() {
    let pages: BTreeMap<String, String> = manual::pages().into_iter().collect();
    for (page, words) in SEARCHED_FOR {
        assert!(pages[*page].contains(words), "{page}: {words}");
    }
}

#[test]
fn every_placeholder_is_used_in_the_manual() {
    let commands = manual::commands();
    for (text, _, meaning) in PLACEHOLDERS {
        let mut words = commands.iter().flat_map(|typed| &typed.words);
        assert!(words.any(|word| word.contains(text)), "{text}: {meaning}");
    }
}

#[test]
fn a_command_with_a_strange_flag_or_value_is_refused() {
    for line in ["run wakeup --nonsense", "run wakeup --timer sundial", "nonsense"] {
        let words = line.split(' ').map(str::to_owned).collect();
        let place = "page.md:1".to_owned();
        assert!(refused(&Typed { place, words }).is_some(), "{line}");
    }
}
