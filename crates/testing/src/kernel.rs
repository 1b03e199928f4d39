//! Kernel images and packages that consist only of their headers.

use tar::{Builder, Header};

/// Returns an x86 boot image with this version text, which no machine can run
/// (`Documentation/arch/x86/boot.rst` of the kernel).
pub fn boot_image(version: &str) -> Vec<u8> {
    /// Size of the boot sector, one setup sector, and 16 units of 16 bytes.
    const LENGTH: usize = 2 * 512 + 16 * 16;
    const VERSION: usize = 0x300;
    let mut image = vec![0; LENGTH];
    let mut put = |at: usize, bytes: &[u8]| image[at..at + bytes.len()].copy_from_slice(bytes);
    put(0x1f1, &[1]);
    put(0x1f4, &[16]);
    put(0x1fe, &[0x55, 0xaa]);
    put(0x202, b"HdrS");
    put(0x206, &[0x0f, 0x02]);
    put(0x20e, &[0x00, 0x01]);
    put(0x22c, &i32::MAX.to_le_bytes());
    put(0x236, &[1]);
    put(VERSION, version.as_bytes());
    image
}

/// Returns a boot image for 64-bit Arm that prints this version, which no machine can run
/// (`Documentation/arch/arm64/booting.rst` of the kernel). Its one section for EFI ends with it.
pub fn arm_image(version: &str) -> Vec<u8> {
    const SECTION: usize = 0x40 + 24;
    let mut image = vec![0; SECTION + 40];
    let banner = format!("Linux version {version}\n\0");
    let mut put = |at: usize, bytes: &[u8]| image[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"MZ");
    put(0x38, b"ARM\x64\x40");
    put(0x40, b"PE\0\0\x64\xaa\x01");
    put(SECTION + 16, &(banner.len() as u32).to_le_bytes());
    put(SECTION + 20, &(SECTION as u32 + 40).to_le_bytes());
    image.extend(banner.bytes());
    image
}

/// Returns a module for x86-64 that contains only the release for which it was built; no kernel can
/// load it.
pub fn kernel_module(release: &str) -> Vec<u8> {
    let mut module = b"\x7fELF\x02\x01\x01".to_vec();
    module.resize(0x10, 0);
    module.extend([1, 0, 62, 0]);
    module.extend(format!("\0license=GPL\0vermagic={release} SMP mod_unload \0").bytes());
    module
}

/// Packs an archive of these files, given by path and contents.
pub fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(vec![]);
    for (path, contents) in files {
        let mut header = Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, *contents).expect("the path fits");
    }
    archive.into_inner().expect("memory takes all")
}

/// Packs a Debian package whose files are these bytes, under a name such as `data.tar.xz`.
pub fn deb(data_name: &str, data: &[u8]) -> Vec<u8> {
    let mut package = b"!<arch>\n".to_vec();
    // One member of odd length, which is followed by a padding byte.
    let members: [(&str, &[u8]); 3] =
        [("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), (data_name, data)];
    for (name, contents) in members {
        let size = contents.len();
        package.extend(
            format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 100_644).bytes(),
        );
        package.extend(contents);
        package.resize(package.len().next_multiple_of(2), b'\n');
    }
    package
}
