//! What can be typed after `steadfast lab`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use lab::Series;

use crate::args::JsonArgs;
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the kernels that the lab has
    Kernels(JsonArgs),
    /// Get Debian's kernels through apt; nothing is installed, and no rights are needed
    Fetch(FetchArgs),
    /// Add any kernel: a boot image, or one that the lab has, with other parameters
    Add(AddArgs),
    /// Remove a kernel from the lab
    Remove(RemoveArgs),
    /// Compare systems as the papers do: every measurement under every load, in machines
    /// whose figures are the same to the nanosecond everywhere
    Compare(CompareArgs),
    /// Make the same runs twice, and say whether every sample is the same
    Verify(VerifyArgs),
    /// Measure FreeRTOS on an emulated Cortex-M3, to lay beside Linux
    Freertos(FreertosArgs),
}

impl LabCommand {
    /// Whether it makes runs in machines of the lab.
    pub(crate) fn makes_runs(&self) -> bool {
        matches!(self, Self::Compare(_) | Self::Verify(_))
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-lab")))]
pub(crate) struct CompareArgs {
    /// Kernels to compare, as `--target vm:KERNEL` takes them; default: all that the lab
    /// has. One with PREEMPT_DYNAMIC stands for preempt=none, voluntary and full
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
    /// Short runs: two kernels of Debian's take some five minutes on two CPUs, not twenty
    #[arg(long)]
    pub(crate) quick: bool,
    /// Machines at a time; default: one a CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Lay FreeRTOS beside, apart from the others: its firmware, as `steadfast lab
    /// freertos` takes it
    #[arg(long, value_name = "FIRMWARE")]
    pub(crate) freertos: Option<PathBuf>,
    /// Also write interactive.html, whose charts zoom and save as images (some 5 MB)
    #[arg(long)]
    pub(crate) interactive: bool,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Kernels, as `--target vm:KERNEL` takes them; default: all that the lab has
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// debian:6.1 for the newest stock kernel of this series, debian:6.1-rt for the one
    /// with PREEMPT_RT; any series for amd64 that apt's sources offer
    #[arg(value_name = "SERIES", required = true)]
    pub(crate) series: Vec<Series>,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// What the kernel is called in the lab: up to 64 letters, digits, `.`, `_`, `-`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// A boot image for x86-64 (vmlinuz, bzImage), or the name of a kernel that the lab
    /// has, of which only the parameters shall differ
    #[arg(long, value_name = "FILE|NAME")]
    pub(crate) kernel: String,
    /// A module that the machine loads before it measures, built for this kernel; give
    /// several in the order in which they are to be loaded. They are copied
    #[arg(long = "module", value_name = "FILE")]
    pub(crate) modules: Vec<PathBuf>,
    /// A folder whose content is laid over the initrd; it is copied
    #[arg(long, value_name = "DIR")]
    pub(crate) initrd_overlay: Option<PathBuf>,
    /// Kernel parameters besides those of the lab, such as "preempt=full threadirqs"
    #[arg(
        long,
        value_name = "PARAMETERS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) append: String,
    /// Take the place of a kernel with this name
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// As `steadfast lab kernels` lists it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct FreertosArgs {
    /// The firmware; freertos/README.md says how to build it
    #[arg(long, value_name = "FILE")]
    pub(crate) firmware: PathBuf,
    /// The emulator for ARM
    #[arg(long, value_name = "PROGRAM", default_value = lab::freertos::EMULATOR)]
    pub(crate) qemu: OsString,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}
