//! `steadfast audit`: finds what a model's step does that a real-time step must not.

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::audit::{Progress, Request, audited};
use analysis::audit::Audited;
use anyhow::{Context, Result};
use clap::Args;
use model::{Content, Source};
use plan::{RunSpec, typed_settings};
use rt::clock;
use units::{Nanos, Policy, Rate};

use crate::args::{FunctionArgs, QuietArgs, WordsArgs};
use crate::exit::{EXIT_COULD_NOT_RUN, EXIT_FAILED};
use crate::newest;
use crate::progress::say;
use crate::request::{self, RunRequest};

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The FMU (FILE.fmu) or the shared library that contains the model
    #[arg(value_name = "FILE", required_unless_present = "program")]
    file: Option<String>,
    /// Command of a program that attaches through steadfast_model.h; its system calls and outputs
    /// are watched
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    program: Option<String>,
    /// Number of steps, each made in two separate processes
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    steps: u64,
    /// Steps per second of model time; they are made as fast as possible [default: as the FMU
    /// proposes, otherwise 1kHz]
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// Start value of a variable of the FMU or the library; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    functions: FunctionArgs,
    /// Period of a clock of a scheduled execution that defines none; can be given several times
    #[arg(long, value_name = "NAME=PERIOD")]
    tick: Vec<String>,
    /// How to step an FMU that allows several ways: co-simulation, model-exchange or
    /// scheduled-execution
    #[arg(long, value_name = "INTERFACE")]
    interface: Option<String>,
    /// Whether an FMU that needs the tool that exported it is refused, or audited without
    #[arg(long, value_name = "required|ignored")]
    execution_tool: Option<String>,
    /// Outputs that may be infinite, such as a time to collision; NaN is always a finding
    #[arg(long, value_name = "NAME,...")]
    allow_inf: Vec<String>,
    /// Turn on the FMU's logging
    #[arg(long)]
    log: bool,
    /// How long a step may take before it counts as never returning
    #[arg(long, value_name = "TIME", default_value = "10s")]
    longest: Nanos,
    /// Time after which the first pass ends; the second one makes as many steps
    #[arg(long = "for", value_name = "TIME", default_value = "60s")]
    longest_pass: Nanos,
    #[command(flatten)]
    words: WordsArgs,
    #[command(flatten)]
    quiet: QuietArgs,
}

pub(crate) fn audit(args: &AuditArgs) -> Result<ExitCode> {
    let request = Request {
        run: run(args)?,
        steps: args.steps,
        longest: Duration::from_nanos(args.longest.0),
        longest_pass: Duration::from_nanos(args.longest_pass.0),
    };
    let found = Audited::of(&audited(&request, &progress(args.steps))?);
    args.words.print(
        || report::audit_json(&found),
        || report::audit(&found),
        || report::audit_answer(&found),
        "add --verbose for places and remedies",
    )?;
    newest::tell_if_not(keep(&found, &request.run));
    Ok(match (found.findings.is_empty(), found.is_clean()) {
        (false, _) => ExitCode::from(EXIT_FAILED),
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(EXIT_COULD_NOT_RUN),
    })
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
    newest::keep_audit(&report::kept_audit(found, &model.sha256, version, now))
}

fn run(args: &AuditArgs) -> Result<RunSpec> {
    let mut request = RunRequest::named("model")?;
    // A program would get the default policy, which needs a right.
    request.conditions.policy = Some(Policy::OTHER);
    let file = args.file.as_deref();
    let is_fmu = file.is_some_and(|file| file.to_ascii_lowercase().ends_with(".fmu"));
    let rate = args.rate.clone().or_else(|| proposed(file?));
    let settings = |typed: &[String]| (!typed.is_empty()).then(|| typed_settings(typed));
    let [set, tick] = [settings(&args.set), settings(&args.tick)];
    let allow_inf = (!args.allow_inf.is_empty()).then(|| args.allow_inf.join(","));
    let values = [
        (if is_fmu { "fmu" } else { "library" }, file),
        ("program", args.program.as_deref()),
        ("rate", rate.as_deref()),
        ("set", set.as_deref()),
        ("tick", tick.as_deref()),
        ("interface", args.interface.as_deref()),
        ("execution-tool", args.execution_tool.as_deref()),
        ("allow-inf", allow_inf.as_deref()),
        ("log", args.log.then_some("on")),
    ];
    for (name, value) in values.into_iter().chain(args.functions.typed()) {
        value.map_or(Ok(()), |value| request.parse(name, value))?;
    }
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
