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
    /// What precedes the parameters in a line of the file; empty if lines have nothing else, `None`
    /// if the file does not show them.
    key: Option<&'static str>,
}

impl BootLoader {
    fn is_on(&self, tree: &Tree, command_line: &str) -> bool {
        let has_mark = || command_line.split_whitespace().any(|word| word.starts_with(self.mark));
        tree.exists(self.file)
            && (self.tool.is_empty() || tree.has_program(self.tool))
            && (self.mark.is_empty() || has_mark())
    }

    /// How many parameters of a line of its file this command line has, at most; a line of which it has
    /// all counts more than any other.
    fn running(&self, tree: &Tree, command_line: &str) -> usize {
        let running: Vec<&str> = command_line.split_whitespace().collect();
        let of_line = |line: &str| {
            let (has, lacks): (Vec<&str>, Vec<&str>) =
                self.parameters(line).partition(|word| running.contains(word));
            if lacks.is_empty() && !has.is_empty() { usize::MAX } else { has.len() }
        };
        let text = tree.text(self.file).seen().unwrap_or_default();
        text.lines().map(of_line).max().unwrap_or(0)
    }

    /// Returns the parameters in a line, without the variables that U-Boot replaces.
    fn parameters<'l>(&self, line: &'l str) -> impl Iterator<Item = &'l str> {
        let after = |key: &str| {
            let (start, rest) = line.trim_start().split_at_checked(key.len())?;
            start.eq_ignore_ascii_case(key).then_some(rest)
        };
        let words = self.key.and_then(after).into_iter().flat_map(str::split_whitespace);
        words.map(|word| word.trim_matches('"')).filter(|word| !word.contains('$'))
    }
}

const GRUB: &str = "/etc/default/grub";
/// GRUB and extlinux name the image that they loaded.
const IMAGE: &str = "BOOT_IMAGE=";
const EXTLINUX: &str = "/boot/extlinux/extlinux.conf";

