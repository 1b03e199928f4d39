//! The description of a system of FMUs (an SSP), and its plan as a mix.

use std::fs;
use std::path::{Path, PathBuf};

use analysis::finding::Standing;
use analysis::words::{counted, listed};
use anyhow::{Context, Result, bail};
use base::{Rate, SchemaVersion};
use clap::Args;
use model_file::{Connected, Part, Ssp, sha256};
use report::answer::{Answer, Line, Remark};

use super::json::{DescribedFile, described_system};
use crate::options::request::ssp;
use crate::options::{FunctionArgs, WordsArgs};
use crate::startup::files;

#[derive(Debug, Args)]
#[command(next_help_heading = "For an SSP")]
pub(super) struct SystemArgs {
    /// Write the system as the plan of a mix, and its FMUs to a new folder next to it
    #[arg(long, value_name = "FILE.toml")]
    plan: Option<PathBuf>,
    /// Rate of all parts in that plan [default: 1kHz]
    #[arg(long, value_name = "RATE")]
    rate: Option<Rate>,
    /// Input that takes the value of the previous step, as a path such as Sub.B.u: it breaks an
    /// algebraic loop. Can be given several times
    #[arg(long, value_name = "PART.INPUT")]
    delay: Vec<String>,
}

impl SystemArgs {
    /// Returns the first flag that was typed.
    pub(super) fn first(&self) -> Option<&'static str> {
        let typed = [
            ("plan", self.plan.is_some()),
            ("rate", self.rate.is_some()),
            ("delay", !self.delay.is_empty()),
        ];
        typed.into_iter().find_map(|(flag, is_typed)| is_typed.then_some(flag))
    }
}

pub(super) fn describe(
    path: &Path,
    functions: &FunctionArgs,
    args: &SystemArgs,
    words: &WordsArgs,
) -> Result<()> {
    if let Some(flag) = functions.first() {
        bail!("--{flag}: applies only to libraries; leave it out");
    }
    let system = Ssp::open(path)?;
    let folder = ssp::folder()?;
    let connected = system.connect(folder.path(), &args.delay)?;
    if let Some(plan) = &args.plan {
        write_plan(&system, args, plan)?;
    }
    let text = || ssp::plan(&connected, &ssp::written(args.rate), folder.path());
    let (hash, bytes) = sha256(path)?;
    let answer = || answer(&system, &connected);
    words.print(
        || DescribedFile {
            schema_version: SchemaVersion,
            file: path.to_string_lossy().into_owned(),
            bytes,
            sha256: &hash,
            fmu: None,
            library: None,
            ssp: Some(described_system(&system, &connected)),
        },
        || super::table::of_answer(&answer(), &hash) + &text(),
        answer,
        "add --verbose for the equal mix; --plan FILE.toml writes it",
    )
}

/// Writes the plan of a mix, and the FMUs to a folder next to it that must not exist.
fn write_plan(system: &Ssp, args: &SystemArgs, plan: &Path) -> Result<()> {
    files::check_place(plan, "--plan")?;
    let folder = plan.with_extension("fmus");
    let shown = folder.display();
    fs::create_dir(&folder).with_context(|| {
        format!(
            "--plan: cannot create the folder {shown} for the FMUs; remove it, or name another plan"
        )
    })?;
    let connected = system.connect(&folder, &args.delay)?;
    let directory = plan.parent().unwrap_or(Path::new(""));
    files::write(plan, ssp::plan(&connected, &ssp::written(args.rate), directory), "--plan")
}

fn answer(system: &Ssp, connected: &Connected) -> Answer {
    let links = || connected.parts.iter().flat_map(|part| &part.links);
    let delayed = links().filter(|link| link.delay).count();
    let changed = links().filter(|link| !link.transform.is_same()).count();
    let delays = match delayed {
        0 => String::new(),
        some => format!(", {some} of them by the value of the previous step"),
    };
    let inputs = counted(links().count(), "input");
    let mut remarks = Vec::new();
    if !connected.ignored.is_empty() {
        let names = listed(&connected.ignored);
        remarks.push(Remark::new("Ignored", format!("parameters that no part has: {names}")));
    }
    remarks
        .push(Remark::new("Run", format!("steadfast run mix {}", base::quoted_file(&system.path))));
    Answer {
        subject: format!("{}, SSP {}", system.name, system.version),
        effort: counted(connected.parts.len(), "part"),
        standing: Standing::Good,
        verdict: format!(
            "It can be run as a mix of {}: {inputs} set by others{delays}, {changed} in another unit or \
             with a transformation.",
            counted(connected.parts.len(), "part")
        ),
        lines: connected.parts.iter().map(|part| line(part, &connected.parts)).collect(),
        remarks,
    }
}

/// Returns the line of a part: what sets its inputs.
fn line(part: &Part, parts: &[Part]) -> Line {
    let links = part.links.iter().map(|link| {
        let delay = if link.delay { " (previous step)" } else { "" };
        format!("{} = {}.{}{delay}", link.input, parts[link.from].path, link.output)
    });
    let links: Vec<String> = links.collect();
    let set = match &*links {
        [] => "no input is set by others".to_owned(),
        links => links.join(", "),
    };
    Line { what: part.path.clone(), figures: vec![set] }
}
