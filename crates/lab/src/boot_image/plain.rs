//! Images of 64-bit Arm and later architectures: the kernel as it is in memory, behind a header of
//! 64 bytes (`Documentation/arch/arm64/booting.rst` of the kernel).

use super::number::number;

/// Where the header has its magic number, and its length.
const MAGIC: usize = 0x38;
const HEADER: usize = 0x40;
/// Where it has the offset of its header for EFI, a PE file's, if it can be started by that.
const PE: usize = 0x3c;
/// The beginning of the text with the kernel's version, which has no place in the header.
const BANNER: &[u8] = b"Linux version ";
/// Most bytes of that text.
const LONGEST: usize = 512;

pub(super) fn has_header(image: &[u8], magic: [u8; 4]) -> bool {
    image.len() >= HEADER && image[MAGIC..HEADER].starts_with(&magic)
}

/// Checks that an image is complete, as far as its header for EFI says how long it is.
pub(super) fn check(image: &[u8]) -> Result<(), &'static str> {
    match sections_end(image) {
        Some(end) if end > image.len() => Err("it is cut off; copy it again"),
        _ => Ok(()),
    }
}

/// Returns where the last section of a PE file ends (Microsoft, "PE Format").
fn sections_end(image: &[u8]) -> Option<usize> {
    let field = |at: usize, bytes| image.get(at..at + bytes).map(|_| number(image, at, bytes));
    let pe = field(PE, 4)?;
    image.get(pe..)?.starts_with(b"PE\0\0").then_some(())?;
    let last = || {
        let (sections, optional) = (field(pe + 6, 2)?, field(pe + 20, 2)?);
        let mut places = (0..sections).map(|section| pe + 24 + optional + section * 40);
        places.try_fold(0, |end, at| Some(end.max(field(at + 16, 4)? + field(at + 20, 4)?)))
    };
    // A header that is itself cut off says nothing of its sections.
    Some(last().unwrap_or(usize::MAX))
}

/// Returns the version in the banner that the kernel prints, without its compiler, as images for
/// x86 have it.
pub(super) fn version(image: &[u8]) -> String {
    let banners: Vec<String> = banners(image).collect();
    let numbered = banners.iter().find_map(|banner| {
        let (built_by, rest) = banner.split_once(')')?;
        let (_, built) = rest.split_once(") #")?;
        built.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("{built_by}) #{built}"))
    });
    numbered.or_else(|| banners.into_iter().next()).unwrap_or_default()
}

/// Returns the lines that follow the words of the banner and begin with a number.
fn banners(image: &[u8]) -> impl Iterator<Item = String> {
    let found = image.windows(BANNER.len()).enumerate().filter(|(_, bytes)| *bytes == BANNER);
    let texts = found.map(|(at, _)| {
        let rest = &image[at + BANNER.len()..image.len().min(at + BANNER.len() + LONGEST)];
        let end = rest.iter().position(u8::is_ascii_control).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    });
    texts.filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::arm_image;

    #[test]
    fn the_version_is_that_of_the_banner_without_its_compiler() {
        let banner = "6.1.0-50-arm64 (me@here) (gcc-12 (Debian) 12.2.0, GNU ld (GNU) 2.40) #1 SMP";
        let mut image = arm_image(banner);
        assert_eq!(version(&image), "6.1.0-50-arm64 (me@here) #1 SMP");
        let with = |text: &str| [&image[..], text.as_bytes(), b"\n\0"].concat();
        let unnumbered = with("Linux version 9.9 (me@here) (gcc) # SMP");
        assert_eq!(version(&unnumbered), "6.1.0-50-arm64 (me@here) #1 SMP");
        image.truncate(HEADER);
        assert_eq!(version(&image), "");
    }

    #[test]
    fn a_part_of_an_image_is_refused() {
        let image = arm_image("7.2 (me@here) (gcc) #1");
        assert_eq!(check(&image), Ok(()));
        for cut in [1, image.len() / 2] {
            assert!(check(&image[..image.len() - cut]).unwrap_err().contains("cut off"));
        }
        let mut without_efi = image;
        without_efi[PE..HEADER].fill(0);
        assert_eq!(check(&without_efi[..HEADER]), Ok(()));
    }
}
