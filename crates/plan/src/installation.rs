//! How the system of a machine is installed, which decides what can be changed on it, and how.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Where kernel, command line and packages of a machine come from. What could not be seen is `None`
/// or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Installation {
    /// The distribution, as `ID` in `/etc/os-release`, such as `debian`; `raspberrypi` for Raspberry
    /// Pi OS.
    pub distribution: Option<String>,
    /// The command that installs packages, such as `apt`.
    pub package_manager: Option<String>,
    /// What sets the kernel's command line, by its name in the doctor's table, such as `grub`.
    pub boot_loader: Option<String>,
    pub kernel_from: Option<KernelOrigin>,
    /// Options of the kernel's build that decide about advice, such as `CONFIG_NO_HZ_FULL`: `y`, a
    /// number, or `n` if not set. Empty if the kernel's configuration cannot be read.
    pub kernel_options: BTreeMap<String, String>,
}

/// Where the running kernel comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KernelOrigin {
    /// It is installed in this system.
    Installed,
    /// The host of this virtual machine or container provides it.
    Host,
}
