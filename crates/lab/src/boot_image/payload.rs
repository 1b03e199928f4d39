//! The kernel inside a boot image. A machine whose time counts instructions needs as long to unpack
//! it as to boot it, so the host unpacks it where the kernel can be started without its image.

use std::io::Read;

use object::elf::{FileHeader64, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{LittleEndian, elf};

use super::number::number;
use super::x86::setup_length;
use crate::packing;
use crate::requirements::LARGEST;

/// The first protocol version that says where the packed kernel is: 2.08, Linux 2.6.26.
const PROTOCOL_WITH_PAYLOAD: usize = 0x208;
/// Number of bytes up to the end of the fields that are read.
const HEADER: usize = 0x250;
/// The entry for a machine that starts a kernel directly: `XEN_ELFNOTE_PHYS32_ENTRY` in Linux's
/// `include/xen/interface/elfnote.h`.
const DIRECT_ENTRY: elf::NoteType = elf::NoteType(18);
/// Beginnings of packed kernels, names by which [`packing`] knows them, and the number of bytes after
/// what is packed, in which the kernel's build writes the unpacked length
/// (`scripts/Makefile.lib`: `size_append`).
const PACKINGS: [(&[u8], &str, usize); 3] = [
    (b"\xfd7zXZ\0", "vmlinux.xz", 4),
    (b"\x1f\x8b", "vmlinux.gz", 0),
    (b"\x28\xb5\x2f\xfd", "vmlinux.zst", 4),
];

/// Returns the unpacked kernel; `None` if a machine can only start it by way of its image.
pub(super) fn unpacked(image: &[u8]) -> Option<Vec<u8>> {
    let kernel = unpack(packed(image)?)?;
    can_start_directly(&kernel).then_some(kernel)
}

fn packed(image: &[u8]) -> Option<&[u8]> {
    if image.len() < HEADER || number(image, 0x206, 2) < PROTOCOL_WITH_PAYLOAD {
        return None;
    }
    let from = setup_length(image) + number(image, 0x248, 4);
    image.get(from..from + number(image, 0x24c, 4))
}

fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let known = PACKINGS.iter().find(|(begin, ..)| packed.starts_with(begin));
    let (_, name, length) = known?;
    let packed = packed.get(..packed.len() - length)?;
    let (_, reader) = packing::unpack(name, packed).ok()?;
    let mut kernel = Vec::new();
    reader.take(LARGEST).read_to_end(&mut kernel).ok()?;
    Some(kernel)
}

fn can_start_directly(kernel: &[u8]) -> bool {
    let notes_with_entry = || -> object::Result<bool> {
        let header = FileHeader64::<LittleEndian>::parse(kernel)?;
        let endian = header.endian()?;
        for segment in header.program_headers(endian, kernel)? {
            if segment.p_type(endian) != PT_NOTE {
                continue;
            }
            let Some(mut notes) = segment.notes(endian, kernel)? else { continue };
            while let Some(note) = notes.next()? {
                if note.name() == b"Xen" && note.n_type(endian) == DIRECT_ENTRY {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    };
    notes_with_entry().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use testing::boot_image;

    use super::*;

    /// Returns an ELF file for x86-64 with one segment of notes that holds one note.
    fn kernel(owner: &[u8; 4], kind: u8) -> Vec<u8> {
        const HEADERS: u8 = 64 + 56;
        const NOTE: u8 = 12 + 4 + 4;
        let mut file = vec![0; usize::from(HEADERS)];
        file[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        // One program header of 56 bytes follows the file's header of 64 bytes.
        (file[0x20], file[0x34], file[0x36], file[0x38]) = (64, 64, 56, 1);
        let segment = &mut file[64..];
        (segment[0], segment[8], segment[0x20], segment[0x30]) = (4, HEADERS, NOTE, 4);
        file.extend([4, 0, 0, 0, 4, 0, 0, 0, kind, 0, 0, 0]);
        file.extend(owner);
        file.extend(0x0100_0000_u32.to_le_bytes());
        file
    }

    /// Returns a boot image with this payload, which the length of the unpacked kernel ends.
    fn image_of(kernel: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(kernel).unwrap();
        let packed = packed.finish().unwrap();
        let mut image = boot_image("7.0");
        let payload = image.len() - 1024;
        image[0x248..0x24c].copy_from_slice(&u32::try_from(payload).unwrap().to_le_bytes());
        image[0x24c..0x250].copy_from_slice(&u32::try_from(packed.len()).unwrap().to_le_bytes());
        image.extend(packed);
        image
    }

    #[test]
    fn a_kernel_is_unpacked_if_a_machine_can_start_it_directly() {
        let direct = kernel(b"Xen\0", 18);
        assert_eq!(unpacked(&image_of(&direct)), Some(direct.clone()));
        assert_eq!(unpacked(&image_of(&kernel(b"Xen\0", 17))), None);
        assert_eq!(unpacked(&image_of(&kernel(b"GNU\0", 18))), None);
        assert_eq!(unpacked(&image_of(b"no kernel")), None);
    }

    #[test]
    fn other_images_start_as_they_are() {
        let image = image_of(&kernel(b"Xen\0", 18));
        assert_eq!(unpacked(&boot_image("7.0")), None);
        assert_eq!(unpacked(&image[..image.len() - 1]), None);
        let mut old = image;
        (old[0x206], old[0x207]) = (0x07, 0x02);
        assert_eq!(unpacked(&old), None);
    }
}
