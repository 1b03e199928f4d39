//! `steadfast lab`: manages the lab's kernels, and compares systems in it.

mod comparison;
mod fetch;
mod freertos;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use lab::{Kernel, Kernels, NewKernel};
use serde_json::json;

pub(crate) use self::comparison::{Cell, Machines};
use self::comparison::{CompareArgs, VerifyArgs};
use self::fetch::{FetchArgs, SourceArgs, available, fetch, introduction, note_lack};
use self::freertos::{FreertosArgs, freertos};
use crate::options::JsonArgs;
use crate::startup::output::{aligned, print, tell};

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the lab's kernels, or those of Debian that it can fetch
    Kernels(KernelsArgs),
    /// Download Debian kernels through apt; installs nothing and needs no rights
    Fetch(FetchArgs),
    /// Add a kernel: a boot image, or a kernel of the lab with other parameters
    Add(AddArgs),
    /// Remove a kernel from the lab
    Remove {
        /// Name of the kernel, as listed by `steadfast lab kernels`
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Compare kernels without load and under seven loads, in virtual machines whose results repeat
    /// to the nanosecond on any host
    Compare(CompareArgs),
    /// Execute the same runs twice and check that every sample is equal
    Verify(VerifyArgs),
    /// Measure FreeRTOS on an emulated Cortex-M3, for comparison with Linux
    Freertos(FreertosArgs),
}

impl LabCommand {
    pub(crate) fn makes_runs(&self) -> bool {
        matches!(self, Self::Compare(_) | Self::Verify(_))
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("suites", |arg| arg.requires("available")), mut_arg("architecture", |arg| arg.requires("available")))]
pub(crate) struct KernelsArgs {
    /// List the kernels of Debian that `steadfast lab fetch` can download
    #[arg(long)]
    available: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Name for the kernel in the lab: up to 64 letters, digits, `.`, `_`, `-`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Boot image for x86-64 or 64-bit Arm (vmlinuz, bzImage, Image), or the name of a lab kernel
    /// whose parameters are to be changed
    #[arg(long, value_name = "FILE|NAME")]
    pub(crate) kernel: String,
    /// Module to load before measuring, built for this kernel; can be given several times, in the
    /// order of loading. Modules are copied
    #[arg(long = "module", value_name = "FILE")]
    pub(crate) modules: Vec<PathBuf>,
    /// Folder whose content is added to the initrd; it is copied
    #[arg(long, value_name = "DIR")]
    pub(crate) initrd_overlay: Option<PathBuf>,
    /// Kernel parameters in addition to the lab's own, such as "preempt=full threadirqs"
    #[arg(
        long,
        value_name = "PARAMETERS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) append: String,
    /// Replace an existing kernel with this name
    #[arg(long)]
    pub(crate) replace: bool,
}

pub(crate) fn lab(command: &LabCommand) -> Result<ExitCode> {
    match command {
        LabCommand::Kernels(args) => kernels(args)?,
        LabCommand::Fetch(args) => fetch(args)?,
        LabCommand::Add(args) => add(args)?,
        LabCommand::Remove { name } => {
            Kernels::open()?.remove(name)?;
            print(&format!("removed {name}\n"))?;
        }
        LabCommand::Compare(args) => return comparison::compare(args),
        LabCommand::Verify(args) => return comparison::verify(args),
        LabCommand::Freertos(args) => freertos(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn kernels(args: &KernelsArgs) -> Result<()> {
    if args.available {
        return available(&args.source, &args.json);
    }
    let (mut kernels, mut damaged) = (Vec::new(), Vec::new());
    for kernel in Kernels::open()?.list()? {
        match kernel {
            Ok(kernel) => kernels.push(kernel),
            Err(damage) => damaged.push(damage),
        }
    }
    let text =
        || if kernels.is_empty() { NO_KERNELS.to_owned() } else { table(&kernels) + PARAMETERS };
    args.json.print(|| json!(kernels), text)?;
    damaged.iter().for_each(|damage| tell(&format!("Left out: {damage}")));
    Ok(())
}

const NO_KERNELS: &str = "\
The lab has no kernels yet.

  steadfast lab fetch debian:6.1 debian:6.1-rt   Debian's kernels, through apt
  steadfast lab add NAME --kernel FILE           any boot image for x86-64 or 64-bit Arm
";

const PARAMETERS: &str = "
To add kernel parameters, append them to the name: NAME+PARAM[=VALUE]..., such
as NAME+preempt=full+threadirqs.
";

fn table(kernels: &[Kernel]) -> String {
    let or_dash = |text: &str| if text.is_empty() { "-" } else { text }.to_owned();
    let line = |kernel: &Kernel| {
        let modules = kernel.module_names().join(" ");
        let cells = [&kernel.name, &kernel.release, &kernel.source, &modules, &kernel.append];
        cells.map(|text| or_dash(text))
    };
    let heading = ["kernel", "version", "source", "modules", "parameters"].map(str::to_owned);
    let lines: Vec<_> = [heading].into_iter().chain(kernels.iter().map(line)).collect();
    aligned(&lines, usize::MAX)
}

fn add(args: &AddArgs) -> Result<()> {
    let kernel = Kernels::open()?.add(&NewKernel {
        name: args.name.clone(),
        kernel: args.kernel.clone(),
        modules: args.modules.clone(),
        overlay: args.initrd_overlay.clone(),
        append: args.append.trim().to_owned(),
        replace: args.replace,
    })?;
    print(&introduction(&kernel))?;
    note_lack(&kernel);
    Ok(())
}
