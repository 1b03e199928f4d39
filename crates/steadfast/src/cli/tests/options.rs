//! The matrix of commands of one kind and the options that they share, derived from the parser
//! itself.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Commands that do similar work, and options that are useful for all of them, separated by commas.
struct Kind {
    commands: &'static str,
    options: &'static str,
    /// Every hole of the matrix: commands, options, and why these commands lack these options.
    holes: &'static [(&'static str, &'static str, &'static str)],
}

const KINDS: &[Kind] = &[
    Kind { commands: RUNNING, options: OPTIONS, holes: HOLES },
    Kind {
        commands: "report, compare",
        options: "out, json, csv, csv-histograms, hdr, junit, fail-if, title, note, quiet, identify, verbose",
        holes: &[(
            "compare",
            "csv-histograms, hdr, junit",
            "its rows are differences; `report` writes the runs of each store",
        )],
    },
    Kind {
        commands: "doctor, knobs, model, audit, list, self-test, studies",
        options: "json, verbose",
        holes: &[],
    },
    Kind { commands: "audit, studies, self-test", options: "quiet", holes: &[] },
    Kind {
        commands: "lab kernels, lab verify, lab freertos, store ls, store show, store recompute",
        options: "json",
        holes: &[],
    },
];

/// Options whose text differs between commands, and what is common.
const WORDED: &[(&str, &str)] = &[
    ("atlas", "the kernels of the atlas; the text says what is done with them"),
    ("cpus", "CPUs by number; the text says for what"),
    ("budget, for, seconds", "a length of time; the text says of what"),
    ("csv, json, out", "a form or place of the output; the text says of what"),
    (
        "allow-inf, delay, end, execution-tool, init, interface, log, program, rate, set, step, steps, tick",
        "the same property of a model; commands that only take models have a shorter text",
    ),
    ("draws", "a number of equal machines; the text says what is compared over them"),
    ("idle-states", "a plan applies it to those of its runs in which deadlines matter"),
    ("margin", "a share of a figure; the text says what it decides"),
    ("of", "a run line; the text says what is done with it"),
    ("plan", "a plan; the text says whether it is written or read"),
    ("output", "a file that is written, or the variables of a model that are read"),
    ("tolerance", "an allowed difference; the text says between what"),
    ("page", "the address of a page; the text says of what"),
    ("yes", "consent to what the command would ask"),
    ("list", "the findings of studies, or the ready plans of campaigns"),
    ("fail-if", "a limit; for `compare` the finding that rows are worse"),
    ("threads", "threads of a model; `frontier` and `map` have other defaults"),
    ("from", "where it starts: at a size for `map`, otherwise from kept results"),
];

/// Options that are useful for every command that runs something; `load` is for all conditions of
/// its group.
const OPTIONS: &str = "target, load, repeat, blame, store, out, json, csv, junit, fail-if, \
                       title, note, quiet, verbose";

const RUNNING: &str = "quick, full, frames, bench, check, run, campaign, frontier, map, interfere, \
                       gate pair, knobs try, lab compare, studies, self-test";

const HOLES: &[(&str, &str, &str)] = &[
    (
        "quick, full, frames, bench, campaign, lab compare, studies",
        "load",
        "each run of the plan has its own",
    ),
    (
        "quick, full, frames, bench, campaign, frontier, map, interfere, gate pair, knobs try, \
         lab compare, studies",
        "store",
        "the runs are in results.db of --out",
    ),
    ("check, run, self-test", "out", "--store keeps the runs, and `report` writes their report"),
    ("check", "repeat", "it repeats one run for as long as --for says"),
    ("frontier, map", "repeat", "the search repeats a size as often as the answer needs"),
    ("frontier", "blame", "it looks for causes unless --no-blame is given"),
    (
        "map",
        "blame",
        "a map shows where deadlines are missed; `run --blame` with one of its sizes shows why",
    ),
    (
        "interfere, knobs try",
        "load, blame",
        "they are in the run line of --of; --aggressors sets the loads of `interfere`",
    ),
    ("gate pair", "load, blame", "they are in the run lines of --a and --b"),
    ("interfere, gate pair, knobs try", "repeat", "it runs as many rounds as --budget allows"),
    (
        "interfere",
        "target",
        "which CPUs share a cache is known only for this machine; start it on the target",
    ),
    (
        "lab compare",
        "target, repeat, blame",
        "the kernels are its targets, and in their machines every run is the same when repeated",
    ),
    (
        "self-test",
        "target, load, repeat, blame",
        "it causes known disturbances on this machine and has to detect them by itself",
    ),
    (
        "studies",
        "target, repeat, blame",
        "it measures this machine, in rounds, by the plans of the studies",
    ),
    (
        "studies",
        "csv, junit, fail-if",
        "its answers are verdicts; `report` on its results.db shows the runs",
    ),
    ("self-test", "csv, junit, fail-if", "its answer is a certificate: the exit code, and --json"),
];

fn names(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(", ")
}

fn command<'c>(root: &'c Known, path: &str) -> &'c Known {
    path.split(' ').fold(root, |known, name| {
        known.find_subcommand(name).unwrap_or_else(|| panic!("there is no `{path}`"))
    })
}

fn takes(command: &Known, option: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(option))
}

#[test]
fn every_command_takes_the_options_of_its_kind_or_is_excused() {
    let root = Cli::command();
    for Kind { commands, options, holes } in KINDS {
        let mut excused = BTreeSet::new();
        for (commands, options, _) in *holes {
            let of = |command| names(options).map(move |option| (command, option));
            excused.extend(names(commands).flat_map(of));
        }
        println!("{:<15} {}", "", options.replace(',', ""));
        let mut missing = BTreeSet::new();
        for path in names(commands) {
            let known = command(&root, path);
            print!("{path:<15}");
            for option in names(options) {
                let is_taken = takes(known, option);
                print!(" {:<1$}", if is_taken { "x" } else { "-" }, option.len());
                if !is_taken {
                    missing.insert((path, option));
                }
            }
            println!();
        }
        assert_eq!(missing, excused);
    }
}

/// A new command either is in the matrix, or takes none of the options of commands that measure.
#[test]
fn whatever_measures_is_in_the_matrix() {
    let root = Cli::command();
    for path in paths(&root) {
        let known = command(&root, &path);
        // `target`, `cpus` and `store` are not in the list: they are also for commands that do not measure.
        let measures = names("load, repeat").any(|option| takes(known, option));
        assert!(!measures || names(RUNNING).any(|running| running == path), "{path}");
    }
}

/// An option that several commands take has the same help text in all of them, or is one of those
/// for which the table says what is common.
#[test]
fn options_mean_the_same_everywhere() {
    let root = Cli::command();
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in paths(&root) {
        for arg in command(&root, &path).get_arguments() {
            if let (Some(option), Some(help)) = (arg.get_long(), arg.get_help()) {
                texts.entry(option.to_owned()).or_default().insert(help.to_string());
            }
        }
    }
    texts.retain(|_, texts| texts.len() > 1);
    let differ: BTreeSet<&str> = texts.keys().map(String::as_str).collect();
    let worded = WORDED.iter().flat_map(|(options, _)| names(options));
    assert_eq!(differ, worded.collect(), "{texts:#?}");
}
