//! `steadfast knobs`: the knobs of this machine, as they stand.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use knob::{Knob, OnMachine, Present, Way};
use plan::{KNOWN, SHAM};

use super::json;
use crate::args::WordsArgs;
use crate::exit::EXIT_COULD_NOT_RUN;
use crate::output::{WIDTH, entry, print};
use crate::place::Place;

/// Prints them; ends with 2 where none of them can be tried.
pub(super) fn list(args: &WordsArgs, place: &Place) -> Result<ExitCode> {
    let OnMachine { knobs: found, running } = place.knobs()?;
    let text = match (args.answer.json, args.verbose) {
        (true, _) => format!("{:#}\n", json::json(&found, &running)),
        (false, true) => in_full(&found, &running),
        (false, false) => in_short(&found),
    };
    print(&text)?;
    Ok(match found.iter().any(|one| can_be_tried(one) && !is_reference(one.knob)) {
        true => ExitCode::SUCCESS,
        false => EXIT_COULD_NOT_RUN.into(),
    })
}

/// Whether this process could try it.
pub(super) fn can_be_tried(one: &Present) -> bool {
    one.out_of_reach.is_none() && one.to_try.is_some()
}

/// Whether an experiment has it to judge itself by.
fn is_reference(knob: &Knob) -> bool {
    [SHAM, KNOWN].contains(&knob.name)
}

fn is_flag(one: &&Present) -> bool {
    matches!(one.knob.way, Way::Flag(_))
}

/// Columns of a knob's name, of its value, and of what is to be tried.
const NAME: usize = 24;
const NOW: usize = 22;
const TO_TRY: usize = 18;

fn in_short(found: &[Present]) -> String {
    let (of_run, of_machine): (Vec<&Present>, Vec<&Present>) = found.iter().partition(is_flag);
    let tried = of_machine.iter().filter(|one| can_be_tried(one));
    let flags = of_run.iter().filter(|one| can_be_tried(one));
    let mut text = answer(found);
    text.push('\n');
    text += &line("knob", "now", "to try", "risk");
    tried.for_each(|one| text += &row(one));
    text += "\nOf the run itself (nothing of the machine is written)\n";
    flags.for_each(|one| text += &entry(NAME - 1, one.knob.name, one.knob.summary));
    text += &nothing_to_try(found);
    text += &out_of_reach(found);
    text + "\nsteadfast knobs --verbose tells all of each, --json is for programs\n"
}

fn answer(found: &[Present]) -> String {
    let tried = found.iter().filter(|one| can_be_tried(one)).count();
    let refused = found.iter().filter(|one| one.out_of_reach.is_some()).count();
    let beyond = match refused {
        0 => String::new(),
        count => format!(" {count} are out of reach, and the last lines say why."),
    };
    let words =
        format!("{tried} knobs can be tried here.{beyond} Nothing is changed by this list.");
    wrapped(&words, 0)
}

fn row(one: &Present) -> String {
    let now = match one.now.contains('=') {
        true => format!("differs ({} places)", one.places.len()),
        false => one.now.clone(),
    };
    let to_try = one.to_try.as_deref().unwrap_or_default();
    let mut text = line(one.knob.name, &now, to_try, one.knob.risk.word());
    let costs = [one.knob.why.to_owned(), rivals_that_run(one)];
    let costs = costs.iter().filter(|words| !words.is_empty());
    costs.for_each(|words| text += &wrapped(words, 6));
    text
}

fn rivals_that_run(one: &Present) -> String {
    match one.written_by.as_slice() {
        [] => String::new(),
        names => format!("written too by {}, which runs", names.join(", ")),
    }
}

fn line(name: &str, now: &str, to_try: &str, risk: &str) -> String {
    format!("  {name:<NAME$}{now:<NOW$}{to_try:<TO_TRY$}{risk}\n")
}

fn wrapped(words: &str, indent: usize) -> String {
    let lines = units::wrapped(words, WIDTH - indent).into_iter();
    lines.map(|line| format!("{:indent$}{line}\n", "")).collect()
}

fn nothing_to_try(found: &[Present]) -> String {
    let stands = |one: &&Present| one.to_try.is_none() && one.out_of_reach.is_none();
    let names: Vec<String> =
        found.iter().filter(stands).map(|one| format!("{} ({})", one.knob.name, one.now)).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(
            "\nAs they stand, there is nothing else to try\n{}",
            wrapped(&names.join(", "), 2)
        ),
    }
}

/// What this process cannot set, by the reason.
fn out_of_reach(found: &[Present]) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in found {
        if let Some(why) = &one.out_of_reach {
            reasons.entry(why).or_default().push(&one.name);
        }
    }
    let told = reasons
        .iter()
        .map(|(why, names)| wrapped(&format!("{why}:"), 2) + &wrapped(&names.join(", "), 4));
    match reasons.is_empty() {
        true => String::new(),
        false => format!("\nOut of reach\n{}", told.collect::<String>()),
    }
}

/// Columns of the words beside what is told of a knob.
const DETAIL: usize = 14;

fn in_full(found: &[Present], running: &[String]) -> String {
    let mut text = answer(found);
    for one in found {
        let knob = one.knob;
        text += &format!("\n{}\n", one.name);
        let mut tell = |what: &str, words: &str| {
            if !words.is_empty() {
                text += &entry(DETAIL, what, words);
            }
        };
        tell("what", knob.summary);
        tell("now", &one.now);
        tell("to try", one.to_try.as_deref().unwrap_or("nothing else"));
        tell("out of reach", one.out_of_reach.as_deref().unwrap_or_default());
        tell("risk", knob.risk.word());
        tell("cost", knob.why);
        tell("acts after", &format!("{} s", knob.settle.as_secs()));
        tell("written by", &rivals(knob, running));
        tell("where", &places(one));
        tell("source", knob.source);
    }
    text
}

/// The programs that write it too, and whether each runs.
fn rivals(knob: &Knob, running: &[String]) -> String {
    let told = knob.written_by.iter().map(|name| {
        let runs = running.iter().any(|one| one == name);
        format!("{name} ({})", if runs { "runs" } else { "does not run" })
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The first and the last of many.
fn places(one: &Present) -> String {
    match one.places.as_slice() {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{} places, {first} to {last}", one.places.len()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_list_keeps_to_eighty_columns_and_names_every_knob_that_is_here() {
        let found = knob::here(Path::new("/"));
        let text = in_short(&found);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(WIDTH), "{text}");
        for one in &found {
            assert!(text.contains(one.knob.name), "{}", one.knob.name);
        }
    }
}
