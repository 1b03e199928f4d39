//! `steadfast trace`: writes the worst cases of a store as a trace for Perfetto.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use analysis::words::counted;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use report::TracedRun;
use store::Store;

use crate::startup::files::{check_place, write};
use crate::startup::output::print;

const OUTPUT: &str = "--output";

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// Results file with runs that were made with --blame
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Number of late samples to write, the worst of all runs
    #[arg(long, value_name = "COUNT", default_value = "10", value_parser = above_zero)]
    worst: NonZeroUsize,
    /// Trace file to write, for ui.perfetto.dev or Perfetto's trace processor
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn above_zero(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number above 0")
}

pub(crate) fn trace(args: &TraceArgs) -> Result<()> {
    check_place(&args.output, OUTPUT)?;
    let runs = worst(&Store::open_existing(&args.store)?, args.worst.get())?;
    let cases = || runs.iter().flat_map(|run| &run.cases.cases);
    let store = args.store.display();
    if runs.is_empty() {
        bail!(
            "{store} has no late samples whose causes were searched for; make a run with `steadfast \
             run ... --blame --keep-samples --store {store}`"
        );
    }
    let trace = report::perfetto(&runs);
    write(&args.output, &trace.bytes, OUTPUT)?;
    let late = counted(cases().count(), "late sample");
    let runs = counted(runs.len(), "run");
    let switches = counted(trace.kernel.switches, "switch");
    let interrupts = counted(trace.kernel.interrupts, "interrupt");
    let file = args.output.display();
    print(&format!(
        "{file}: {late} of {runs}, {switches}, {interrupts}. Open it at ui.perfetto.dev.\n"
    ))?;
    let without = cases().filter(|case| case.window.is_none()).count();
    if without > 0 {
        print(&format!(
            "{without} of them without the kernel's events, which `run --blame --keep-samples` keeps \
             where it may trace.\n"
        ))?;
    }
    Ok(())
}

/// Returns the runs with this number of worst cases, in the order in which they were started.
fn worst(store: &Store, most: usize) -> Result<Vec<TracedRun>> {
    let (mut runs, mut worst) = (Vec::new(), Vec::new());
    for run_id in store.all_run_ids()? {
        let (run, samples) = store.run(&run_id)?;
        let mut cases = measure::worst_cases(&run, samples, most)
            .map_err(|why| anyhow!("the samples of run {run_id} are refused: {why}"))?;
        worst.extend(cases.cases.drain(..).map(|case| (runs.len(), case)));
        worst.sort_by_key(|(_, case)| Reverse(case.told.took_ns));
        worst.truncate(most);
        let invalid = if run.is_valid() { "" } else { "INVALID: " };
        let title = format!("{invalid}{}", run.header.spec.title());
        let started_unix_ns = run.header.started_unix_ns;
        runs.push(TracedRun { title, started_unix_ns, cases });
    }
    for (run, case) in worst {
        runs[run].cases.cases.push(case);
    }
    runs.retain(|run| !run.cases.cases.is_empty());
    runs.sort_by_key(|run| run.started_unix_ns);
    Ok(runs)
}
