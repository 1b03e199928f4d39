//! `steadfast run`.

use std::process::ExitCode;

use analysis::Analysis;
use anyhow::{Result, bail};
use plan::{Outcome, Recording};
use store::Store;

use crate::args::RunArgs;
use crate::driver::{Here, Keeping, List, Work};
use crate::files;
use crate::output::print;
use crate::request;

const RECORD: &str = "--record";

/// Runs what was asked for, one after the other.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let specs = request::repeated(request::specs(args)?, args.repeat.get())?;
    let standards = args.limits.standards(&args.checks);
    args.checks.check(&specs)?;
    args.tables.check()?;
    if let Some(path) = &args.record {
        if specs.len() > 1 {
            bail!(
                "--record: {} runs cannot be one file; ask for one run",
                specs.len()
            );
        }
        files::check_place(path, RECORD)?;
    }
    let target = args.target.open()?;
    let store = args.store.as_deref().map(Store::open).transpose()?;
    let keep = |store| {
        let machine = args.target.machine()?;
        anyhow::Ok(Keeping::of(store, "run", &specs, machine).with_samples(args.keep_samples))
    };
    let keeping = store.map(keep).transpose()?;
    let mut show = |outcome: &Outcome, recording: &Recording| {
        if let Some(path) = &args.record {
            match probe::recorded_steps(recording) {
                Ok(steps) => files::write(path, &steps, RECORD)?,
                Err(why) if outcome.is_valid() => bail!(why),
                // Nothing was run, and the result says why.
                Err(_) => {}
            }
        }
        if args.json {
            print(&format!(
                "{}\n",
                analysis::json::run_json(outcome, &standards)
            ))?;
        }
        Ok(())
    };
    let work = Work::kept(keeping).shown_by(&mut show);
    let ended = work.carry_out(&mut List::of(&specs), &mut Here::checked(&*target))?;
    if args.tables.csv {
        print(&report::csv(&ended.outcomes))?;
    } else if !args.json && !ended.outcomes.is_empty() {
        print(&report::terminal(&Analysis::of(
            &ended.outcomes,
            &standards,
        )))?;
    }
    args.tables.write(&ended.outcomes)?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
}