/// Of those whose file, tool and mark a machine has, the first one counts; but if files show
/// parameters, the first one of which the kernel runs with all, or else with most.
const BOOT_LOADERS: &[BootLoader] = &[
    BootLoader {
        name: "nixos",
        file: "/etc/NIXOS",
        tool: "nixos-rebuild",
        mark: "",
        place: "boot.kernelParams in configuration.nix, then `sudo nixos-rebuild boot`",
        key: None,
    },
    BootLoader {
        name: "ostree",
        file: "/run/ostree-booted",
        tool: "rpm-ostree",
        mark: "",
        place: "`sudo rpm-ostree kargs --append=PARAMETER`, with one `--append` for each",
        key: None,
    },
    BootLoader {
        name: "grubby",
        file: GRUB,
        tool: "grubby",
        mark: IMAGE,
        place: "`sudo grubby --update-kernel=ALL --args=\"PARAMETERS\"`",
        key: None,
    },
    BootLoader {
        name: "update-grub",
        file: GRUB,
        tool: "update-grub",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo update-grub`",
        key: None,
    },
    BootLoader {
        name: "grub2-mkconfig",
        file: GRUB,
        tool: "grub2-mkconfig",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo grub2-mkconfig -o \
                /boot/grub2/grub.cfg`",
        key: None,
    },
    BootLoader {
        name: "grub-mkconfig",
        file: GRUB,
        tool: "grub-mkconfig",
        mark: IMAGE,
        place: "GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo grub-mkconfig -o \
                /boot/grub/grub.cfg`",
        key: None,
    },
    BootLoader {
        name: "update-extlinux",
        file: "/etc/update-extlinux.conf",
        tool: "update-extlinux",
        mark: IMAGE,
        place: "default_kernel_opts in /etc/update-extlinux.conf, then `update-extlinux` as root",
        key: None,
    },
    BootLoader {
        name: "proxmox-boot-tool",
        file: "/etc/kernel/cmdline",
        tool: "proxmox-boot-tool",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then `sudo proxmox-boot-tool refresh`",
        key: None,
    },
    BootLoader {
        name: "sdbootutil",
        file: "/etc/kernel/cmdline",
        tool: "sdbootutil",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then `sudo sdbootutil update-all-entries`",
        key: None,
    },
    BootLoader {
        name: "systemd-boot",
        file: "/etc/kernel/cmdline",
        tool: "kernel-install",
        mark: "",
        place: "the only line of /etc/kernel/cmdline, then make the boot entries again \
                (man 8 kernel-install)",
        key: None,
    },
    BootLoader {
        name: "loader/entries",
        file: "/boot/loader/entries",
        tool: "bootctl",
        mark: "",
        place: "after `options` in the files below /boot/loader/entries",
        key: None,
    },
    BootLoader {
        name: "raspi-extra-cmdline",
        file: "/etc/default/raspi-extra-cmdline",
        tool: "update-initramfs",
        mark: "",
        place: "in /etc/default/raspi-extra-cmdline, then `sudo update-initramfs -u`, which writes \
                cmdline.txt",
        key: Some(""),
    },
    BootLoader {
        name: "firmware/cmdline.txt",
        file: "/boot/firmware/cmdline.txt",
        tool: "",
        mark: "",
        place: "at the end of the only line of /boot/firmware/cmdline.txt",
        key: Some(""),
    },
    BootLoader {
        name: "cmdline.txt",
        file: "/boot/cmdline.txt",
        tool: "",
        mark: "",
        place: "at the end of the only line of /boot/cmdline.txt",
        key: Some(""),
    },
    BootLoader {
        name: "armbianEnv.txt",
        file: "/boot/armbianEnv.txt",
        tool: "",
        mark: "",
        place: "after `extraargs=` in /boot/armbianEnv.txt",
        key: Some("extraargs="),
    },
    BootLoader {
        name: "orangepiEnv.txt",
        file: "/boot/orangepiEnv.txt",
        tool: "",
        mark: "",
        place: "after `extraargs=` in /boot/orangepiEnv.txt",
        key: Some("extraargs="),
    },
    BootLoader {
        name: "dietpiEnv.txt",
        file: "/boot/dietpiEnv.txt",
        tool: "",
        mark: "",
        place: "after `extraargs=` in /boot/dietpiEnv.txt",
        key: Some("extraargs="),
    },
    BootLoader {
        name: "uEnv.txt",
        file: "/boot/uEnv.txt",
        tool: "",
        mark: "",
        place: "after `cmdline=` in /boot/uEnv.txt",
        key: Some("cmdline="),
    },
    BootLoader {
        name: "u-boot-update",
        file: EXTLINUX,
        tool: "u-boot-update",
        mark: "",
        place: "U_BOOT_PARAMETERS in /etc/default/u-boot, then `sudo u-boot-update`, which writes \
                extlinux.conf",
        key: Some("append"),
    },
    BootLoader {
        name: "extlinux.conf",
        file: EXTLINUX,
        tool: "",
        mark: "",
        place: "after `append` of the entry that boots, in /boot/extlinux/extlinux.conf",
        key: Some("append"),
    },
    BootLoader {
        name: "firmware/extlinux.conf",
        file: "/boot/firmware/extlinux/extlinux.conf",
        tool: "",
        mark: "",
        place: "after `append` of the entry that boots, in /boot/firmware/extlinux/extlinux.conf",
        key: Some("append"),
    },
    BootLoader {
        name: "flash-kernel",
        file: "/etc/default/flash-kernel",
        tool: "flash-kernel",
        mark: "",
        place: "LINUX_KERNEL_CMDLINE in /etc/default/flash-kernel, then `sudo flash-kernel`",
        key: Some("LINUX_KERNEL_CMDLINE="),
    },
    BootLoader {
        name: "u-boot",
        file: "/etc/fw_env.config",
        tool: "fw_setenv",
        mark: "",
        place: "in the variable of U-Boot from which its script makes `bootargs`: `fw_printenv`, \
                `fw_setenv`",
        key: None,
    },
];

/// Returns the name of the boot loader of the machine with these files and this command line.
pub(crate) fn loader(tree: &Tree, command_line: &str) -> Option<&'static str> {
    let on_machine = BOOT_LOADERS.iter().filter(|loader| loader.is_on(tree, command_line));
    let first = on_machine.clone().next()?;
    // Of equal ones, the last counts.
    let most = on_machine.rev().max_by_key(|loader| loader.running(tree, command_line));
    most.filter(|_| first.key.is_some()).or(Some(first)).map(|loader| loader.name)
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
            Self::Unknown => format!(
                "No file of a known boot loader was seen. In the configuration of the boot loader, \
                 put {ALL}."
            ),
        }
    }
}
