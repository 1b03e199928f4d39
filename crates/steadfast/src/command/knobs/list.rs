//! `steadfast knobs`: lists the knobs of this machine and their present values.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use base::{Observed, SchemaVersion, counted};
use knob::{Knob, OnMachine, Present, Risk, Rivals, Way};
use record::{KNOWN, SHAM};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::WordsArgs;
use crate::options::place::Place;
use crate::startup::exit::EXIT_COULD_NOT_RUN;
use crate::startup::output::{cut, entry, short_entry};

/// Prints the list. The exit code is 2 if none of the knobs can be tried.
pub(super) fn list(args: &WordsArgs, place: &Place) -> Result<ExitCode> {
    let OnMachine { knobs: found, rivals } = place.knobs()?;
    let text = || if args.verbose { in_full(&found, &rivals) } else { in_short(&found) };
    args.answer.print(|| listed(&found, &rivals), text)?;
    let is_subject = |one: &Present| can_be_tried(one) && ![SHAM, KNOWN].contains(&one.knob.name);
    Ok(if found.iter().any(is_subject) { ExitCode::SUCCESS } else { EXIT_COULD_NOT_RUN.into() })
}

pub(super) fn can_be_tried(one: &Present) -> bool {
    one.out_of_reach.is_none() && one.to_try.is_some()
}

/// Widths of the columns: name, present value, value to try.
const NAME: usize = 24;
const NOW: usize = 22;
const TO_TRY: usize = 18;

fn in_short(found: &[Present]) -> String {
    let (of_run, of_machine): (Vec<&Present>, Vec<&Present>) =
        found.iter().filter(|one| can_be_tried(one)).partition(|one| one.knob.flag().is_some());
    let mut text = answer(of_run.len() + of_machine.len()) + "\n";
    text += &line("knob", "now", "to try", "risk");
    of_machine.iter().for_each(|one| text += &row(one));
    text += "\nConditions of the run itself (nothing on the machine is changed)\n";
    of_run.iter().for_each(|one| text += &short_entry(NAME - 1, one.knob.name, one.knob.summary));
    text += &others(found);
    text + "\nMore: steadfast knobs --verbose, or --json for programs\n"
}

fn answer(count: usize) -> String {
    format!("{} can be tried here. This list changes nothing.\n", counted(count, "knob"))
}

fn row(one: &Present) -> String {
    let now = if one.now.contains('=') {
        format!("differs ({} places)", one.places.len())
    } else {
        cut(&one.now, NOW - 1)
    };
    let to_try = cut(one.to_try.as_deref().unwrap_or_default(), TO_TRY - 1);
    line(one.knob.name, &now, &to_try, one.knob.risk.name())
}

fn line(name: &str, now: &str, to_try: &str, risk: &str) -> String {
    format!("  {name:<NAME$}{now:<NOW$}{to_try:<TO_TRY$}{risk}\n")
}

fn others(found: &[Present]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for one in found.iter().filter(|one| !can_be_tried(one)) {
        let why = one.out_of_reach.as_deref().unwrap_or("no other value to try");
        *reasons.entry(why).or_default() += 1;
    }
    if reasons.is_empty() {
        return String::new();
    }
    let lines = reasons.iter().map(|(why, count)| entry(3, &count.to_string(), why));
    format!("\nCannot be tried\n{}", lines.collect::<String>())
}

const DETAIL: usize = 14;

fn in_full(found: &[Present], rivals: &Rivals) -> String {
    let (first, rest): (Vec<&Present>, Vec<&Present>) =
        found.iter().partition(|one| can_be_tried(one));
    let mut text = answer(first.len());
    for one in first.into_iter().chain(rest) {
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
        tell("risk", knob.risk.name());
        tell("cost", knob.why);
        tell("acts after", &format!("{} s", knob.settle.as_secs()));
        tell("written by", &written_by(knob, rivals));
        tell("where", &places(one));
        tell("source", knob.source);
    }
    text
}

/// Returns the programs that also write the knob, and whether each is running, if that can be seen.
fn written_by(knob: &Knob, rivals: &Rivals) -> String {
    let programs = knob.written_by.iter().map(|name| match rivals.runs(name) {
        Observed::Seen(true) => format!("{name} (running)"),
        Observed::Seen(false) => format!("{name} (not running)"),
        Observed::Hidden(why) => format!("{name} (unknown: {why})"),
        Observed::Absent => (*name).to_owned(),
    });
    programs.collect::<Vec<_>>().join(", ")
}

fn places(one: &Present) -> String {
    match one.places.as_slice() {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{} places, {first} to {last}", one.places.len()),
    }
}

