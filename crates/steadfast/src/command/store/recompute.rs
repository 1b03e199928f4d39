//! `steadfast store recompute`: computes the rows of runs again from their samples.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use base::counted;
use clap::Args;
use record::Outcome;
use serde_json::{Value, json};
use store::Store;

use super::changes::{self, Change};
use crate::options::JsonArgs;
use crate::startup::exit::EXIT_FAILED;

#[derive(Debug, Args)]
pub(crate) struct RecomputeArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Replace all rows that changed, atomically; samples are kept
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

/// Most figures of a run that are printed in words; the JSON has all of them.
const MOST_TOLD: usize = 12;

#[derive(Default)]
struct Recomputed {
    unchanged: usize,
    without_samples: usize,
    changed: Vec<(Outcome, Vec<Change>)>,
    refused: Vec<(Outcome, String)>,
}

pub(super) fn recompute(args: &RecomputeArgs) -> Result<ExitCode> {
    let store = Store::open_existing(&args.store)?;
    let mut done = Recomputed::default();
    for run_id in store.all_run_ids()? {
        let (stored, samples) = store.run(&run_id)?;
        if samples.is_empty() {
            done.without_samples += 1;
            continue;
        }
        match measure::recomputed(&stored, samples) {
            Ok(now) if now == stored => done.unchanged += 1,
            Ok(now) => {
                let changes = changes::between(&stored, &now);
                done.changed.push((now, changes));
            }
            Err(why) => done.refused.push((stored, why)),
        }
    }
    drop(store);
    let path = args.store.display();
    if done.unchanged + done.changed.len() + done.refused.len() == 0 {
        bail!(
            "{path} has no samples to compute from; keep samples with `steadfast run --keep-samples`"
        );
    }
    if args.write && !done.changed.is_empty() {
        let outcomes: Vec<Outcome> = done.changed.iter().map(|(now, _)| now.clone()).collect();
        Store::open(&args.store)?.recompute(&outcomes)?;
    }
    args.answer.print(|| done.json(args.write), || done.words(args.write))?;
    match (done.refused.len(), done.changed.is_empty() || args.write) {
        (0, true) => Ok(ExitCode::SUCCESS),
        (0, false) => Ok(ExitCode::from(EXIT_FAILED)),
        (runs, _) => bail!(
            "{path}: {} could not be computed; use the version of steadfast that made them",
            counted(runs, "run")
        ),
    }
}

impl Recomputed {
    fn words(&self, written: bool) -> String {
        let mut text = String::new();
        for (run, changes) in &self.changed {
            print_run(&mut text, run, "changed");
            for change in changes.iter().take(MOST_TOLD) {
                let _ = writeln!(text, "  {}", change.words());
            }
            if let more @ 1.. = changes.len().saturating_sub(MOST_TOLD) {
                let _ = writeln!(text, "  and {more} more (see --json)");
            }
        }
        for (run, why) in &self.refused {
            print_run(&mut text, run, &format!("not computed: {why}"));
        }
        let Self { unchanged, without_samples, .. } = self;
        let (changed, refused) = (self.changed.len(), self.refused.len());
        text += &format!(
            "Runs: {unchanged} unchanged, {changed} changed, {refused} not computed, \
             {without_samples} without samples.\n"
        );
        text.push_str(match (self.changed.is_empty(), written) {
            (true, _) => "",
            (false, true) => "The new rows were written to the store.\n",
            (false, false) => "The store was not changed; use --write to store the new rows.\n",
        });
        text
    }

    fn json(&self, written: bool) -> Value {
        let changed = self.changed.iter().map(|(run, changes)| {
            json!({ "run_id": run.header.run_id, "run": run.header.spec.title(), "changes": changes })
        });
        let refused = self.refused.iter().map(|(run, why)| {
            json!({ "run_id": run.header.run_id, "run": run.header.spec.title(), "why": why })
        });
        json!({
            "unchanged": self.unchanged,
            "changed": changed.collect::<Vec<Value>>(),
            "not_computed": refused.collect::<Vec<Value>>(),
            "without_samples": self.without_samples,
            "written": written && !self.changed.is_empty(),
        })
    }
}

fn print_run(text: &mut String, run: &Outcome, what: &str) {
    let header = &run.header;
    let _ = writeln!(text, "{} ({}): {what}", header.run_id, header.spec.title());
}
