//! Measures how much of its stack code uses: the stack below is filled with a pattern before, and
//! searched for overwritten words afterwards.

use std::arch::asm;

const PAINT: u64 = 0x5354_4541_4446_5354;
const WORD: usize = size_of::<u64>();

/// The part of the calling thread's stack that is painted.
#[derive(Debug, Clone, Copy)]
pub struct Painted {
    from: usize,
    to: usize,
}

impl Painted {
    /// Paints `bytes` bytes of the calling thread's stack below what it uses now. Everything there
    /// is overwritten, including return addresses of earlier calls.
    ///
    /// The thread must have that much stack left.
    #[inline(never)]
    #[must_use]
    pub fn below_here(bytes: usize) -> Self {
        let to = pointer() / WORD * WORD;
        let painted = Self { from: to - bytes / WORD * WORD, to };
        painted.again();
        painted
    }

    /// Paints it again, except for what the calling thread uses of it now.
    #[inline(always)]
    fn again(self) {
        let to = self.to.min(pointer()) / WORD * WORD;
        let words = to.saturating_sub(self.from) / WORD;
        // SAFETY: the words are below the stack pointer, in the stack of this thread, which the
        // caller guarantees to be large enough. Without `nostack`, this function has no data there.
        unsafe { fill(self.from, words) };
    }

    /// Paints it again, as [`Painted::below_here`] did.
    #[inline(never)]
    pub fn renew(self) {
        self.again();
    }

    /// Returns how many of the bytes were used since then; all of them if more may have been used.
    #[inline(never)]
    #[must_use]
    pub fn used(self) -> usize {
        let mut words = (self.from..self.to).step_by(WORD);
        // SAFETY: the words were painted by this thread, and its stack does not shrink.
        let is_painted = |word: &usize| unsafe { (*word as *const u64).read_volatile() == PAINT };
        words.find(|word| !is_painted(word)).map_or(0, |first| self.to - first)
    }
}

/// Fills `words` words, starting at an address.
///
/// # Safety
/// The words must be writable, and not in use.
#[inline(always)]
unsafe fn fill(from: usize, words: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller guarantees it.
    unsafe {
        asm!("rep stosq", inout("rdi") from => _, inout("rcx") words => _, in("rax") PAINT);
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the caller guarantees it.
    unsafe {
        asm!(
            "cbz {words}, 3f",
            "2: str {paint}, [{at}], #8",
            "subs {words}, {words}, #1",
            "b.ne 2b",
            "3:",
            at = inout(reg) from => _,
            words = inout(reg) words => _,
            paint = in(reg) PAINT,
        );
    }
}

#[inline(always)]
fn pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a register.
    unsafe {
        asm!("mov {}, rsp", out(reg) pointer, options(nostack, nomem));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads a register.
    unsafe {
        asm!("mov {}, sp", out(reg) pointer, options(nostack, nomem));
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn used_by<const BYTES: usize>(painted: Painted) -> usize {
        painted.renew();
        deep::<BYTES>();
        painted.used()
    }

    #[inline(never)]
    fn deep<const BYTES: usize>() {
        black_box([1u8; BYTES]);
    }

    #[test]
    fn the_used_part_is_found_to_a_page() {
        let painted = Painted::below_here(256 << 10);
        assert!(used_by::<16>(painted) < 4096);
        let used = used_by::<100_000>(painted);
        assert!((96_000..110_000).contains(&used), "{used}");
        assert!(used_by::<16>(painted) < 4096, "it was painted again");
        assert_eq!(used_by::<400_000>(painted), (256 << 10) / WORD * WORD);
    }
}
