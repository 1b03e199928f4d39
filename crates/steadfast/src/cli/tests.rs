//! Tests of the command-line parser.

mod manual;
mod odd;
mod options;

use clap::{CommandFactory, Parser};

use super::*;
use crate::command::run::parse_run_line;

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn a_tip_is_a_clause_of_the_error() {
    let error = parse_run_line("wakeup --secnds 3").unwrap_err().to_string();
    assert_eq!(
        one_line(&error),
        "error: unexpected argument '--secnds' found; a similar argument exists: '--seconds'"
    );
}

#[test]
fn nonsense_is_answered_in_one_line_that_names_the_flag() {
    for (typed, flag) in [
        ("wakeup --policy ffio:10", "--policy"),
        ("wakeup --policy fifo:100", "--policy"),
        ("wakeup --seconds nan", "--seconds"),
        ("wakeup --cpus 1-0", "--cpus"),
        ("wakeup --memory loose", "--memory"),
        ("wakeup --load cpu%200", "--load"),
        ("wakeup --nonsense", "--nonsense"),
        ("", "MEASUREMENT"),
    ] {
        let error = parse_run_line(typed).unwrap_err().to_string();
        let line = one_line(&error);
        assert!(line.contains(flag) && !line.contains('\n'), "{typed}: {line}");
    }
}
