//! `steadfast lab`: manages the lab's kernels, and compares systems in it.

pub(crate) mod args;
mod comparison;
mod freertos;

use std::process::ExitCode;

use anyhow::Result;
use lab::{Kernel, Kernels, NewKernel, Package};
use serde_json::json;

use self::args::{AddArgs, FetchArgs, LabArgs, LabCommand, RemoveArgs};
pub(crate) use self::comparison::{Cell, Machines};
use self::freertos::freertos;
use crate::args::JsonArgs;
use crate::output::{aligned, print, tell};

/// Executes a command of the lab.
pub(crate) fn lab(args: &LabArgs) -> Result<ExitCode> {
    match &args.command {
        LabCommand::Kernels(args) => kernels(args)?,
        LabCommand::Fetch(args) => fetch(args)?,
        LabCommand::Add(args) => add(args)?,
        LabCommand::Remove(args) => remove(args)?,
        LabCommand::Compare(args) => return comparison::compare(args),
        LabCommand::Verify(args) => return comparison::verify(args),
        LabCommand::Freertos(args) => freertos(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn kernels(args: &JsonArgs) -> Result<()> {
    let (mut kernels, mut damaged) = (Vec::new(), Vec::new());
    for kernel in Kernels::open()?.list()? {
        match kernel {
            Ok(kernel) => kernels.push(kernel),
            Err(damage) => damaged.push(damage),
        }
    }
    let text =
        || if kernels.is_empty() { NO_KERNELS.to_owned() } else { table(&kernels) + PARAMETERS };
    args.print(|| json!(kernels), text)?;
    for damage in damaged {
        tell(&format!("Left out: {damage}"));
    }
    Ok(())
}

const NO_KERNELS: &str = "\
The lab has no kernels yet.

  steadfast lab fetch debian:6.1 debian:6.1-rt   Debian's kernels, through apt
  steadfast lab add NAME --kernel FILE           any boot image for x86-64
";

const PARAMETERS: &str = "
To add kernel parameters, append them to the name: NAME+PARAM[=VALUE]..., such
as NAME+preempt=full+threadirqs.
";

/// Returns a table with one line per kernel.
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

/// Fetches the newest packages. All of them are found before the first is downloaded.
fn fetch(args: &FetchArgs) -> Result<()> {
    let kernels = Kernels::open()?;
    let newest = args.series.iter().map(|series| Ok((series, series.newest()?)));
    for (series, package) in newest.collect::<Result<Vec<_>>>()? {
        let name = series.kernel_name();
        if let Some(kernel) = kernels.fetched(series, &package)? {
            print(&format!("{name} is up to date: {}\n", kernel.source))?;
            continue;
        }
        tell(&format!("{name}: downloading {package}, {}", size(&package)));
        let kernel = kernels.fetch(series, &package)?;
        print(&introduction(&kernel))?;
    }
    Ok(())
}

fn size(package: &Package) -> String {
    format!("{} MB", package.bytes.div_ceil(1_000_000))
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
    print(&introduction(&kernel))
}

fn introduction(kernel: &Kernel) -> String {
    let version = match kernel.version.as_str() {
        "" => "of unknown version",
        version => version,
    };
    format!("{} is Linux {version}\n", kernel.name)
}

fn remove(args: &RemoveArgs) -> Result<()> {
    Kernels::open()?.remove(&args.name)?;
    print(&format!("removed {}\n", args.name))
}
