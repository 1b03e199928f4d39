//! Images that an x86 boot loader can start.
//!
//! Offsets and meanings are those of "The Linux/x86 Boot Protocol" in the kernel's
//! own documentation (`Documentation/arch/x86/boot.rst`).

use super::number::number;

/// Number of bytes up to the end of the fields that are read.
const HEADER: usize = 0x238;
/// The first protocol version with the flag for 64-bit kernels: 2.12, Linux 3.8.
const PROTOCOL_WITH_FLAGS: usize = 0x20c;

pub(super) fn has_header(image: &[u8]) -> bool {
    image.len() >= HEADER && number(image, 0x1fe, 2) == 0xaa55 && &image[0x202..0x206] == b"HdrS"
}

/// Checks that an x86-64 machine can boot an image with that header, and that it is complete; an
/// error says why not.
pub(super) fn check(image: &[u8]) -> Result<(), &'static str> {
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
pub(super) fn version(image: &[u8]) -> String {
    let from = match number(image, 0x20e, 2) {
        0 => image.len(),
        offset => offset + 0x200,
    };
    let text = image.get(from..).unwrap_or_default();
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&text[..end]).into_owned()
}

/// Number of bytes of the boot sector and the setup sectors after it (0 means 4).
pub(super) fn setup_length(image: &[u8]) -> usize {
    let setup_sectors = match image[0x1f1] {
        0 => 4,
        sectors => usize::from(sectors),
    };
    (1 + setup_sectors) * 512
}
