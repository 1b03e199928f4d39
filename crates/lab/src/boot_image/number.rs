//! Numbers in the headers of images.

/// Returns the little-endian number of that many bytes.
pub(super) fn number(image: &[u8], at: usize, bytes: usize) -> usize {
    let digits = image[at..at + bytes].iter().rev();
    digits.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}
