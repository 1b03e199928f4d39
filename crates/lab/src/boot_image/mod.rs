//! Images that a boot loader, or QEMU, can start.

mod number;
mod payload;
mod plain;
mod x86;

use std::fs;
use std::path::Path;

use crate::LabError;
use crate::requirements::LARGEST;

/// The format of the images of an architecture.
#[derive(Debug)]
pub(crate) enum Format {
    X86,
    /// The kernel as it is in memory, with a header that has this magic number.
    Plain {
        magic: [u8; 4],
    },
}

impl Format {
    /// Whether a file has the header of this format.
    pub(crate) fn is_of(&self, image: &[u8]) -> bool {
        match self {
            Self::X86 => x86::has_header(image),
            Self::Plain { magic } => plain::has_header(image, *magic),
        }
    }

    /// Checks that an image with this header is complete; an error says why not.
    pub(crate) fn check(&self, image: &[u8]) -> Result<(), &'static str> {
        match self {
            Self::X86 => x86::check(image),
            Self::Plain { .. } => plain::check(image),
        }
    }

    /// Returns the image's own text with its release, its builder and the time of building; empty
    /// if it has none.
    pub(crate) fn version(&self, image: &[u8]) -> String {
        match self {
            Self::X86 => x86::version(image),
            Self::Plain { .. } => plain::version(image),
        }
    }

    /// Returns the unpacked kernel, if a machine can be started with it instead of with its image.
    pub(crate) fn unpacked(&self, image: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::X86 => payload::unpacked(image),
            Self::Plain { .. } => None,
        }
    }
}

/// Reads a file that may be an image.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    let refused = |why| LabError::NotAKernel { path: path.to_owned(), why };
    let about = fs::metadata(path).map_err(LabError::file(path))?;
    if !about.is_file() {
        return Err(refused("it is not an ordinary file"));
    }
    if about.len() > LARGEST {
        return Err(refused("it is larger than 1 GiB"));
    }
    fs::read(path).map_err(LabError::file(path))
}

/// Beginnings of other files that are often mistaken for kernels.
const OTHERS: [(&[u8], &str); 4] = [
    (
        b"\x7fELF",
        "it is an ELF file, such as vmlinux or a module; name the boot image (arch/x86/boot/bzImage, arch/arm64/boot/Image, /boot/vmlinuz-*)",
    ),
    (
        b"!<arch>\n",
        "it is a Debian package; name the vmlinuz inside, or let `steadfast lab fetch` unpack it",
    ),
    (
        b"\x1f\x8b",
        "it is compressed with gzip, like an initrd or some kernels for 64-bit Arm; unpack such a kernel (zcat FILE > Image)",
    ),
    (b"070701", "it is a cpio archive, such as an initrd; name the kernel that goes with it"),
];
const NOT_AN_IMAGE: &str = "it does not have the header of a boot image; name a vmlinuz or bzImage for x86-64, or a vmlinuz or Image for 64-bit Arm";

/// Returns what a file is that has the header of no image.
pub(crate) fn what_else(file: &[u8]) -> &'static str {
    let begins = |(how, _): &&(&[u8], &str)| file.starts_with(how);
    OTHERS.iter().find(begins).map_or(NOT_AN_IMAGE, |(_, what)| what)
}
