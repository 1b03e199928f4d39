//! Detects the words of a stack that are return addresses of calls, by the code before the address.

/// The number of bytes before the address that must be known.
pub const BEFORE: usize = 8;

/// Whether code ends with a call, so that the next address is a return address. The encoding of
/// x86-64: E8 with a distance of 4 bytes, or FF /2 of 2 to 7 bytes (Intel's manual, volume 2).
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn is_call(code: &[u8]) -> bool {
    let from_end = |bytes: usize| code.len().checked_sub(bytes).map(|at| &code[at..]);
    let is_direct = from_end(5).is_some_and(|call| call[0] == 0xe8);
    let is_indirect = |call: &[u8]| call[0] == 0xff && (call[1] >> 3) & 7 == 2;
    is_direct || [2, 3, 4, 6, 7].into_iter().filter_map(from_end).any(is_indirect)
}

/// Whether code ends with a call, so that the next address is a return address: BL or BLR (the Arm
/// Architecture Reference Manual, C6.2).
#[cfg(target_arch = "aarch64")]
#[must_use]
pub fn is_call(code: &[u8]) -> bool {
    let last: Option<[u8; 4]> = code.last_chunk().copied();
    let last = last.map(u32::from_le_bytes);
    last.is_some_and(|word| word >> 26 == 0b100101 || word & 0xffff_fc1f == 0xd63f_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn calls_are_distinguished_from_other_code() {
        assert!(is_call(&[0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4]), "call near");
        assert!(is_call(&[0x90, 0xff, 0xd0]), "call rax");
        assert!(is_call(&[0xff, 0x15, 1, 2, 3, 4]), "call [rip + ..]");
        assert!(!is_call(&[0xff, 0xe0]), "jmp rax");
        assert!(!is_call(&[0x90; 8]) && !is_call(&[]));
    }

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn calls_are_distinguished_from_other_code() {
        assert!(is_call(&0x9400_0001u32.to_le_bytes()), "bl");
        assert!(is_call(&0xd63f_0000u32.to_le_bytes()), "blr x0");
        assert!(!is_call(&0xd503_201fu32.to_le_bytes()), "nop");
    }
}
