//! What can be wrong in the lab, and how to mend it.

use std::io;
use std::path::{Path, PathBuf};

use crate::requirements::{MOST_PARAMETERS, OLDEST, PROGRAM};

/// One line that says what is wrong, and how to mend it.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no QEMU.
    #[error(
        "QEMU is missing: there is no {PROGRAM} in PATH; on Debian, `sudo apt install --no-install-recommends qemu-system-x86` brings it"
    )]
    NoQemu,
    /// QEMU is there and does not work.
    #[error("{PROGRAM} does not run: {0}")]
    BrokenQemu(String),
    /// QEMU is older than what the lab is known to work with.
    #[error("QEMU is too old: {PROGRAM} is {found}, the lab needs {}.{} or later", OLDEST.0, OLDEST.1)]
    OldQemu {
        /// What it says of its version.
        found: String,
    },
    /// There is no room for what a machine reads and writes.
    #[error(
        "`{}` has no room for a machine's files: {cause}; free space, or set TMPDIR to a folder with more of it",
        std::env::temp_dir().display()
    )]
    NoRoom {
        /// What the system says.
        cause: io::Error,
    },
    /// There is no place for the lab.
    #[error(
        "there is no folder for the lab: set STEADFAST_LAB to one (neither it nor XDG_DATA_HOME nor HOME is set)"
    )]
    NoFolder,
    /// A file or folder cannot be read or written.
    #[error("`{}`: {cause}{}", path.display(), remedy(cause))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A library that a machine cannot be given.
    #[error("{} cannot be loaded in a machine of the lab: {why}", library.display())]
    Library {
        /// The library.
        library: PathBuf,
        /// What it lacks.
        why: String,
    },
    /// A name that no kernel can have.
    #[error(
        "`{0}` is no name for a kernel: take up to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit"
    )]
    BadName(String),
    /// A kernel parameter that cannot be passed on.
    #[error(
        "`{0}` does not name a kernel with parameters: write NAME+PARAM or NAME+PARAM=VALUE, such as debian-6.1+preempt=full, without blanks and quotes"
    )]
    BadParameter(String),
    /// A line of kernel parameters that no boot loader can pass on.
    #[error(
        "--append `{0}`: kernel parameters are one line of printable characters, at most {MOST_PARAMETERS} of them, without a lone `--`"
    )]
    BadAppend(String),
    /// There is no such kernel.
    #[error("the lab has no kernel `{name}`{}", others(known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The kernels that the lab has.
        known: Vec<String>,
    },
    /// There is such a kernel already.
    #[error("the lab already has a kernel `{0}`: take another name, or replace it with --replace")]
    Exists(String),
    /// What was added by hand is not replaced by what is fetched.
    #[error(
        "the lab has a kernel `{0}` that was added by hand: remove it with `steadfast lab remove {0}`, then fetch again"
    )]
    AddedByHand(String),
    /// There is nothing of this name to add.
    #[error("--kernel `{0}`: there is no such file, and the lab has no kernel of this name")]
    NoKernelFile(String),
    /// A file that no boot loader can start.
    #[error("`{}` is not a Linux kernel that the lab can boot: {why}", path.display())]
    NotAKernel {
        /// The file.
        path: PathBuf,
        /// What it is instead, or what to name.
        why: &'static str,
    },
    /// A file that the kernel cannot load.
    #[error("--module `{}`: {why}", path.display())]
    NotAModule {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What the lab keeps of a kernel has changed.
    #[error(
        "`{}` is damaged, {why}: remove the kernel with `steadfast lab remove {name}`, then fetch or add it again",
        path.display()
    )]
    Damaged {
        /// The kernel.
        name: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An overlay that cannot be laid over an initrd.
    #[error("--initrd-overlay `{}` {why}", path.display())]
    BadOverlay {
        /// The folder, or what is in it.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Not a series of Debian's kernels.
    #[error(
        "`{0}` is not a series of kernels: write debian:SERIES or debian:SERIES-rt, such as debian:6.1 or debian:6.1-rt"
    )]
    BadSeries(String),
    /// The system has no apt.
    #[error(
        "this system has no apt ({0} was not found): get a kernel image elsewhere, and add it with `steadfast lab add NAME --kernel FILE`"
    )]
    NoApt(String),
    /// A command of apt's failed.
    #[error("`{command}` failed: {said}: {}", apt_remedy(said))]
    Apt {
        /// The command.
        command: String,
        /// Its errors.
        said: String,
    },
    /// Apt offers no package of a series.
    #[error("apt offers no kernel {wanted} for amd64{}", offers(known))]
    NoPackage {
        /// What was asked for.
        wanted: String,
        /// The series that apt knows.
        known: Vec<String>,
    },
    /// A package that does not hold what it should.
    #[error("the package `{}` cannot be used: {why}", path.display())]
    BadPackage {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl LabError {
    /// Names the file that the system's error is about.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |cause| Self::File { path: path.to_owned(), cause }
    }
}

fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free space, or set STEADFAST_LAB to a folder with more of it"
        }
        io::ErrorKind::ReadOnlyFilesystem => ": set STEADFAST_LAB to a folder that can be written",
        _ => "",
    }
}

fn apt_remedy(said: &str) -> &'static str {
    if said.contains("No space left") {
        "free space, or set STEADFAST_LAB to a folder with more of it"
    } else if said.contains("404") {
        "the package lists are old, bring them up to date with `sudo apt-get update`"
    } else {
        "check the network and apt's sources, then start again"
    }
}

fn others(known: &[String]) -> String {
    let has = if known.is_empty() {
        "it has none yet".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    };
    format!(
        "; {has}. `steadfast lab fetch debian:6.1 debian:6.1-rt` gets Debian's, `steadfast lab add NAME --kernel FILE` takes any"
    )
}

fn offers(known: &[String]) -> String {
    if known.is_empty() {
        ", nor any other: its sources must be Debian's and its lists fresh, `sudo apt-get update`"
            .to_owned()
    } else {
        format!(
            "; it offers {}: take one of these, or add a source that has it, such as Debian's backports",
            known.join(", ")
        )
    }
}
