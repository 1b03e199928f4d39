//! The audit of one model.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::audit::{Progress, Request, audited};
use analysis::audit::Audited;
use anyhow::{Context, Result};
use base::{Policy, Rate};
use model_file::{Content, Source};
use record::RunSpec;
use rt::clock;

use super::args::AuditArgs;
use crate::options::request::{self, RunRequest};
use crate::session::progress::say;
use crate::startup::exit::{EXIT_COULD_NOT_RUN, EXIT_FAILED};
use crate::startup::latest_findings;

/// What follows a short answer.
pub(super) const MORE: &str = "add --verbose for places and remedies";

/// Audits the model that a run names, and keeps the result.
pub(super) fn found(args: &AuditArgs, run: RunSpec) -> Result<Audited> {
    let request = Request {
        run,
        steps: args.steps,
        longest: Duration::from_nanos(args.longest.0),
        longest_pass: Duration::from_nanos(args.longest_pass.0),
    };
    let found = Audited::of(&audited(&request, &progress(args.steps))?);
    latest_findings::tell_if_not(keep(&found, &request.run));
    Ok(found)
}

/// Returns the exit code of an audit.
pub(super) fn code(found: &Audited) -> u8 {
    match (found.findings.is_empty(), found.is_clean()) {
        (false, _) => EXIT_FAILED,
        (true, true) => 0,
        (true, false) => EXIT_COULD_NOT_RUN,
    }
}

fn progress(steps: u64) -> Progress {
    const EVERY: Duration = Duration::from_secs(10);
    let said = Mutex::new(Instant::now());
    Arc::new(move |pass, step| {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.elapsed() >= EVERY {
            *said = Instant::now();
            say(&format!("pass {} of 2: step {step} of {steps}", pass + 1));
        }
    })
}

/// Keeps the result, which later runs of the same file refer to.
fn keep(found: &Audited, run: &RunSpec) -> Result<()> {
    let Some(model) = run.files.iter().find(|file| file.path == found.file) else {
        return Ok(());
    };
    let (version, now) = (env!("CARGO_PKG_VERSION"), clock::unix_time());
    latest_findings::keep_audit(&found.kept(&model.sha256, version, now))
}

/// Returns a run with these parameters, and with those that all audits have.
pub(super) fn spec<'v>(
    args: &AuditArgs,
    file: Option<&str>,
    values: impl IntoIterator<Item = (&'v str, Option<&'v str>)>,
) -> Result<RunSpec> {
    let mut request = RunRequest::named("model")?;
    // A program would get the default policy, which needs a right.
    request.conditions.policy = Some(Policy::OTHER);
    let mut set = |(name, value): (&str, Option<&str>)| {
        value.map_or(Ok(()), |value| request.parse(name, value))
    };
    values.into_iter().try_for_each(&mut set)?;
    let rate = args.rate.clone().or_else(|| proposed(file?));
    let common = [
        ("rate", rate.as_deref()),
        ("execution-tool", args.execution_tool.as_deref()),
        ("log", args.log.then_some("on")),
    ];
    common.into_iter().try_for_each(&mut set)?;
    let specs = request::specs(&[request])?;
    specs.into_iter().next().context("no model given; name a file, or a program with --program")
}

/// Returns the step rate that an FMU proposes, if it does.
fn proposed(path: &str) -> Option<String> {
    let Content::Fmu(archive) = Source::open(Path::new(path)).ok()?.content else {
        return None;
    };
    Rate::of_step(archive.description.experiment.step?).map(|rate| rate.to_string())
}
