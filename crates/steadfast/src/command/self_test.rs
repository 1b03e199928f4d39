//! `steadfast self-test`: certifies this machine's measurements.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use record::{Answer, SelfTest};
use report::SelfTestReport;
use rt::clock;

use crate::options::WordsArgs;
use crate::options::place::Place;
use crate::session::driver::{Ended, List, Targets, Trouble, Work};
use crate::session::results_dir::StoreArgs;
use crate::startup::exit::{EXIT_TOO_BUSY, success_if};
use crate::startup::latest_findings;
use crate::startup::output::tell;

#[derive(Debug, Args)]
pub(crate) struct SelfTestArgs {
    #[command(flatten)]
    words: WordsArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

pub(crate) fn self_test(args: &SelfTestArgs) -> Result<ExitCode> {
    let specs = measure::self_test_specs();
    let machine = runner::fingerprint();
    let keeping = args.store.session("self-test", &specs, || Ok(machine.clone()))?;
    let mut here = Targets::at(&Place::Local)?;
    let mut ended = Work::kept(keeping).carry_out(&mut List::of(&specs), &mut here)?;
    match ended.trouble.take() {
        // The other runs still give an answer, in which this one is missing.
        Some(Trouble::NotMade(error)) => tell(&format!("error: {error:#}")),
        None => {}
        trouble => return Ended { trouble, ..ended }.exit_code(),
    }
    let found = measure::self_test_found(&ended.outcomes);
    let heading = args.store.heading();
    let version = env!("CARGO_PKG_VERSION");
    let test = SelfTest::of(machine.id(), version, clock::unix_time(), found);
    args.words.print(
        || SelfTestReport::of(&test, heading.clone()),
        || report::self_test(&test),
        || report::self_test_answer(&test).headed(&heading),
        "add --verbose for details",
    )?;
    if test.answer == Answer::TooBusyToTell {
        // This says nothing about the machine, so it does not replace an earlier answer.
        return Ok(ExitCode::from(EXIT_TOO_BUSY));
    }
    latest_findings::tell_if_not(latest_findings::keep_self_test(&test));
    Ok(success_if(test.certified))
}
