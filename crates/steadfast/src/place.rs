//! Where runs are made, as it is typed: `local` or `vm:KERNEL`.

use std::str::FromStr;

use anyhow::{Error, Result, bail};
use lab::{Kernels, Qemu};
use plan::{LoadSpec, RunSpec};
use rt::topology;
use target::{Local, Target, Vm};
use units::CpuSet;

/// A target as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// This machine.
    Local,
    /// A virtual machine of the lab, with the kernel of that name.
    Vm(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "local" => Ok(Self::Local),
            Some(("vm", kernel)) if !kernel.is_empty() => Ok(Self::Vm(kernel.to_owned())),
            _ => Err(
                "expected `local`, or `vm:KERNEL` with a kernel of `steadfast lab kernels`".into(),
            ),
        }
    }
}

impl Place {
    /// The target itself.
    ///
    /// # Errors
    /// What is missing, and what brings it.
    pub(crate) fn open(&self) -> Result<Box<dyn Target>> {
        Ok(match self {
            Self::Local => Box::new(Local::default()),
            Self::Vm(kernel) => Box::new(Vm::new(Qemu::find()?, Kernels::open()?.find(kernel)?)),
        })
    }

    /// The CPUs that runs may use there.
    pub(crate) fn usable(&self) -> CpuSet {
        match self {
            Self::Local => topology::usable(),
            Self::Vm(_) => Vm::cpus(),
        }
    }

    /// Refuses a run that cannot be made there, as far as this machine can tell; the other
    /// one looks at the rest itself.
    ///
    /// # Errors
    /// What is wrong with it, and what mends it.
    pub(crate) fn check(&self, spec: &RunSpec) -> Result<()> {
        match self {
            Self::Local => runner::check(spec).map(|_| ()).map_err(Error::msg),
            Self::Vm(_) => check_for_the_lab(spec),
        }
    }
}

fn check_for_the_lab(spec: &RunSpec) -> Result<()> {
    let missing = spec.asked.cpus.without(&Vm::cpus());
    if !missing.is_empty() {
        bail!("--cpus: a machine of the lab has CPU {} alone", Vm::cpus());
    }
    let not_there = |load: &&LoadSpec| ["disk", "stress-ng"].contains(&&*load.name);
    match spec.asked.loads.iter().find(not_there) {
        Some(load) => bail!(
            "--load: a machine of the lab has neither a disk nor other programs, so {} cannot be \
             had there; `files` and `paging` can",
            load.name
        ),
        None => Ok(()),
    }
}
