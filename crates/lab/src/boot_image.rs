//! Images that an x86 boot loader can start.
//!
//! Offsets and meanings are those of "The Linux/x86 Boot Protocol" in the kernel's
//! own documentation (`Documentation/arch/x86/boot.rst`).

use std::fs;
use std::path::Path;

use crate::LabError;

/// The largest file that is read. Images have about 10 MB, or about 100 MB with an initrd built in.
pub(crate) const LARGEST: u64 = 1 << 30;
/// Number of bytes up to the end of the fields that are read.
const HEADER: usize = 0x238;
/// The first protocol version with the flag for 64-bit kernels: 2.12, Linux 3.8.
const PROTOCOL_WITH_FLAGS: usize = 0x20c;

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

/// Checks that an x86-64 machine can boot this image, and that it is complete; an error says why
/// not.
pub(crate) fn check(image: &[u8]) -> Result<(), &'static str> {
    if image.len() < HEADER || number(image, 0x1fe, 2) != 0xaa55 || &image[0x202..0x206] != b"HdrS"
    {
        return Err(what_else(image));
    }
    let has_64_bits = number(image, 0x236, 2) & 1 == 1;
    if number(image, 0x206, 2) >= PROTOCOL_WITH_FLAGS && !has_64_bits {
        return Err("it is a kernel for 32-bit processors; name one for x86-64");
    }
    // The setup and the protected-mode kernel; a signature may follow.
    if image.len() < setup_length(image) + number(image, 0x1f4, 4) * 16 {
        return Err("it is cut off; copy it again");
    }
    Ok(())
}

/// Returns the image's own text with its release, its builder and the time of building; empty if it
/// has none.
pub(crate) fn version(image: &[u8]) -> String {
    let from = match number(image, 0x20e, 2) {
        0 => image.len(),
        offset => offset + 0x200,
    };
    let text = image.get(from..).unwrap_or_default();
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&text[..end]).into_owned()
}

/// Number of bytes of the boot sector and the setup sectors after it (0 means 4).
pub(crate) fn setup_length(image: &[u8]) -> usize {
    let setup_sectors = match image[0x1f1] {
        0 => 4,
        sectors => usize::from(sectors),
    };
    (1 + setup_sectors) * 512
}

/// Returns the little-endian number of that many bytes.
pub(crate) fn number(image: &[u8], at: usize, bytes: usize) -> usize {
    let digits = image[at..at + bytes].iter().rev();
    digits.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// Beginnings of other files that are often mistaken for kernels.
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
        "it is compressed with gzip, like an initrd or a kernel for another processor; name an x86-64 boot image (vmlinuz, bzImage)",
    ),
    (b"070701", "it is a cpio archive, such as an initrd; name the kernel that goes with it"),
];
const NOT_AN_IMAGE: &str =
    "it does not have the header of an x86 boot image; name a vmlinuz or bzImage for x86-64";

fn what_else(file: &[u8]) -> &'static str {
    let begins = |(how, _): &&(&[u8], &str)| file.starts_with(how);
    OTHERS.iter().find(begins).map_or(NOT_AN_IMAGE, |(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_images_are_read_or_refused() {
        testing::try_corpus(&[testing::boot_image("6.1.0-9-rt-amd64 #1")], 2_000, |input| {
            if check(input).is_ok() {
                assert!(version(input).len() <= input.len() * 3 && setup_length(input) > 0);
            }
        });
    }
}
