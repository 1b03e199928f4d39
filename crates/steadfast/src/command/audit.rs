//! `steadfast audit`: what a model's step does that a real-time step must not.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use ::audit::{Request, audited};
use analysis::audit::Audited;
use anyhow::{Context, Result};
use clap::Args;
use model::{Content, Source};
use plan::{BETWEEN_SETTINGS, RunSpec};
use rt::clock;
use serde_json::json;
use units::Nanos;

use crate::args::{FunctionArgs, WordsArgs};
use crate::audits;
use crate::command::run::args::parse_run_line;
use crate::exit::{EXIT_COULD_NOT_RUN, EXIT_FAILED};
use crate::output::{print, print_answer};
use crate::request;

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The FMU (FILE.fmu) or the shared library with the model
    #[arg(value_name = "FILE", required_unless_present = "program")]
    file: Option<String>,
    /// A program that attaches through steadfast_model.h; its system calls and outputs are watched
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    program: Option<String>,
    /// Steps that are made, twice
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    steps: u64,
    /// Steps a second of the model's own time, which are made as fast as possible [default: as
    /// an FMU proposes, else 1kHz]
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// Start value of a variable of an FMU; repeat it for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    functions: FunctionArgs,
    /// Period of a clock of a scheduled execution that has none of its own; repeat it for others
    #[arg(long, value_name = "NAME=PERIOD")]
    tick: Vec<String>,
    /// How an FMU is stepped, where it can be in several ways: co-simulation, model-exchange or
    /// scheduled-execution
    #[arg(long, value_name = "INTERFACE")]
    interface: Option<String>,
    /// Ask the FMU to log
    #[arg(long)]
    log: bool,
    /// How long a step may take until it counts as one that never returns
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "10s")]
    longest: Nanos,
    #[command(flatten)]
    words: WordsArgs,
}

/// Steps a model under watch, and says what its steps do.
pub(crate) fn audit(args: &AuditArgs) -> Result<ExitCode> {
    let request = Request {
        run: run(args)?,
        steps: args.steps,
        longest: Duration::from_nanos(args.longest.0),
    };
    let found = Audited::of(&audited(&request)?);
    keep(&found, &request.run)?;
    if args.words.answer.json {
        print(&format!("{:#}\n", json!(found)))?;
    } else if args.words.verbose {
        print(&report::audit(&found))?;
    } else {
        print_answer(&found.answer, "the same with --verbose: places, and what to change")?;
    }
    Ok(match (found.findings.is_empty(), found.is_clean()) {
        (false, _) => ExitCode::from(EXIT_FAILED),
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(EXIT_COULD_NOT_RUN),
    })
}

/// Keeps what later runs of the same file tell of it.
fn keep(found: &Audited, run: &RunSpec) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let model = run.files.iter().find(|file| file.path == found.file);
    let told = model.map(|file| found.told(&file.sha256, version, clock::unix_time()));
    told.iter().try_for_each(audits::keep)
}

/// The run that would step the model.
fn run(args: &AuditArgs) -> Result<RunSpec> {
    // A program would be given the usual policy, for which it needs a right.
    let mut typed = parse_run_line("model --policy other")?;
    let file = args.file.as_deref();
    let is_fmu = file.is_some_and(|file| file.to_ascii_lowercase().ends_with(".fmu"));
    let name = if is_fmu { "fmu" } else { "library" };
    let separator = BETWEEN_SETTINGS.to_string();
    let settings = |typed: &[String]| (!typed.is_empty()).then(|| typed.join(&separator));
    let functions = args.functions.typed();
    let functions = functions.map(|(flag, name)| (flag, name.map(str::to_owned)));
    let values = [
        (name, args.file.clone()),
        ("program", args.program.clone()),
        ("rate", args.rate.clone().or_else(|| proposed(file?))),
        ("set", settings(&args.set)),
        ("tick", settings(&args.tick)),
        ("interface", args.interface.clone()),
        ("log", args.log.then(|| "on".to_owned())),
    ];
    for (name, value) in values.into_iter().chain(functions) {
        typed.parameters.0.extend(value.map(|value| (name, vec![value])));
    }
    let specs = request::specs(&typed)?;
    specs.into_iter().next().context("no model is named")
}

/// The rate of the steps that an FMU proposes.
fn proposed(path: &str) -> Option<String> {
    match Source::open(Path::new(path)).ok()?.content {
        Content::Fmu(archive) => {
            let step = archive.description().experiment.step?;
            Some(format!("{}Hz", 1.0 / step))
        }
        Content::Library(_) => None,
    }
}
