//! `steadfast audit`: finds what a model's step does that a real-time step must not.

mod alone;
mod args;
mod system;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use model_file::Ssp;
use record::{RunSpec, typed_settings};
use report::AuditReport;

use self::alone::{MORE, code, found, spec};

pub(crate) use self::args::AuditArgs;

pub(crate) fn audit(args: &AuditArgs) -> Result<ExitCode> {
    if let Some(path) = args.file.as_deref().map(Path::new).filter(|path| Ssp::is_named(path)) {
        return system::audit(args, path);
    }
    if !args.delay.is_empty() {
        bail!("--delay: applies only to a system of FMUs (FILE.ssp); leave it out");
    }
    let found = found(args, run(args)?)?;
    args.words.print(
        || AuditReport::of(&found),
        || report::audit(&found),
        || report::audit_answer(&found),
        MORE,
    )?;
    Ok(ExitCode::from(code(&found)))
}

fn run(args: &AuditArgs) -> Result<RunSpec> {
    let file = args.file.as_deref();
    let is_fmu = file.is_some_and(|file| file.to_ascii_lowercase().ends_with(".fmu"));
    let settings = |typed: &[String]| (!typed.is_empty()).then(|| typed_settings(typed));
    let [set, tick] = [settings(&args.set), settings(&args.tick)];
    let allow_inf = (!args.allow_inf.is_empty()).then(|| args.allow_inf.join(","));
    let values = [
        (if is_fmu { "fmu" } else { "library" }, file),
        ("program", args.program.as_deref()),
        ("set", set.as_deref()),
        ("tick", tick.as_deref()),
        ("interface", args.interface.as_deref()),
        ("allow-inf", allow_inf.as_deref()),
    ];
    spec(args, file, values.into_iter().chain(args.functions.typed()))
}
