//! Every command in the shell blocks of README and manual is one that this program takes.

use testing::manual::{self, Typed};

use super::*;
use crate::args::PlaceArgs;
use crate::request::specs;

/// What stands in the manual for something that a shell or a reader puts there: the text, what it
/// is here, and what it stands for.
const STANDS_FOR: &[(&str, &str, &str)] = &[
    ("$(seq -s, 2300 2300 57500)", "2300,4600", "numbers that the shell writes"),
    ("VIEWER:9870", "127.0.0.1:9870", "the address of another machine"),
];

fn without_placeholders(word: &str) -> String {
    let stands = STANDS_FOR.iter();
    stands.fold(word.to_owned(), |word, (text, here, _)| word.replace(text, here))
}

/// Why this program would not take a line. What only a certain machine has (its CPUs, a target, a
/// device, a model) is not asked for.
fn refused(typed: &Typed) -> Option<String> {
    let words = typed.words.iter().map(|word| without_placeholders(word));
    let words = std::iter::once("steadfast".to_owned()).chain(words);
    let read = Cli::try_parse_from(words);
    let why = match read.map(|cli| cli.command) {
        Ok(Command::Run(mut args)) if !has_device(typed) && !has_model(typed) => {
            args.place = PlaceArgs::default();
            args.conditions.cpus = None;
            specs(&args).err().map(|why| format!("{why:#}"))
        }
        Ok(_) => None,
        Err(error) if error.use_stderr() => Some(one_line(&error.to_string())),
        Err(_) => None,
    };
    why.map(|why| format!("{}: steadfast {}: {why}", typed.place, typed.words.join(" ")))
}

/// Whether it names a device, as a source of interrupts does.
fn has_device(typed: &Typed) -> bool {
    typed.words.iter().any(|word| word.contains(":/dev/"))
}

/// Whether it names a model of the reader's own, or a plan of several.
fn has_model(typed: &Typed) -> bool {
    let flags = ["--fmu", "--library", "--program"];
    let is_mix = typed.words.iter().any(|word| word == probe::MIX);
    is_mix || typed.words.iter().any(|word| flags.contains(&&**word))
}

#[test]
fn every_command_of_the_manual_is_taken() {
    let refused: Vec<String> = manual::commands().iter().filter_map(refused).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_placeholder_stands_in_the_manual() {
    let commands = manual::commands();
    for (text, _, meaning) in STANDS_FOR {
        let stands = commands.iter().flat_map(|typed| &typed.words);
        assert!(stands.into_iter().any(|word| word.contains(text)), "{text}: {meaning}");
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
