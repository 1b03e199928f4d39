//! The matrix of the commands that run something and the options that they share, derived from the
//! parser itself.

use std::collections::BTreeSet;

use super::*;

/// Options that are useful for every command that runs something.
const OPTIONS: &[&str] = &[
    "target", "cpus", "load", "repeat", "blame", "store", "out", "json", "csv", "junit", "fail-if",
    "title", "note", "quiet", "verbose",
];

/// Commands that run something.
const RUNNING: &[&str] = &[
    "quick",
    "full",
    "frames",
    "bench",
    "check",
    "run",
    "campaign",
    "frontier",
    "map",
    "interfere",
    "knobs try",
    "lab compare",
    "self-test",
];

/// Every hole of the matrix: commands, options, and why these commands do not take these options.
const HOLES: &[(&[&str], &[&str], &str)] = &[
    (
        &["quick", "full", "frames", "bench", "campaign", "lab compare"],
        &["cpus", "load"],
        "each run of the plan has its own",
    ),
    (
        &[
            "quick",
            "full",
            "frames",
            "bench",
            "campaign",
            "frontier",
            "map",
            "interfere",
            "knobs try",
            "lab compare",
        ],
        &["store"],
        "the runs are in results.db of --out",
    ),
    (
        &["check", "run", "self-test"],
        &["out"],
        "--store keeps the runs, and `report` writes their report",
    ),
    (&["check"], &["repeat"], "it repeats one run for as long as --for says"),
    (&["frontier", "map"], &["repeat"], "the search repeats a size as often as the answer needs"),
    (&["frontier"], &["blame"], "it looks for causes unless --no-blame is given"),
    (
        &["map"],
        &["blame"],
        "a map shows where deadlines are missed; `run --blame` with one of its sizes shows why",
    ),
    (
        &["interfere", "knobs try"],
        &["cpus", "load", "blame"],
        "they are in the run line of --of; --aggressors sets the loads of `interfere`",
    ),
    (&["interfere", "knobs try"], &["repeat"], "it runs as many rounds as --budget allows"),
    (
        &["interfere"],
        &["target"],
        "which CPUs share a cache is known only for this machine; start it on the target",
    ),
    (
        &["lab compare"],
        &["target", "repeat", "blame"],
        "the kernels are its targets, and in their machines every run is the same when repeated",
    ),
    (
        &["self-test"],
        &["target", "cpus", "load", "repeat", "blame"],
        "it causes known disturbances on this machine and has to detect them by itself",
    ),
    (
        &["self-test"],
        &["csv", "junit", "fail-if"],
        "its answer is a certificate: the exit code, and --json",
    ),
];

/// Returns the command at that path, such as `knobs try`.
fn command<'c>(root: &'c Known, path: &str) -> &'c Known {
    path.split(' ').fold(root, |known, name| {
        let found = known.find_subcommand(name);
        found.unwrap_or_else(|| panic!("there is no `{path}`"))
    })
}

fn takes(command: &Known, option: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(option))
}

#[test]
fn every_command_that_runs_something_takes_the_options_of_all_or_is_excused() {
    let root = Cli::command();
    let excused: BTreeSet<(&str, &str)> = HOLES
        .iter()
        .flat_map(|(commands, options, _)| {
            let of = |command| options.iter().map(move |option| (command, *option));
            commands.iter().copied().flat_map(of)
        })
        .collect();
    println!("{:<12} {}", "", OPTIONS.join(" "));
    let mut holes = BTreeSet::new();
    for path in RUNNING {
        let known = command(&root, path);
        print!("{path:<12}");
        for option in OPTIONS {
            let is_taken = takes(known, option);
            print!(" {:<1$}", if is_taken { "x" } else { "-" }, option.len());
            if !is_taken {
                holes.insert((*path, *option));
            }
        }
        println!();
    }
    assert_eq!(holes, excused);
}

/// A new command either is in the matrix, or takes none of the options of commands that measure.
#[test]
fn whatever_measures_is_in_the_matrix() {
    let root = Cli::command();
    for path in paths(&root) {
        let known = command(&root, &path);
        // `target` is not in the list: it is also for commands that do not measure.
        let measures = ["cpus", "load", "repeat", "store"];
        let measures = measures.iter().any(|option| takes(known, option));
        assert!(!measures || RUNNING.contains(&&*path), "{path}");
    }
}

/// An option that several commands take has the same help text in all of them.
#[test]
fn options_of_all_mean_the_same_everywhere() {
    let root = Cli::command();
    for option in OPTIONS {
        let texts: BTreeSet<String> = RUNNING
            .iter()
            .filter(|path| !["self-test"].contains(path) || *option != "json")
            .flat_map(|path| command(&root, path).get_arguments())
            .filter(|arg| arg.get_long() == Some(option))
            .filter_map(|arg| Some(arg.get_help()?.to_string()))
            .collect();
        assert!(texts.len() <= 1, "{option}: {texts:?}");
    }
}
