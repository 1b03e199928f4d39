//! `steadfast lab compare`: the papers' comparison of systems, in virtual machines.

mod atlas;
mod cells;
mod crew;
mod verify;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::comparison::Comparison;
use analysis::{Analysis, survey};
use anyhow::{Context, Result};
use clap::Args;
use lab::Architecture;
use lab::freertos::EMULATOR;
use place::Vm;
use record::RunSpec;
use rt::topology;
use sha2::{Digest, Sha256};
use store::Store;

use self::cells::{cells, refuse_several_sets, systems};
use super::freertos::times as freertos_times;
use crate::options::InGeneral;
use crate::options::plans::{LAB_COMPARE, LAB_COMPARE_QUICK};
use crate::session::results_dir::{KeptArgs, results};
use crate::startup::files::make_directory;
use crate::startup::output::print;
pub(crate) use cells::Cell;
pub(crate) use crew::Machines;
pub(crate) use verify::{VerifyArgs, verify};

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-lab")))]
pub(crate) struct CompareArgs {
    /// Kernels to compare, by the names that `--target vm:KERNEL` accepts; default: all kernels of
    /// the lab. A kernel that can boot with several preemption models is compared with each of them
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
    /// Architecture of the kernels, by its name in Debian: amd64 or arm64
    #[arg(long = "arch", value_name = "ARCH", default_value = "amd64", conflicts_with = "systems")]
    pub(crate) architecture: &'static Architecture,
    /// Shorter runs, and under loads only wake-ups and the timer's interrupt: each draw of a system
    /// takes about half a minute on two CPUs instead of five minutes
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure the kernels of the manual's atlas, as with --quick, write the atlas into DIR, and say
    /// what changed since the atlas that this program was built with
    #[arg(long, conflicts_with_all = ["systems", "freertos"])]
    pub(crate) atlas: bool,
    /// Measure nothing, and write the atlas of the runs in these results files
    #[arg(long, value_name = "STORE", num_args = 1.., requires = "atlas",
        conflicts_with_all = ["quick", "jobs", "draws", "json", "csv", "fail_if", "architecture"])]
    pub(crate) from: Vec<PathBuf>,
    /// Number of equal machines in which each system is measured under each load. They differ only
    /// in chance, such as the moment at which their runs begin: worst values have a range over them
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) draws: u32,
    /// Number of virtual machines to run at the same time; default: one per CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Also show FreeRTOS, in a separate table: its firmware file, as for `steadfast lab freertos`
    #[arg(long, value_name = "FIRMWARE")]
    pub(crate) freertos: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    if !args.from.is_empty() {
        return atlas::write_of_stores(&args.from, &args.kept);
    }
    let systems = match args.atlas {
        true => atlas::systems(args.architecture)?,
        false => systems(&args.systems, Some(args.architecture))?,
    };
    refuse_several_sets(&systems)?;
    let is_short = args.quick || args.atlas;
    let cells =
        cells(&systems, args.draws, if is_short { &LAB_COMPARE_QUICK } else { &LAB_COMPARE })?;
    let freertos = match &args.freertos {
        Some(firmware) => Some(freertos_times(EMULATOR.as_ref(), firmware)?),
        None => None,
    };
    let kept = &args.kept;
    make_directory(&kept.out)?;
    let _alone = alone_in(&kept.out)?;
    let plan: Vec<RunSpec> = cells.iter().flat_map(|cell| cell.specs.clone()).collect();
    let title = title(&systems)?;
    let at_once = args.jobs.map_or_else(|| topology::usable().len(), usize::from);
    let mut machines = Machines { cells: &cells, at_once };
    let ended = kept.carry_on(&title, &plan, runner::fingerprint(), &mut machines)?;
    let standards = kept.answer.standards();
    let comparison = Comparison::of_kernels(survey::systems(&ended.outcomes), &standards);
    let atlas = match (args.atlas, &ended.trouble) {
        (true, None) => atlas::write(&kept.out, &comparison)?,
        (true, Some(_)) => Some(atlas::NOT_YET.to_owned()),
        (false, _) => None,
    };
    let analysis = Analysis::comparing(Comparison { apart: freertos.as_ref(), ..comparison });
    let analysis = analysis.headed(kept.heading());
    let code = kept.give_of(&analysis, ended.trouble, &InGeneral, "")?;
    if let Some(atlas) = atlas.filter(|_| !kept.answer.json && !kept.answer.csv) {
        print(&atlas)?;
    }
    Ok(code)
}

/// Returns the session's title: the systems, and a hash of what decides samples besides the runs.
fn title(systems: &[Vm]) -> Result<String> {
    let mut setups = Sha256::new();
    for system in systems {
        setups.update(system.setup()?);
    }
    let names: Vec<&str> = systems.iter().map(|system| &*system.kernel().name).collect();
    let hash: String = setups.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("lab compare {} ({hash})", names.join(" ")))
}

/// Keeps another process from working on the same comparison while the returned file is open.
fn alone_in(out: &Path) -> Result<File> {
    let path = results(out);
    // Creates the store if it does not exist.
    Store::open(&path)?;
    let file = File::open(&path).with_context(|| path.display().to_string())?;
    let path = path.display();
    file.try_lock().ok().with_context(|| {
        format!(
            "{path} is in use by a comparison in progress; wait for it, or choose another --out"
        )
    })?;
    Ok(file)
}
