//! `steadfast run`.

use std::process::ExitCode;

use anyhow::Result;
use plan::Outcome;
use store::Store;

use crate::args::RunArgs;
use crate::output::print;
use crate::request;
use crate::session::{Keeping, carry_out};

/// Runs what was asked for, one after the other.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let specs = vec![request::specs(args)?; args.repeat.get().into()].concat();
    let standards = args.limits.standards(&args.checks);
    args.checks.check(&specs)?;
    args.tables.check()?;
    let target = args.target.open()?;
    let mut store = args.store.as_deref().map(Store::open).transpose()?;
    let keeping = store
        .as_mut()
        .map(|store| {
            let machine = args.target.machine()?;
            Keeping::begin(store, "run", &specs, &machine, args.keep_samples)
        })
        .transpose()?;
    let mut print_json = |outcome: &Outcome| {
        if args.json {
            print(&format!("{}\n", report::run_json(outcome, &standards)))?;
        }
        Ok(())
    };
    let ended = carry_out(&|_| &*target, &specs, keeping, &mut print_json)?;
    if args.tables.csv {
        print(&report::csv(&ended.outcomes))?;
    } else if !args.json && !ended.outcomes.is_empty() {
        print(&report::terminal(&ended.outcomes, &standards))?;
    }
    args.tables.write(&ended.outcomes)?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
}
