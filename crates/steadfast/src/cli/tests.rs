//! Tests of the command-line parser.

mod manual;
mod odd;
mod options;
mod printed;
mod units;

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
fn progress_can_be_hidden_from_an_answer_in_full() {
    let cli = Cli::parsed("steadfast run wakeup --quiet --verbose".split(' ')).unwrap();
    let Command::Run(args) = cli.command else { panic!("it is `run`") };
    assert!(cli.is_quiet && args.answer.verbose);
}
