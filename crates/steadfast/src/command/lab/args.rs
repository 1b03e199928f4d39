//! The arguments of `steadfast lab`.

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
    /// List the lab's kernels
    Kernels(JsonArgs),
    /// Download Debian kernels through apt; installs nothing and needs no rights
    Fetch(FetchArgs),
    /// Add a kernel: a boot image, or a kernel of the lab with other parameters
    Add(AddArgs),
    /// Remove a kernel from the lab
    Remove(RemoveArgs),
    /// Compare kernels with every measurement under every load, in virtual machines whose results
    /// are repeatable to the nanosecond on any host
    Compare(CompareArgs),
    /// Execute the same runs twice and check that every sample is equal
    Verify(VerifyArgs),
    /// Measure FreeRTOS on an emulated Cortex-M3, for comparison with Linux
    Freertos(FreertosArgs),
}

impl LabCommand {
    /// Returns whether the command executes runs in machines of the lab.
    pub(crate) fn makes_runs(&self) -> bool {
        matches!(self, Self::Compare(_) | Self::Verify(_))
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-lab")))]
pub(crate) struct CompareArgs {
    /// Kernels to compare, by the names that `--target vm:KERNEL` accepts; default: all kernels of
    /// the lab. A kernel with PREEMPT_DYNAMIC is compared three times, with preempt=none, voluntary
    /// and full
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
    /// Shorter runs: two Debian kernels take about five minutes on two CPUs instead of twenty
    #[arg(long)]
    pub(crate) quick: bool,
    /// Number of virtual machines to run at the same time; default: one per CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Also show FreeRTOS, in a separate table: its firmware file, as for `steadfast lab freertos`
    #[arg(long, value_name = "FIRMWARE")]
    pub(crate) freertos: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Kernels, by the names that `--target vm:KERNEL` accepts; default: all kernels of the lab
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Kernel series: debian:6.1 for the newest stock kernel of the series, debian:6.1-rt for the
    /// one with PREEMPT_RT; any amd64 series in apt's sources
    #[arg(value_name = "SERIES", required = true)]
    pub(crate) series: Vec<Series>,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Name for the kernel in the lab: up to 64 letters, digits, `.`, `_`, `-`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Boot image for x86-64 (vmlinuz, bzImage), or the name of a lab kernel whose parameters are
    /// to be changed
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

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// Name of the kernel, as listed by `steadfast lab kernels`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct FreertosArgs {
    /// Firmware file; freertos/README.md explains how to build it
    #[arg(long, value_name = "FILE")]
    pub(crate) firmware: PathBuf,
    /// ARM emulator to use
    #[arg(long, value_name = "PROGRAM", default_value = lab::freertos::EMULATOR)]
    pub(crate) qemu: OsString,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}
