//! `steadfast run`.

use std::process::ExitCode;

use anyhow::{Context, Result};
use plan::{Outcome, RunSpec};
use store::Store;
use target::Local;

use crate::args::RunArgs;
use crate::session::{Ended, Keeping, carry_out};
use crate::{EXIT_FAILED, EXIT_INTERRUPTED, request};

/// Runs what was asked for, one after the other.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let specs = request::specs(args)?;
    let mut store = args.store.as_deref().map(Store::open).transpose()?;
    let keeping = store
        .as_mut()
        .map(|store| keeping(store, &specs, args.keep_samples))
        .transpose()?;
    let target = Local::new().context("this program's own file cannot be found")?;
    let mut print = |outcome: &Outcome| {
        if args.json {
            println!("{}", report::run_json(outcome));
        }
    };
    let ended = carry_out(&specs, &target, keeping, &mut print)?;
    if !args.json {
        print!("{}", report::terminal(&ended.outcomes));
    }
    Ok(exit_code(&ended))
}

fn keeping<'a>(store: &'a mut Store, specs: &[RunSpec], keep_samples: bool) -> Result<Keeping<'a>> {
    let session = store.begin_session("run", specs, &runner::fingerprint())?;
    Ok(Keeping {
        store,
        session,
        keep_samples,
    })
}

/// What the results mean to a script.
pub(crate) fn exit_code(ended: &Ended) -> ExitCode {
    if ended.interrupted {
        ExitCode::from(EXIT_INTERRUPTED)
    } else if ended.outcomes.iter().all(Outcome::is_valid) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FAILED)
    }
}
