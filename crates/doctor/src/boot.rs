//! Where the kernel's command line is set: by GRUB, or in a file of a board.

use crate::Tree;

const GRUB: (&str, &str) = (
    "/etc/default/grub",
    "Debian: GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo update-grub`",
);

/// Files in the order in which they are searched, each with what to change there. The first one that
/// exists counts.
const FILES: &[(&str, &str)] = &[
    GRUB,
    ("/boot/firmware/cmdline.txt", "at the end of the only line of /boot/firmware/cmdline.txt"),
    ("/boot/cmdline.txt", "at the end of the only line of /boot/cmdline.txt"),
    ("/boot/armbianEnv.txt", "after `extraargs=` in /boot/armbianEnv.txt"),
    ("/boot/uEnv.txt", "after `cmdline=` in /boot/uEnv.txt"),
    ("/boot/extlinux/extlinux.conf", "after `append` in /boot/extlinux/extlinux.conf"),
];

/// Describes where the command line of the machine with these files is set.
pub(crate) fn place(tree: &Tree) -> &'static str {
    let found = FILES.iter().find(|(file, _)| tree.has(file));
    found.unwrap_or(&GRUB).1
}
