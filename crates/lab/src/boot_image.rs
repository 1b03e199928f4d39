//! Images that an x86 boot loader can start.
//!
//! Offsets and meanings are those of "The Linux/x86 Boot Protocol" in the kernel's
//! own documentation (`Documentation/arch/x86/boot.rst`).

use std::fs;
use std::path::Path;

use crate::LabError;

/// The largest file that is read; images are of some 10 MB, with an initrd built in
/// some 100 MB.
pub(crate) const LARGEST: u64 = 1 << 30;
/// Bytes up to the end of the fields that are looked at.
const HEADER: usize = 0x238;
/// Where a kernel with 64 bit says so: version 2.12 of the protocol, Linux 3.8.
const PROTOCOL_WITH_FLAGS: usize = 0x20c;

/// Reads an image, and checks that it is one.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    let refused = |why| LabError::NotAKernel { path: path.to_owned(), why };
    let about = fs::metadata(path).map_err(LabError::file(path))?;
    if !about.is_file() {
        return Err(refused("it is not an ordinary file"));
    }
    if about.len() > LARGEST {
        return Err(refused("it is larger than 1 GiB"));
    }
    let image = fs::read(path).map_err(LabError::file(path))?;
    check(&image).map_err(refused)?;
    Ok(image)
}

/// Checks that an x86-64 machine can boot this image, and that it is whole; an error
/// says why not.
pub(crate) fn check(image: &[u8]) -> Result<(), &'static str> {
    if image.len() < HEADER || number(image, 0x1fe, 2) != 0xaa55 || &image[0x202..0x206] != b"HdrS"
    {
        return Err(what_else(image));
    }
    let has_64_bits = number(image, 0x236, 2) & 1 == 1;
    if number(image, 0x206, 2) >= PROTOCOL_WITH_FLAGS && !has_64_bits {
        return Err("it is a kernel for 32-bit processors; name one for x86-64");
    }
    if image.len() < whole_length(image) {
        return Err("it is cut short; copy it again");
    }
    Ok(())
}

/// The text in which an image says its release, its builder and its time of building;
/// empty where it says nothing.
pub(crate) fn version(image: &[u8]) -> String {
    let from = match number(image, 0x20e, 2) {
        0 => image.len(),
        offset => offset + 0x200,
    };
    let text = image.get(from..).unwrap_or_default();
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&text[..end]).into_owned()
}

/// Bytes of the boot sector, the setup sectors after it (0 means 4) and the kernel in
/// protected mode; a signature may follow.
fn whole_length(image: &[u8]) -> usize {
    let setup_sectors = match image[0x1f1] {
        0 => 4,
        sectors => usize::from(sectors),
    };
    (1 + setup_sectors) * 512 + number(image, 0x1f4, 4) * 16
}

fn number(image: &[u8], at: usize, bytes: usize) -> usize {
    let digits = image[at..at + bytes].iter().rev();
    digits.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// How files begin that people take for kernels.
const OTHERS: [(&[u8], &str); 4] = [
    (
        b"\x7fELF",
        "it is an ELF file, such as vmlinux or a module; name the compressed image (arch/x86/boot/bzImage, /boot/vmlinuz-*)",
    ),
    (
        b"!<arch>\n",
        "it is a Debian package; name the vmlinuz inside, or let `steadfast lab fetch` unpack it",
    ),
    (
        b"\x1f\x8b",
        "it is packed with gzip, as initrds and kernels of other processors are; name an x86-64 boot image (vmlinuz, bzImage)",
    ),
    (b"070701", "it is a cpio archive, such as an initrd; name the kernel that goes with it"),
];
const NOT_AN_IMAGE: &str =
    "it has no header of an x86 boot image; name a vmlinuz or bzImage for x86-64";

fn what_else(file: &[u8]) -> &'static str {
    let begins = |(how, _): &&(&[u8], &str)| file.starts_with(how);
    OTHERS.iter().find(begins).map_or(NOT_AN_IMAGE, |(_, what)| what)
}
