//! How much of its stack something uses: what lies below is painted before, and what was painted
//! over is looked for after.

use std::arch::asm;

const PAINT: u64 = 0x5354_4541_4446_5354;
const WORD: usize = size_of::<u64>();
/// Left alone: what this file's own functions use.
const MARGIN: usize = 1024;

/// The part of the calling thread's stack that was painted.
#[derive(Debug, Clone, Copy)]
pub struct Painted {
    from: usize,
    to: usize,
}

impl Painted {
    /// Paints so many bytes of the calling thread's stack below what it uses now.
    ///
    /// The thread must have that much stack left, and half as much again.
    #[inline(never)]
    #[must_use]
    pub fn below_here(bytes: usize) -> Self {
        let to = (pointer() - MARGIN) / WORD * WORD;
        let painted = Self {
            from: to - bytes / WORD * WORD,
            to,
        };
        painted.words().for_each(paint);
        painted
    }

    /// How many of the bytes were used since; all of them where more may have been. Paints them
    /// again.
    #[inline(never)]
    #[must_use]
    pub fn used(self) -> usize {
        // SAFETY: the words were painted by this thread, and its stack does not shrink.
        let is_painted = |word: &usize| unsafe { (*word as *const u64).read_volatile() == PAINT };
        let first = self.words().find(|word| !is_painted(word));
        let used = first.map_or(0, |first| self.to - first);
        let again = first.into_iter().flat_map(|first| self.words_from(first));
        again
            .take_while(|word| *word < pointer() - MARGIN / 2)
            .for_each(paint);
        used
    }

    fn words(self) -> impl Iterator<Item = usize> {
        self.words_from(self.from)
    }

    fn words_from(self, from: usize) -> impl Iterator<Item = usize> {
        (from..self.to).step_by(WORD)
    }
}

fn paint(word: usize) {
    // SAFETY: the word lies below the stack pointer and below what this file's functions use, in
    // the stack of this thread, which the caller says is large enough.
    unsafe { (word as *mut u64).write_volatile(PAINT) };
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
        deep::<BYTES>();
        painted.used()
    }

    #[inline(never)]
    fn deep<const BYTES: usize>() {
        black_box([1u8; BYTES]);
    }

    #[test]
    fn what_was_used_is_found_to_a_page() {
        let painted = Painted::below_here(256 << 10);
        assert!(used_by::<16>(painted) < 4096);
        let used = used_by::<100_000>(painted);
        assert!((96_000..110_000).contains(&used), "{used}");
        assert!(used_by::<16>(painted) < 4096, "it was painted again");
        assert_eq!(used_by::<400_000>(painted), (256 << 10) / WORD * WORD);
    }
}