/// Output of `steadfast knobs --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct KnobList<'a> {
    schema_version: SchemaVersion<1>,
    /// Knobs that exist on the machine, in the order of the manual's table.
    knobs: Vec<ListedKnob<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ListedKnob<'a> {
    /// Name, as typed on the command line.
    name: &'a str,
    /// What it does.
    summary: &'static str,
    /// How it is set: `file` (files are written), `task` (kernel threads get another policy),
    /// `group` (a resctrl group is created), `unit` (a systemd unit is stopped), `held` (something
    /// is held open), `disturbance` (a disturbance runs) or `flag` (a flag of the run is changed).
    way: ListedWay,
    /// Present value; if its places differ, each as `PLACE=VALUE`.
    now: &'a str,
    /// Value to try; null if there is no other value.
    to_try: Option<&'a str>,
    /// Why this process cannot set it; null if it can.
    out_of_reach: Option<&'a str>,
    /// Risk of trying it.
    risk: Risk,
    /// Reason for the risk, and any cost, in words; may be empty.
    cost: &'static str,
    /// Time in seconds until a new value takes effect, and until an old one no longer does.
    settle_s: u64,
    /// Programs that also write it.
    written_by: Vec<Writer>,
    /// Whether trying it may cut a network connection; if so, it cannot be tried over ssh.
    cuts_network: bool,
    /// Places where it is set: paths of files, or kernel threads as `task ID`; may be empty.
    places: Vec<String>,
    /// Source for what it does, such as a path in the kernel's tree or a man page.
    source: &'static str,
}

/// A program that also writes a knob.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Writer {
    /// Name of the program.
    name: &'static str,
    /// Whether the program is running now; null if that cannot be seen, as in a container.
    runs: Option<bool>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
enum ListedWay {
    File,
    Task,
    Group,
    Unit,
    Boot,
    Held,
    Disturbance,
    Flag,
}

fn listed<'a>(found: &'a [Present], rivals: &Rivals) -> KnobList<'a> {
    let knobs = found.iter().map(|one| listed_knob(one, rivals)).collect();
    KnobList { schema_version: SchemaVersion, knobs }
}

fn listed_knob<'a>(one: &'a Present, rivals: &Rivals) -> ListedKnob<'a> {
    let knob = one.knob;
    let writer = |&name: &&'static str| Writer { name, runs: rivals.runs(name).seen() };
    ListedKnob {
        name: &one.name,
        summary: knob.summary,
        way: way(knob),
        now: &one.now,
        to_try: one.to_try.as_deref(),
        out_of_reach: one.out_of_reach.as_deref(),
        risk: knob.risk,
        cost: knob.why,
        settle_s: knob.settle.as_secs(),
        written_by: knob.written_by.iter().map(writer).collect(),
        cuts_network: knob.cuts_network,
        places: one.places.iter().map(ToString::to_string).collect(),
        source: knob.source,
    }
}

fn way(knob: &Knob) -> ListedWay {
    match knob.way {
        Way::Files(..) => ListedWay::File,
        Way::Tasks(..) => ListedWay::Task,
        Way::Cache => ListedWay::Group,
        Way::Unit => ListedWay::Unit,
        Way::Boot => ListedWay::Boot,
        Way::Held => ListedWay::Held,
        Way::Hog => ListedWay::Disturbance,
        Way::Flag(_) => ListedWay::Flag,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_list_has_a_line_for_every_knob_that_can_be_tried_and_counts_the_others() {
        let found = knob::here(Path::new("/"));
        let text = in_short(&found);
        for one in found.iter().filter(|one| can_be_tried(one)) {
            let line = format!("\n  {} ", one.knob.name);
            assert_eq!(text.matches(&line).count(), 1, "{text}");
        }
        let (_, others) = text.split_once("Cannot be tried\n").unwrap_or_default();
        let count = |line: &str| line.split_whitespace().next()?.parse::<usize>().ok();
        let counted: usize = others.lines().filter_map(count).sum();
        let tried = found.iter().filter(|one| can_be_tried(one)).count();
        assert_eq!(counted + tried, found.len(), "{text}");
        let hidden = Some("hidepid".to_owned());
        let everything = in_full(&found, &Rivals { running: vec!["tuned".to_owned()], hidden });
        assert!(found.iter().all(|one| everything.contains(&format!("\n{}\n", one.name))));
    }

    #[test]
    fn a_program_that_cannot_be_seen_is_unknown_and_not_absent() {
        let knob = knob::find("interrupts").unwrap();
        let rivals = |hidden: Option<&str>| Rivals {
            running: Vec::new(),
            hidden: hidden.map(ToOwned::to_owned),
        };
        assert!(written_by(knob, &rivals(None)).contains("irqbalance (not running)"));
        let hidden = written_by(knob, &rivals(Some("a container")));
        assert!(hidden.contains("irqbalance (unknown: a container)"), "{hidden}");
    }
}
