//! `steadfast import`: stores the files of other tools as runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use base::{counted, quoted_file, shown};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use import::{FORMATS, Origin, Unit};
use record::{Imported, Outcome, RunSpec, Warning};
use store::Store;

use crate::options::SessionArgs;
use crate::startup::output::print;

/// Files of tools that print every sample, or every second, may be this large.
const MOST_BYTES: u64 = 64 << 20;
const TITLE: &str = "import";

#[derive(Debug, Args)]
#[command(after_long_help = tools())]
pub(crate) struct ImportArgs {
    /// Files that other tools wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Store results in this file; it is created, or added to if it exists
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// Name of the machine that all these files are of. Files of one tool that state the same
    /// conditions then count as repeated runs; without it, each file counts as a separate machine
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    machine: Option<String>,
    /// Read texts that do not state their unit as nanoseconds: those of cyclictest --nsecs
    #[arg(long)]
    nsecs: bool,
    #[command(flatten)]
    session: SessionArgs,
}

/// Lists the tools whose files are known.
fn tools() -> String {
    let line = |format: &import::Format| format!("  {}: {}\n", format.tool, format.files);
    let lines: String = FORMATS.iter().map(line).collect();
    format!("Tools and files:\n{}", lines.trim_end())
}

pub(crate) fn import(args: &ImportArgs) -> Result<()> {
    let runs = args.files.iter().map(|file| read(args, file)).collect::<Result<Vec<Outcome>>>()?;
    refuse_equal(&runs)?;
    save(args, &runs)?;
    let store = quoted_file(&args.store);
    let files = runs.iter().map(in_words).collect::<String>();
    print(&format!("{files}\nNext: steadfast report {store}\n"))
}

/// Reads a file. No file is stored unless all can be read.
fn read(args: &ImportArgs, path: &Path) -> Result<Outcome> {
    let name = || format!("`{}`", shown(&path.to_string_lossy()));
    let bytes =
        rt::read::bounded(path, MOST_BYTES).with_context(|| format!("cannot read {}", name()))?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let origin = Origin {
        file: shown(&file).into_owned(),
        machine: args.machine.as_deref().map(|name| shown(name).into_owned()),
        unit: if args.nsecs { Unit::Nanoseconds } else { Unit::Microseconds },
        now_unix_ns: rt::clock::unix_time(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    import::outcome(&bytes, &origin)
        .map_err(|flaw| anyhow!("{} cannot be imported: {flaw}", name()))
}

fn source(run: &Outcome) -> Option<&Imported> {
    run.header.spec.imported.as_ref()
}

/// Refuses a file that is given twice, under any name: the same figures are not another run.
fn refuse_equal(runs: &[Outcome]) -> Result<()> {
    let files: Vec<&Imported> = runs.iter().filter_map(source).collect();
    for (place, file) in files.iter().enumerate() {
        if let Some(first) = files[..place].iter().find(|first| first.sha256 == file.sha256) {
            let (file, first) = (&file.file, &first.file);
            bail!(
                "`{file}` has the same content as `{first}`, so it is not another run; import one of them"
            );
        }
    }
    Ok(())
}

/// Refuses a file whose content the store already has.
fn refuse_known(store: &Store, path: &Path, runs: &[Outcome]) -> Result<()> {
    let files: Vec<&Imported> = runs.iter().filter_map(source).collect();
    let mut known = None;
    for session in store.sessions()? {
        store.each_outcome(session.id, |run| {
            let is_same =
                |file: &&&Imported| source(&run).is_some_and(|of| of.sha256 == file.sha256);
            if let Some((file, of)) = files.iter().find(is_same).zip(source(&run)) {
                known = Some((file.file.clone(), of.file.clone()));
            }
        })?;
    }
    if let Some((file, of)) = known {
        let store = shown(&path.to_string_lossy()).into_owned();
        bail!(
            "`{store}` already has the content of `{file}`, imported as `{of}`; leave that file out"
        );
    }
    Ok(())
}

fn save(args: &ImportArgs, runs: &[Outcome]) -> Result<()> {
    let plan: Vec<RunSpec> = runs.iter().map(|run| run.header.spec.clone()).collect();
    let mut store = Store::open(&args.store)?;
    refuse_known(&store, &args.store, runs)?;
    let machine = &runs[0].header.machine;
    let session = store.begin_session(TITLE, &plan, machine, rt::clock::unix_time())?;
    for (ordinal, run) in runs.iter().enumerate() {
        store.save(&session, ordinal, run, &[])?;
    }
    store.head_session(&session, &args.session.heading())?;
    store.finish_session(&session)?;
    Ok(())
}

/// Says what a file was, with the known traps of its tool.
fn in_words(run: &Outcome) -> String {
    let trap = |warning: &Warning| format!("  Note: {}; {}.\n", warning.cause(), warning.remedy());
    let traps: String = run.warnings.iter().map(trap).collect();
    format!("{}: {}\n{traps}", run.header.spec.title(), counted(run.rows.len(), "row"))
}
