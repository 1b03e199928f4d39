//! How distributions provide a kernel with PREEMPT_RT.

use super::Change;
use crate::Seen;
use record::{KernelOrigin, Machine};

/// A distribution on processors of one kind.
struct Distribution {
    /// `ID` in `/etc/os-release`.
    id: &'static str,
    /// Instruction set architecture; empty for any.
    architecture: &'static str,
    /// The program that the command needs.
    manager: &'static str,
    /// The command that installs such a kernel; empty if no package of it is known.
    command: &'static str,
    /// What else is needed, or what to do instead of the command.
    words: &'static str,
}

const fn known(
    id: &'static str,
    architecture: &'static str,
    manager: &'static str,
    command: &'static str,
    words: &'static str,
) -> Distribution {
    Distribution { id, architecture, manager, command, words }
}

const ANYWHERE: &str = "a kernel built with CONFIG_PREEMPT_RT";

const OF_BOARD: &str = "a kernel of this board, built with CONFIG_PREEMPT_RT";

const OPENSUSE: &str =
    "kernel-rt, if `zypper search kernel-rt` finds it; else a kernel built with CONFIG_PREEMPT_RT";

const LIKE_RHEL: &str = "kernel-rt, if `dnf list --enablerepo='*' kernel-rt` finds it; else a kernel built with \
                         CONFIG_PREEMPT_RT";

const DISTRIBUTIONS: &[Distribution] = &[
    known("debian", "x86_64", "apt", "sudo apt install linux-image-rt-amd64", ""),
    known("debian", "aarch64", "apt", "sudo apt install linux-image-rt-arm64", ""),
    known("debian", "arm", "apt", "sudo apt install linux-image-rt-armmp", ""),
    known(
        "ubuntu",
        "",
        "apt",
        "sudo pro enable realtime-kernel",
        "for LTS releases, after `sudo pro attach`; for releases from 25.04 on: sudo apt install ubuntu-realtime",
    ),
    known(
        "rhel",
        "x86_64",
        "dnf",
        "sudo dnf install --enablerepo='rhel-*-for-x86_64-rt-rpms' kernel-rt",
        "with a subscription that has the repository of RHEL for Real Time",
    ),
    known("centos", "", "", "", LIKE_RHEL),
    known("almalinux", "", "", "", LIKE_RHEL),
    known("rocky", "", "", "", LIKE_RHEL),
    known("opensuse-leap", "", "", "", OPENSUSE),
    known("opensuse-tumbleweed", "", "", "", OPENSUSE),
    known(
        "arch",
        "x86_64",
        "pacman",
        "sudo pacman -S linux-rt",
        "and add it to the boot loader's menu",
    ),
    known(
        "nixos",
        "",
        "nixos-rebuild",
        "",
        "a kernel built with CONFIG_PREEMPT_RT, as boot.kernelPackages in configuration.nix",
    ),
    known(
        "poky",
        "",
        "",
        "",
        "an image built with PREFERRED_PROVIDER_virtual/kernel = \"linux-yocto-rt\"",
    ),
    known("raspberrypi", "", "", "", OF_BOARD),
];

/// How the releases of Debian's own kernels for Arm end. A board that runs another one may not boot
/// them.
const KERNELS_FOR_ANY_BOARD: [&str; 4] = ["-arm64", "-arm64-16k", "-armmp", "-armmp-lpae"];

/// Whether this machine runs a kernel that was made for its board.
fn is_for_this_board(machine: &Machine) -> bool {
    let is_arm = ["aarch64", "arm"].contains(&machine.architecture.as_str());
    is_arm && KERNELS_FOR_ANY_BOARD.iter().all(|end| !machine.kernel_release.ends_with(end))
}

/// Returns how this machine gets a kernel with PREEMPT_RT. A command is given only where its
/// distribution has such a package, and the machine boots a kernel that is installed in it.
pub(super) fn real_time_kernel(seen: &Seen) -> Change {
    let machine = seen.machine;
    if machine.has_kernel_of_host() {
        return Change::ask(
            "ask the host's operator for a PREEMPT_RT kernel: it comes from the host",
        );
    }
    let Some(system) = &machine.installation else { return Change::ask(ANYWHERE) };
    let is_it = |known: &&Distribution| {
        system.distribution.as_deref() == Some(known.id)
            && (known.architecture.is_empty() || known.architecture == machine.architecture)
    };
    let can_boot =
        system.kernel_from == Some(KernelOrigin::Installed) && system.boot_loader.is_some();
    match DISTRIBUTIONS.iter().find(is_it) {
        Some(known) if known.command.is_empty() => Change::ask(known.words),
        Some(known) if known.id == "debian" && is_for_this_board(machine) => Change::ask(OF_BOARD),
        Some(known) if can_boot && system.package_manager.as_deref() == Some(known.manager) => {
            Change::command(known.command).or(known.words)
        }
        _ => Change::ask(ANYWHERE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debians_kernels_for_arm_are_for_any_board_and_others_for_one() {
        for (kernel_release, is_for_one) in [
            ("6.12.57+deb13-rt-arm64", false),
            ("7.2.13+deb14-arm64-16k", false),
            ("6.1.84-8-rk2410", true),
            ("6.12.25+rpt-rpi-2712", true),
        ] {
            let machine = Machine {
                architecture: "aarch64".to_owned(),
                kernel_release: kernel_release.into(),
                ..Machine::default()
            };
            assert_eq!(is_for_this_board(&machine), is_for_one, "{kernel_release}");
        }
    }
}
