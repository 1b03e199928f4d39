//! The errors of the lab, with their remedies.

use std::io;
use std::path::{Path, PathBuf};

use crate::requirements::{MOST_PARAMETERS, OLDEST};

/// One line with the problem and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    #[error(
        "QEMU is missing: {program} is not in PATH; on Debian, install it with `sudo apt install --no-install-recommends {package}`"
    )]
    NoQemu { program: &'static str, package: &'static str },
    #[error("{program} does not run: {why}")]
    BrokenQemu { program: &'static str, why: String },
    #[error("QEMU is too old: {program} is version {found}, but the lab needs {}.{} or later", OLDEST.0, OLDEST.1)]
    OldQemu { program: &'static str, found: String },
    #[error("--arch `{text}` is not an architecture of the lab: use {}", known.join(" or "))]
    BadArchitecture { text: String, known: Vec<&'static str> },
    #[error(
        "`{}` has no room for a machine's files: {cause}; free some space, or set TMPDIR to a folder with more space",
        std::env::temp_dir().display()
    )]
    NoRoom { cause: io::Error },
    #[error(
        "the lab has no folder: set STEADFAST_LAB to one (neither STEADFAST_LAB nor XDG_DATA_HOME nor HOME is set)"
    )]
    NoFolder,
    #[error("`{}`: {cause}{}", path.display(), remedy(cause))]
    File { path: PathBuf, cause: io::Error },
    #[error("{} cannot be loaded in a machine of the lab: {why}", library.display())]
    Library { library: PathBuf, why: String },
    #[error(
        "`{0}` is not a valid name for a kernel: use up to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit"
    )]
    BadName(String),
    #[error(
        "`{0}` does not name a kernel with parameters: write NAME+PARAM or NAME+PARAM=VALUE, such as debian-6.1+preempt=full, without blanks and quotes"
    )]
    BadParameter(String),
    #[error(
        "--append `{0}`: kernel parameters must be one line of at most {MOST_PARAMETERS} printable characters, without a lone `--`"
    )]
    BadAppend(String),
    #[error("the lab has no kernel `{name}`{}", others(known))]
    Unknown { name: String, known: Vec<String> },
    #[error("the lab already has a kernel `{0}`: use another name, or replace it with --replace")]
    Exists(String),
    #[error(
        "the lab has a kernel `{0}` that was added by hand: remove it with `steadfast lab remove {0}`, then fetch again"
    )]
    AddedByHand(String),
    #[error("--kernel `{0}`: there is no such file, and the lab has no kernel of this name")]
    NoKernelFile(String),
    #[error("`{}` is not a Linux kernel that the lab can boot: {why}", path.display())]
    NotAKernel {
        path: PathBuf,
        /// What it is instead, and what to name.
        why: &'static str,
    },
    #[error("--module `{}`: {why}", path.display())]
    NotAModule { path: PathBuf, why: String },
    /// A stored file of a kernel has changed.
    #[error(
        "`{}` is damaged, {why}: remove the kernel with `steadfast lab remove {name}`, then fetch or add it again",
        path.display()
    )]
    Damaged { name: String, path: PathBuf, why: String },
    #[error("--initrd-overlay `{}` {why}", path.display())]
    BadOverlay {
        /// The folder, or a file in it.
        path: PathBuf,
        why: &'static str,
    },
    #[error(
        "`{0}` is not a series of kernels: write debian:SERIES or debian:SERIES-rt, such as debian:6.1 or debian:6.1-rt, or debian:newest"
    )]
    BadSeries(String),
    #[error(
        "--suite `{0}` is not the name of a suite: write one such as trixie, sid or experimental"
    )]
    BadSuite(String),
    #[error(
        "Debian's keys are missing, with which apt checks its lists: install them with `sudo apt install debian-archive-keyring`"
    )]
    NoKeys,
    #[error(
        "this system has no apt ({0} was not found): get a kernel image elsewhere, and add it with `steadfast lab add NAME --kernel FILE`"
    )]
    NoApt(String),
    #[error("`{command}` failed: {said}: {}", apt_remedy(said))]
    Apt { command: String, said: String },
    #[error("Debian offers no kernel {wanted} for {architecture}{}", offers(known))]
    NoPackage { wanted: String, architecture: &'static str, known: Vec<String> },
    #[error("the package `{}` cannot be used: {why}", path.display())]
    BadPackage { path: PathBuf, why: String },
}

impl LabError {
    /// Whether the archive no longer has a file of apt's lists.
    pub(crate) fn is_out_of_date(&self) -> bool {
        matches!(self, Self::Apt { said, .. } if said.contains("404"))
    }

    /// Adds the path of the file to the system's error.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |cause| Self::File { path: path.to_owned(), cause }
    }
}

fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free some space, or set STEADFAST_LAB to a folder with more space"
        }
        io::ErrorKind::ReadOnlyFilesystem => ": set STEADFAST_LAB to a writable folder",
        _ => "",
    }
}

fn apt_remedy(said: &str) -> &'static str {
    if said.contains("No space left") {
        "free some space, or set STEADFAST_LAB to a folder with more space"
    } else if said.contains("printed more than") {
        "check that this program is Debian's own (`command -v apt-cache`)"
    } else if said.contains("404") {
        "the archive has changed since its lists were read; start again, which reads them anew"
    } else {
        "check the network and apt's proxy, then start again"
    }
}

fn others(known: &[String]) -> String {
    let names = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
    format!(
        "; it has {names}. `steadfast lab fetch debian:6.1 debian:6.1-rt` gets Debian's kernels, `steadfast lab add NAME --kernel FILE` adds any other"
    )
}

fn offers(known: &[String]) -> String {
    if known.is_empty() {
        ", nor any other kernel; search another suite with --suite".to_owned()
    } else {
        format!(
            "; it offers {}: use one of these, or search another suite with --suite",
            known.join(", ")
        )
    }
}
