//! The audit of a system of FMUs (an SSP): of each part alone, one after the other.

use std::path::Path;
use std::process::ExitCode;

use ::model_file::{Part, Ssp};
use analysis::audit::Audited;
use anyhow::{Context, Result, bail};
use record::RunSpec;
use report::AuditReport;
use serde_json::json;

use super::alone::{MORE, code, found, spec};
use super::args::AuditArgs;
use crate::options::request::ssp;
use crate::session::progress::say;
use crate::startup::exit::EXIT_FAILED;
use crate::startup::output::{print, print_answer};

pub(super) fn audit(args: &AuditArgs, path: &Path) -> Result<ExitCode> {
    if let Some(flag) = of_one_model(args) {
        bail!(
            "--{flag}: applies only to one model; write the parts with `steadfast model FILE.ssp \
               --plan FILE.toml`, and audit one of them"
        );
    }
    let folder = ssp::folder()?;
    let connected = Ssp::open(path)?.connect(folder.path(), &args.delay)?;
    let specs = connected.parts.iter().map(|part| of_part(args, part).context(part.path.clone()));
    let specs: Vec<RunSpec> = specs.collect::<Result<_>>()?;
    let (mut codes, last) = (Vec::new(), specs.len().saturating_sub(1));
    for (at, (part, spec)) in connected.parts.iter().zip(specs).enumerate() {
        say(&format!("part {}", part.path));
        let found = found(args, spec).context(part.path.clone())?;
        let inputs: Vec<String> = part.links.iter().map(|link| link.input.clone()).collect();
        let found = found.of_part(&path.to_string_lossy(), &part.path, &inputs);
        show(args, &found, at == last)?;
        codes.push(code(&found));
    }
    let failed = codes.iter().find(|code| **code == EXIT_FAILED);
    Ok(ExitCode::from(*failed.or(codes.iter().max()).unwrap_or(&0)))
}

/// Returns the first typed flag that says something about one model.
fn of_one_model(args: &AuditArgs) -> Option<&'static str> {
    let typed = [
        ("set", !args.set.is_empty()),
        ("tick", !args.tick.is_empty()),
        ("interface", args.interface.is_some()),
        ("allow-inf", !args.allow_inf.is_empty()),
    ];
    let typed = typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag));
    typed.or_else(|| args.functions.first())
}

fn of_part(args: &AuditArgs, part: &Part) -> Result<RunSpec> {
    let (fmu, settings) = (part.fmu.to_string_lossy(), ssp::settings(part));
    let values =
        [("fmu", Some(&*fmu)), ("set", settings.as_deref()), ("interface", ssp::interface(part))];
    spec(args, Some(&fmu), values)
}

/// Prints the audit of a part: the documents of all parts are one line each.
fn show(args: &AuditArgs, found: &Audited, is_last: bool) -> Result<()> {
    if args.words.answer.json {
        return print(&format!("{}\n", json!(AuditReport::of(found))));
    }
    if args.words.verbose {
        let heading = report::audit_answer(found).subject;
        return print(&format!("{heading}\n{}\n", report::audit(found)));
    }
    print_answer(&report::audit_answer(found), if is_last { MORE } else { "" })?;
    if is_last { Ok(()) } else { print("\n") }
}
