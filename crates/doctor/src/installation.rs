//! How the system of a machine is installed, by its files.

use base::Observed;
use record::{Installation, KernelOrigin};
use rt::kernel_config;
use rt::namespace::Namespace;

use crate::{Tree, boot};

/// Programs that install packages; the first one that a machine has counts.
const PACKAGE_MANAGERS: [&str; 8] =
    ["apt", "rpm-ostree", "dnf", "zypper", "pacman", "apk", "nixos-rebuild", "opkg"];

/// Options of the kernel's build that checks ask for.
pub(crate) const KERNEL_OPTIONS: [&str; 13] = [
    "CONFIG_ARCH_HAS_PREEMPT_LAZY",
    "CONFIG_HZ",
    "CONFIG_NO_HZ_FULL",
    "CONFIG_PREEMPT",
    "CONFIG_PREEMPT_DYNAMIC",
    "CONFIG_PREEMPT_LAZY",
    "CONFIG_PREEMPT_NONE",
    "CONFIG_PREEMPT_RT",
    "CONFIG_PREEMPT_VOLUNTARY",
    "CONFIG_RCU_NOCB_CPU",
    "CONFIG_RCU_NOCB_CPU_DEFAULT_ALL",
    "CONFIG_RT_GROUP_SCHED",
    "CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED",
];

/// Reads how the system with these files is installed, which runs the kernel of this release with
/// this command line, on a virtual machine or not.
pub(crate) fn of(tree: &Tree, release: &str, command_line: &str, is_virtual: bool) -> Installation {
    let kernel_from = kernel_from(tree, release, is_virtual);
    let is_own = kernel_from != Some(KernelOrigin::Host);
    let manager = PACKAGE_MANAGERS.iter().find(|name| tree.has_program(name));
    let loader = boot::loader(tree, command_line).filter(|_| is_own);
    let config = tree.kernel_config(release);
    let option = |config: &String, name: &str| {
        (name.to_owned(), kernel_config::value(config, name).to_owned())
    };
    let options = config.iter().flat_map(|config| KERNEL_OPTIONS.map(|name| option(config, name)));
    Installation {
        distribution: distribution(tree),
        package_manager: manager.map(ToString::to_string),
        boot_loader: loader.map(str::to_owned),
        kernel_from,
        kernel_options: options.collect(),
    }
}

fn distribution(tree: &Tree) -> Option<String> {
    if tree.exists("/etc/rpi-issue") {
        return Some("raspberrypi".to_owned());
    }
    let id = tree.line("/etc/os-release", "ID=").seen()?;
    Some(id.trim_matches(['"', '\'']).to_owned())
}

/// Where the running kernel comes from: this system, if it has that kernel or its modules. If it does
/// not, the host of a virtual machine started the kernel; that of a container always did.
fn kernel_from(tree: &Tree, release: &str, is_virtual: bool) -> Option<KernelOrigin> {
    let starts =
        ["/boot/vmlinuz-", "/boot/vmlinux-", "/boot/Image-", "/lib/modules/", "/usr/lib/modules/"];
    let has = |start: &str| tree.exists(&format!("{start}{release}"));
    let is_installed = starts.into_iter().any(has) || tree.exists("/run/booted-system/kernel");
    let is_in_container = tree.is_in_first(Namespace::Processes) == Observed::Seen(false);
    match is_installed {
        _ if is_in_container => Some(KernelOrigin::Host),
        true => Some(KernelOrigin::Installed),
        false => is_virtual.then_some(KernelOrigin::Host),
    }
}
