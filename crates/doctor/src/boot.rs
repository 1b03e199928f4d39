//! What sets the kernel's command line: a table of boot loaders.

use record::Machine;

use crate::Tree;

/// A boot loader, or the tool of a distribution that configures one.
struct BootLoader {
    /// Its name in a fingerprint.
    name: &'static str,
    /// A file or folder that it needs.
    file: &'static str,
    /// A program that it needs; empty for none.
    tool: &'static str,
    /// The start of a word that it adds to the command line; empty if it adds none.
    mark: &'static str,
    /// Where to set parameters, and what to run then.
    place: &'static str,
}

const GRUB: &str = "/etc/default/grub";
/// GRUB and extlinux name the image that they loaded.
const IMAGE: &str = "BOOT_IMAGE=";

/// The first one whose file, tool and mark a machine has counts.
const BOOT_LOADERS: &[BootLoader] = &[
    BootLoader {
        name: "nixos",
        file: "/etc/NIXOS",
        tool: "nixos-rebuild",
        mark: "",
        place: "boot.kernelParams in configuration.nix, then `sudo nixos-rebuild boot`",
    },
    BootLoader {
        name: "ostree",
        file: "/run/ostree-booted",
        tool: "rpm-ostree",
        mark: "",
        place: "`sudo rpm-ostree kargs --append=PARAMETER`, with one `--append` for each",
    },
    BootLoader {
        name: "grubby",
        file: GRUB,
        tool: "grubby",
        mark: IMAGE,
        place: "`sudo grubby --update-kernel=ALL --args=\"PARAMETERS\"`",
    },
    BootLoader {
        name: "update-grub",
        file: GRUB,
        tool: "update-grub",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo update-grub`",
    },
    BootLoader {
        name: "grub2-mkconfig",
        file: GRUB,
        tool: "grub2-mkconfig",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo grub2-mkconfig -o \
                /boot/grub2/grub.cfg`",
    },
    BootLoader {
        name: "grub-mkconfig",
        file: GRUB,
        tool: "grub-mkconfig",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo grub-mkconfig -o \
                /boot/grub/grub.cfg`",
    },
    BootLoader {
        name: "update-extlinux",
        file: "/etc/update-extlinux.conf",
        tool: "update-extlinux",
        mark: IMAGE,
        place: "default_kernel_opts in /etc/update-extlinux.conf, then `update-extlinux` as root",
    },
    BootLoader {
        name: "proxmox-boot-tool",
        file: "/etc/kernel/cmdline",
        tool: "proxmox-boot-tool",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then `sudo proxmox-boot-tool refresh`",
    },
    BootLoader {
        name: "sdbootutil",
        file: "/etc/kernel/cmdline",
        tool: "sdbootutil",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then `sudo sdbootutil update-all-entries`",
    },
    BootLoader {
        name: "systemd-boot",
        file: "/etc/kernel/cmdline",
        tool: "kernel-install",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then make the boot entries again \
                (man 8 kernel-install)",
    },
    BootLoader {
        name: "loader/entries",
        file: "/boot/loader/entries",
        tool: "bootctl",
        mark: "",
        place: "after `options` in the files below /boot/loader/entries",
    },
    BootLoader {
        name: "firmware/cmdline.txt",
        file: "/boot/firmware/cmdline.txt",
        tool: "",
        mark: "",
        place: "at the end of the only line of /boot/firmware/cmdline.txt",
    },
    BootLoader {
        name: "cmdline.txt",
        file: "/boot/cmdline.txt",
        tool: "",
        mark: "",
        place: "at the end of the only line of /boot/cmdline.txt",
    },
    BootLoader {
        name: "armbianEnv.txt",
        file: "/boot/armbianEnv.txt",
        tool: "",
        mark: "",
        place: "after `extraargs=` in /boot/armbianEnv.txt",
    },
    BootLoader {
        name: "uEnv.txt",
        file: "/boot/uEnv.txt",
        tool: "",
        mark: "",
        place: "after `cmdline=` in /boot/uEnv.txt",
    },
    BootLoader {
        name: "extlinux.conf",
        file: "/boot/extlinux/extlinux.conf",
        tool: "",
        mark: "",
        place: "after `append` in /boot/extlinux/extlinux.conf",
    },
    BootLoader {
        name: "u-boot",
        file: "/etc/fw_env.config",
        tool: "fw_setenv",
        mark: "",
        place: "in the variable of U-Boot from which its script makes `bootargs`: `fw_printenv`, \
                `fw_setenv`",
    },
];

/// Returns the name of the boot loader of the machine with these files and this command line.
pub(crate) fn loader(tree: &Tree, command_line: &str) -> Option<&'static str> {
    let has_mark = |mark| command_line.split_whitespace().any(|word| word.starts_with(mark));
    let is_here = |loader: &&BootLoader| {
        tree.exists(loader.file)
            && (loader.tool.is_empty() || tree.has_program(loader.tool))
            && (loader.mark.is_empty() || has_mark(loader.mark))
    };
    BOOT_LOADERS.iter().find(is_here).map(|loader| loader.name)
}

/// Where the kernel's command line of a machine is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BootPlace {
    /// In the system itself: where, and what to run then.
    Here(&'static str),
    /// By the host.
    Host,
    #[default]
    Unknown,
}

impl BootPlace {
    pub(crate) fn of(machine: &Machine) -> Self {
        let name = machine.installation.as_ref().and_then(|system| system.boot_loader.as_deref());
        let known = BOOT_LOADERS.iter().find(|loader| Some(loader.name) == name);
        match known {
            _ if machine.has_kernel_of_host() => Self::Host,
            Some(loader) => Self::Here(loader.place),
            None => Self::Unknown,
        }
    }

    /// Returns who puts parameters where, as the start of a sentence.
    pub(crate) fn in_words(self) -> String {
        const ALL: &str = "all of it in one line, and replace parameters with the same names there";
        match self {
            Self::Here(place) => format!("Put {ALL} ({place})."),
            Self::Host => {
                format!("The host sets the kernel's command line: ask its operator to put {ALL}.")
            }
            Self::Unknown => format!("In the configuration of the boot loader, put {ALL}."),
        }
    }
}
