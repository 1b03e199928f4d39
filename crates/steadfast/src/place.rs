//! Where runs are made, as it is typed: `local` or `vm:KERNEL`.

use std::str::FromStr;

use anyhow::Result;
use lab::{Kernels, Qemu};
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

    /// Whether what a run needs can be looked for on this machine.
    pub(crate) fn is_here(&self) -> bool {
        *self == Self::Local
    }
}
